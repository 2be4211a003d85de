package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// lastWords are what programs and their libraries print before they abort: libstdc++'s
// verbose terminate handler, assert of the C library, its checks of the heap and of
// buffers, Rust's panic hook until 1.72 and
// since, Go's runtime, V8 with --abort-on-uncaught-exception, Node out of memory, HotSpot.
var lastWords = []struct {
	kind runtimes.CauseKind
	re   *regexp.Regexp // groups: class, message, place
	at   [3]int         // the groups' numbers; 0 if there is none
}{
	{runtimes.UncaughtCXX, regexp.MustCompile(`terminate called after throwing an instance of '(.*)'\n(?:  what\(\):  (.*)\n)?`), [3]int{1, 2, 0}},
	{runtimes.AbortMessage, regexp.MustCompile(`(?m)^(.*: Assertion .* failed\.)$`), [3]int{0, 1, 0}},
	{runtimes.AbortMessage, regexp.MustCompile(`(?m)^(\*\*\* .* \*\*\*: terminated|[a-z_]+\(\): .*)$`),
		[3]int{0, 1, 0}},
	{runtimes.Terminated, regexp.MustCompile(`(?m)^terminate called without an active exception$`), [3]int{}},
	{runtimes.UncaughtD, thrownD, [3]int{1, 4, 0}},
	{runtimes.RustPanic, regexp.MustCompile(`panicked at '((?s:.*?))', (.*:\d+:\d+)\n`), [3]int{0, 1, 2}},
	{runtimes.RustPanic, regexp.MustCompile(`panicked at (.*:\d+:\d+):\n(.*)\n`), [3]int{0, 2, 1}},
	{runtimes.UncaughtError, regexp.MustCompile(`(?m)^Uncaught (\w+): (.*)\n\nFROM\n(?:.* \((?:node:|internal/|events\.js).*\n)*(.*? \([^()\n]*?):\d+:\d+\)`), [3]int{1, 2, 3}},
	{runtimes.GoPanic, regexp.MustCompile(`panic: ([^\n]*)\n(?:\[signal [^\n]*\n)?\n`), [3]int{0, 1, 0}},
	{runtimes.FatalErrorOfGo, regexp.MustCompile(`(?m)^fatal error: (.*)$`), [3]int{0, 1, 0}},
	{runtimes.UncaughtJava, regexp.MustCompile(`(?m)^exception: (.*?): (.*)\nexception:   at (.*)$`), [3]int{1, 2, 3}},
	{runtimes.PendingJava, regexp.MustCompile(`(?m)^pending exception: (.*?): (.*), at (.*)$`), [3]int{1, 2, 3}},
	{runtimes.JNIError, regexp.MustCompile(`JNI DETECTED ERROR IN APPLICATION: (.*)\n(?:.*?   at .*\n.*\n)?(?:.*?    (in call to .*)\n)?.*?    (from .*)\n`), [3]int{}},
	{runtimes.JNIError, regexp.MustCompile(`JNI (FatalError called: .*)\n`), [3]int{}},
	{runtimes.JNIError, regexp.MustCompile(`JNI ERROR \(app bug\): (.* reference table overflow \(max=(\d+)\))(?s:.*?)  Summary:\n.*?   (\d+) of (\S+)`), [3]int{}},
	{runtimes.FatalErrorOfJVM, regexp.MustCompile(`#  Internal Error \((.*:\d+)\), pid=.*\n#  (.*)\n`),
		[3]int{0, 2, 1}},
	{runtimes.FatalError, regexp.MustCompile(`(?m)^# (Check failed: .*)$`), [3]int{0, 1, 0}},
	{runtimes.FatalError, regexp.MustCompile(`FATAL ERROR: (?:Reached|Ineffective|Committing|CALL_AND_RETRY)`),
		[3]int{}},
}

// jniWords is ART's message about a wrong JNI call in one line. The message about a full table says
// which class has most of its references.
func jniWords(said []string) string {
	if len(said) == 4 {
		return said[0] + ", " + said[2] + " of " + said[1] + " to " + said[3]
	}
	said = slices.DeleteFunc(slices.Clone(said), func(s string) bool { return s == "" })
	return strings.Replace(strings.Join(said, " "), "FatalError called:", "FatalError:", 1)
}

// ofUncaught are the cores of programs that an exception of Java has ended: others print the same of
// exceptions that they caught.
var ofUncaught = regexp.MustCompile(`^art-.*-(uncaught|filled)$|^java-thrown-.*-(uncaught|int)$`)

// TestLiveCauses compares the reasons given for a program's abort with the program's own output. A
// program without such output has no cause.
func TestLiveCauses(t *testing.T) {
	said := map[runtimes.CauseKind]int{}
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		name := filepath.Base(dir)
		text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
		if err != nil {
			text, _ = os.ReadFile(filepath.Join(dir, "log.txt")) // ART's
		}
		var want *runtimes.Cause
		for _, w := range lastWords {
			m := w.re.FindStringSubmatch(string(text))
			if m == nil || w.kind == runtimes.UncaughtJava && !ofUncaught.MatchString(name) {
				continue
			}
			part := func(i int) string {
				if w.at[i] == 0 {
					return ""
				}
				return m[w.at[i]]
			}
			want = &runtimes.Cause{Kind: w.kind, Type: part(0), Message: part(1), At: part(2)}
			if want.Type == "int" { // which has no what(): why.cc throws one
				want.Message = "42"
			}
			if sig := goSignal.FindString(string(text)); sig != "" && strings.Contains(w.kind.String(), "Go") {
				want.Message += " " + sig
			}
			if w.kind == runtimes.JNIError {
				want.Message = jniWords(m[1:])
			}
			break
		}
		// A core of Node takes a second to open, and most end by process.abort().
		if want == nil && (strings.Contains(name, "node") || strings.HasPrefix(name, "art-")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got := causesOf(t, dir, file)
			switch {
			case want == nil && len(got) > 0:
				t.Errorf("%v; it printed nothing of the kind", got)
			case want != nil && len(got) == 0:
				t.Errorf("nothing; want %v", want)
			case want != nil:
				checkCause(t, &got[0], want)
				checkOwner(t, &got[0], string(text), strings.HasSuffix(name, "-worker-full"))
				checkDetails(t, &got[0], name)
				said[want.Kind]++
			}
		})
	}
	t.Logf("causes: %v", said)
	for _, w := range lastWords {
		if said[w.kind] == 0 && coretest.OpenLive(t).Whole() {
			t.Errorf("no live core has: %s", w.kind)
		}
	}
}

func causesOf(t *testing.T, dir, file string) []runtimes.Cause {
	t.Helper()
	var truth liveCore
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	o := liveOptions(t, dir, truth.Args)
	if strings.HasPrefix(filepath.Base(dir), "a64-") {
		// Its libraries, whose bytes are not in the core.
		o.Sysroot, o.Search = "", append(o.Search, "/usr/aarch64-linux-gnu/lib")
	}
	s, err := coredbg.Open(filepath.Join(dir, truth.Core), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	return s.Causes(t.Context())
}

// checkCause compares what was printed. V8 prints the line where the error is thrown,
// and the stack of an error has the one where it was made, in the same function.
func checkCause(t *testing.T, got, want *runtimes.Cause) {
	t.Helper()
	at := got.At
	switch {
	case want.Kind == runtimes.UncaughtError && ofNode(want.At): // a stack with no function of the program
		if !ofNode(at) {
			t.Errorf("at %q, of Node's own functions", at)
		}
		at = want.At
	case want.Kind == runtimes.UncaughtError && strings.Contains(want.Message, reasonOf):
		// The reason is printed as util.inspect does, and its place is the function that threw it.
		if got.Message != "a promise was rejected "+reasonOf+"'just text'" {
			t.Errorf("the message is %q, want the reason 'just text' of ends.js", got.Message)
		}
		return
	case want.Kind == runtimes.UncaughtError:
		at = at[:min(len(at), len(want.At))]
	}
	if got.Kind != want.Kind || got.Type != want.Type ||
		want.Kind != runtimes.FatalError && got.Message != want.Message || want.At != "" && at != want.At {
		t.Errorf("%v, want %v", got, want)
	}
}

const reasonOf = "with the reason "

// goSignal matches the line that Go prints for a panic caused by a signal.
var goSignal = regexp.MustCompile(`(?m)^\[signal .*\]$`)

// details are what ends.js does: an async function rejects, an emitter has no listener.
var details = map[string]string{
	"-ends-rejection":  `^the async functions whose promises were rejected with it: rejects \(.*/ends\.js:19:1\)$`,
	"-ends-emit-error": `^emitted by EventEmitter at [0-9a-f]+; the error has code 'E_DEAF'$`,
}

// checkDetails wants the functions that a reason went through, and the emitter of an error.
func checkDetails(t *testing.T, got *runtimes.Cause, name string) {
	t.Helper()
	for end, want := range details {
		if strings.HasSuffix(name, end) && !slices.ContainsFunc(got.Details, regexp.MustCompile(want).MatchString) {
			t.Errorf("details %q, want %s", got.Details, want)
		}
	}
}

func ofNode(at string) bool {
	return strings.Contains(at, "(node:") || strings.Contains(at, "(internal/")
}

// ofIsolate is how V8 begins the lines about the last collections of an isolate's heap.
var ofIsolate = regexp.MustCompile(`(?m)^\[\d+:0x([0-9a-f]+)\]`)

// checkOwner wants of an error of a worker's isolate the isolate that V8 has printed.
func checkOwner(t *testing.T, got *runtimes.Cause, text string, worker bool) {
	t.Helper()
	if !worker {
		if got.Owner != "" {
			t.Errorf("of %s; it is the main thread's", got.Owner)
		}
		return
	}
	m := ofIsolate.FindStringSubmatch(text)
	if m == nil || !strings.HasPrefix(got.Owner, "isolate "+m[1]+" of thread ") {
		t.Errorf("of %q; V8 printed %v", got.Owner, m)
	}
}
