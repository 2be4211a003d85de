package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

// A question about a core, with the calls that it makes after open, and facts that the
// answers must have. The truth is the program's source or its own log: testdata/cores/sources/README.md.
type question struct {
	asked, core string
	calls       [][2]string
	facts       []string
}

var questions = []question{
	{"why did the server die?", "server", [][2]string{{"verdict", ""}}, []string{"null pointer dereferenced", "certain",
		"label", "server.cc:39"}},
	{"where?", "server", [][2]string{{"stacks", ""}}, []string{"server.cc:39:17", "ship", "work"}},
	{"which order was it?", "server", [][2]string{{"frame", `"frame":2`}},
		[]string{"number = 1007", "customer = 0x555edaebf9f0"}},
	{"what is its customer's address?", "server", [][2]string{{"value", `"expression":"*order.customer"`}},
		[]string{`name = "guest"`, "address = NULL"}},
	{"what is the address of the customer before?", "server",
		[][2]string{{"value", `"expression":"shop.orders[1006].customer->address"`}},
		[]string{"15 Mill Lane", "Leeds"}},
	{"what is at that address?", "server", [][2]string{{"value", `"address":"0x555edaebf9f0","type":"Customer"`}},
		[]string{`name = "guest"`}},
	{"who holds the lock that the others wait for?", "server", [][2]string{{"locks", ""}},
		[]string{`"owner":21315`, "server.cc:58:45"}},
	{"why did the service of Node end?", "node-16-fatal", [][2]string{{"verdict", ""}},
		[]string{"js-uncaught", "certain", "nobody catches this", "fatal.js:23:9"}},
	{"which error was it?", "node-16-fatal", [][2]string{{"command", `"line":"::jserror"`}},
		[]string{"E_REFUSED", "Timeout.go [as _onTimeout]"}},
	{"which functions of JavaScript were running?", "node-16-fatal", [][2]string{{"stacks", `"language":"javascript"`}},
		[]string{"refuse", "fatal.js:39:34"}},
	{"why did this one end?", "node-24", [][2]string{{"verdict", ""}},
		[]string{"process.abort was called in die", "main.js:25:11"}},
	{"which value has the widget?", "node-24", [][2]string{{"value", `"expression":"T.widget"`}},
		[]string{"widget9999", `"id":9999`}},
	{"where are its objects, and what keeps one?", "node-24", [][2]string{{"search", `"class":"Widget","most":3`},
		{"path_to_root", `"address":"0x3ef668cd3b09"`}},
		[]string{"values.js:6", "1232 more", "T"}},
	{"what does the line say that it was at?", "node-24", [][2]string{{"frame", `"frame":12`}},
		[]string{"return JSON.stringify({ toJSON() { return eval('recurse(3, die)'); } });", "recurse(3, die)"}},
	{"why did the program of Go die?", "goroutines", [][2]string{{"verdict", ""}},
		[]string{"go-panic", "nil pointer dereference", "goroutines.go:249"}},
	{"where do its goroutines wait?", "goroutines", [][2]string{{"stacks", `"language":"go"`}},
		[]string{"runtime.gopanic", "goroutine 1"}},
	{"which threads of Java wait for each other?", "art-14-locks", [][2]string{{"locks", ""}},
		[]string{`"type":"deadlock"`, "pair-1", "pair-2"}},
	{"which exception was in flight?", "art-11-throwing", [][2]string{{"command", `"line":"::javaexception"`}},
		[]string{"still in flight", "Throwing.java:30", "caught and kept"}},
	{"which methods of Java were running?", "art-11-throwing", [][2]string{{"stacks", `"language":"java"`}},
		[]string{"throwing.Throwing.main", "Throwing.java:16"}},
	{"why did the program of Rust die?", "rust", [][2]string{{"verdict", ""}},
		[]string{"null-dereference", "ranks::drill::deep::poke"}},
	{"which block was overrun?", "spoil", [][2]string{{"command", `"line":"::heapcheck"`}},
		[]string{"overrun", "24 bytes"}},
	{"what leaks?", "leaky", [][2]string{{"heap", ""}}, []string{"Request", `"type":"cleaks"`}},
	{"what are the variables of the frame that called abort?", "values", [][2]string{{"frame", `"frame":3`}},
		[]string{`why = \"because\"`, "moved = 9"}},
	{"which exception of C++ was it?", "exception", [][2]string{{"verdict", ""}}, []string{"app::bad_shape", "likely"}},
	{"what did each thread do?", "threads", [][2]string{{"stacks", `"all":true`}},
		[]string{"boom", "spin", "wait_for_work", "join_all"}},
	{"where is the function that spins?", "threads", [][2]string{{"search", `"symbol":"spin"`}},
		[]string{`"name":"spin"`}},
	{"why did the victim on macOS die?", "macos-arm64", [][2]string{{"verdict", ""}},
		[]string{"crash_leaf", "str x0, [x8]"}},
	{"is it the same bug?", "segv", [][2]string{{"open", `"path":"aarch64-pac.cdb"`},
		{"compare", `"core":"c1","older":"c2"`}}, []string{`"same":"yes"`}},
	{"and these two?", "null", [][2]string{{"open", `"path":"segv.cdb"`}, {"compare", `"core":"c1","older":"c2"`}},
		[]string{`"same":"no"`}},
	{"which exception ended the program, and where was it thrown?", "abort", [][2]string{{"verdict", ""}},
		[]string{"uncaught C++ exception app::bad_shape", "likely", "shapes.cc:31:66"}},
	{"which function of the program promised that nothing is thrown?", "abort", [][2]string{{"stacks", ""}},
		[]string{"__cxa_throw", "app::promise", "shapes.cc:46:51"}},
	{"which instruction of the handler trapped?", "sigaltstack", [][2]string{{"verdict", ""}},
		[]string{"ud2", "handler_inner", "crash.c:68"}},
	{"what did the signal interrupt, with which arguments?", "sigaltstack", [][2]string{{"stacks", ""},
		{"frame", `"frame":3`}}, []string{"<signal handler called>", "poke", "p = NULL", "v = 4"}},
	{"with what was the last function called?", "values-c", [][2]string{{"frame", `"frame":3`}},
		[]string{"code = -7", `why = 0x55f34b1990ab \"text\"`, "times = 4"}},
	{"which numbers did its callers have?", "values-c", [][2]string{{"stacks", ""}},
		[]string{"sc=-100", "ull=18446744073709551615", "color=GREEN", "d=-2.75"}},
	{"what was running when the signal came on macOS?", "macos-signals", [][2]string{{"stacks", ""}},
		[]string{"handler_inner", "on_signal", "spoil_saved", "spoil_outer"}},
	{"is that one on arm64 the same bug?", "macos-signals-arm64", [][2]string{{"open", `"path":"macos-signals.cdb"`},
		{"compare", `"core":"c1","older":"c2"`}}, []string{`"same":"yes"`}},
	{"which address did it write?", "macos-x86_64", [][2]string{{"verdict", ""}},
		[]string{"null pointer dereferenced in crash_leaf", "mov %rdi,(%rcx)", "certain"}},
	{"which register was null?", "macos-arm64-pac", [][2]string{{"command", `"line":"::regs"`},
		{"stacks", `"all":true`}}, []string{"%x8       = 0x0000000000000000 ", "work_inner"}},
	{"which function of JavaScript ended the process?", "node-14", [][2]string{{"stacks", `"language":"javascript"`}},
		[]string{"process.abort", "main.js:25:11", "eval at toJSON", "intoSort"}},
	{"what is in the widget?", "node-20", [][2]string{{"value", `"expression":"T.widget"`},
		{"search", `"class":"Widget","most":2`}}, []string{"widget9999", "1233 more", "values.js:6"}},
	{"which calls did the compiler expand?", "node-22", [][2]string{{"stacks", `"language":"javascript"`}},
		[]string{"tinyInlinee", "main.js:38:10", "maglevInlinee"}},
	{"with what was the function called again?", "node-26", [][2]string{{"frame", `"frame":10`}},
		[]string{"recurse", "n = 3", "[Function: die]", "return recurse(n - 1, k) + '';"}},
	{"is it the bug of Node 20?", "node-26", [][2]string{{"open", `"path":"node-20.cdb"`},
		{"compare", `"core":"c1","older":"c2"`}}, []string{`"same":"yes"`, "js-abort"}},
	{"which thread of Java waits for a lock, and who holds it?", "art-10", [][2]string{{"locks", ""}},
		[]string{"waiting to lock", "blocked", "demo.Demo.main(Demo.java:20)"}},
	{"which static initialiser was running?", "art-11", [][2]string{{"stacks", `"language":"java"`}},
		[]string{"calls.Lazy.<clinit>", "Lazy.java:3", "calls.Base.<init>"}},
	{"which methods were expanded in the compiled one?", "art-11-jit", [][2]string{{"stacks", `"language":"java"`}},
		[]string{"hot.Bottom.bottom", "hot.Low.low", "hot.Hot.top"}},
	{"what was in the method's collections?", "art-11-values", [][2]string{{"frame", `"frame":13`}},
		[]string{`\"alpha\"`, "AtomicInteger 77", "LinkedHashMap(2)"}},
	{"who holds the leaf?", "art-14-graph", [][2]string{{"path_to_root", `"address":"0x12c0fc38"`}},
		[]string{"class graph.Graph", "static field head"}},
	{"what did compiled code keep in its variables?", "art-14-jit", [][2]string{{"command", `"line":"::javastack -l"`}},
		[]string{"values.Many.collections", `\"beta\"`, "Integer 42"}},
	{"what does each thread of Java do?", "art-arm64", [][2]string{{"threads", ""}},
		[]string{"sleeper", "Sleeping", "spinner", "Runnable", "Blocked"}},
	{"how did Java come to the native call?", "art-armhf", [][2]string{{"stacks", `"language":"java"`}},
		[]string{"demo.Demo.crash", "Demo.java:51", "demo.Demo.viaNative"}},
	{"is it the bug of the other machine?", "art-i386", [][2]string{{"open", `"path":"art-arm64.cdb"`},
		{"compare", `"core":"c1","older":"c2"`}}, []string{`"same":"yes"`}},
	{"what else can be asked?", "segv", [][2]string{{"command", `"line":"::help stack"`}},
		[]string{"show the stack of a thread"}},
}

// slow are the cores that short tests leave out.
var slow = []string{"node", "art", "goroutines", "exception", "abort"}

// TestQuestions: each answer has its facts within three calls, open included.
func TestQuestions(t *testing.T) {
	for _, q := range questions {
		t.Run(q.core+": "+q.asked, func(t *testing.T) {
			for _, name := range slow {
				if testing.Short() && strings.HasPrefix(q.core, name) {
					t.Skip("it opens a large core")
				}
			}
			c := connect(t)
			said := c.call("open", `{"path":"`+q.core+`.cdb"}`).all
			for _, call := range q.calls {
				said += c.call(call[0], "{"+call[1]+"}").all
			}
			if len(q.calls) > 2 {
				t.Errorf("%d calls", len(q.calls)+1)
			}
			for _, fact := range q.facts {
				quoted, _ := json.Marshal(fact)
				if !strings.Contains(said, fact) && !strings.Contains(said, strings.Trim(string(quoted), `"`)) {
					t.Errorf("no %q in %.2000s", fact, said)
				}
			}
		})
	}
}

// TestQuestionsCount: there are fifty questions, and over thirty cores.
func TestQuestionsCount(t *testing.T) {
	cores := map[string]bool{}
	for _, q := range questions {
		cores[q.core] = true
	}
	if len(questions) < 50 || len(cores) < 30 {
		t.Errorf("%d questions over %d cores, want 50 and 30", len(questions), len(cores))
	}
}
