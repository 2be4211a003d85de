package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	protocol "github.com/google/go-dap"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
)

const corpus = "../../../testdata/cores"

// An editor talks to a server in this process.
type editor struct {
	t     *testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	seq   int
	event map[string]string // the last of each kind
	ended chan error
}

func openCore(l *Launch) (*commands.Session, error) {
	return coredbg.Open(filepath.Join(corpus, filepath.Base(l.Core)),
		coredbg.Options{Search: append(l.Search, l.Source...)})
}

func connect(t *testing.T, open func(*Launch) (*commands.Session, error)) *editor {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	e := &editor{t: t, in: inW, out: bufio.NewReader(outR), event: map[string]string{}, ended: make(chan error, 1)}
	go func() {
		err := New(Options{Open: open}).Serve(context.WithoutCancel(t.Context()), inR, outW)
		outW.Close()
		e.ended <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
		select {
		case <-e.ended:
		case <-time.After(20 * time.Second):
			t.Error("the server goes on after its editor has gone")
		}
	})
	return e
}

func (e *editor) write(command, args string) int {
	e.t.Helper()
	e.seq++
	if args == "" {
		args = "{}"
	}
	if err := protocol.WriteBaseMessage(e.in,
		fmt.Appendf(nil, `{"seq":%d,"type":"request","command":%q,"arguments":%s}`, e.seq, command, args)); err != nil {
		e.t.Fatal(err)
	}
	return e.seq
}

// An answered is a response.
type answered struct {
	Type    string          `json:"type"`
	Seq     int             `json:"request_seq"`
	Success bool            `json:"success"`
	Message string          `json:"message"`
	Event   string          `json:"event"`
	Body    json.RawMessage `json:"body"`
}

// read returns the response to a request; events before it are kept.
func (e *editor) read(seq int) *answered {
	e.t.Helper()
	for {
		b, err := protocol.ReadBaseMessage(e.out)
		if err != nil {
			e.t.Fatal(err)
		}
		a := &answered{}
		if err := json.Unmarshal(b, a); err != nil {
			e.t.Fatalf("%v in %s", err, b)
		}
		if a.Type == "event" {
			e.event[a.Event] = string(a.Body)
			continue
		}
		if a.Seq == seq {
			return a
		}
	}
}

// ask sends a request and returns the body of its answer.
func (e *editor) ask(command, args string) string {
	e.t.Helper()
	a := e.read(e.write(command, args))
	if !a.Success {
		e.t.Errorf("%s %s: %s", command, args, a.Message)
	}
	return string(a.Body)
}

// refused sends a request that fails, and returns why.
func (e *editor) refused(command, args string) string {
	e.t.Helper()
	a := e.read(e.write(command, args))
	if a.Success {
		e.t.Errorf("%s %s: no error: %s", command, args, a.Body)
	}
	return a.Message
}

// A session lists an editor's questions about a core, with facts that the answers must have. The truth is the program's
// source: testdata/cores/sources/README.md.
type session struct {
	core    string
	tid     int
	frame   string // the function that is looked at
	at      string // its place
	stopped []string
	locals  []string // of its scopes
	watch   [2]string
	source  string // text of its source; "" if it is not here
	members string // of the value that is watched
}

var sessions = []session{
	{core: "server.cdb", tid: 21315, frame: "label", at: `"name":"server.cc"`,
		stopped: []string{"null pointer dereferenced", "null-dereference, certain"},
		locals: []string{`"name":"order","value":"{number: 1007, customer: {name: \"guest\", address: null}`,
			`"name":"to","value":"<optimised out>"`},
		watch: [2]string{"shop.orders[1006]", `Grace`}, members: `"name":"number","value":"1006"`},
	{core: "node-24.cdb", tid: 15356, frame: "Object.toJSON", at: `/main.js"`,
		stopped: []string{"process.abort was called in die", "js-abort, certain"},
		locals: []string{`"name":"this","value":"{toJSON: [Function toJSON]}"`,
			`"name":"r3","value":"\"recurse(3, die)\""`},
		watch: [2]string{"T.widget", "Widget {id: 9999"}, members: `"name":"name","value":"\"widget9999\""`,
		source: "return JSON.stringify({ toJSON() {"},
	{core: "node-16-fatal.cdb", tid: 17050, frame: "refuse", at: "fatal.js",
		stopped: []string{"uncaught Refusal", "certain"}, source: "class Refusal"},
	{core: "art-14-locks.cdb", tid: 744, frame: "locks.Locks.main", at: "Locks.java",
		stopped: []string{"abort was called in die", "likely"},
		locals: []string{`"name":"v1","value":"[class locks.Locks]","type":"Ljava/lang/Object;"`,
			`"memoryReference":"0x12c0ec28"`}},
	{core: "goroutines.cdb", tid: 29283, frame: "runtime.main", at: "runtime/proc.go",
		stopped: []string{"go-panic, certain"},
		locals:  []string{`"name":"mp","value":"0x68b620","type":"*runtime.m"`}},
	{core: "values.cdb", tid: 18925, frame: "last", at: "values.cc", stopped: []string{"abort, likely"},
		locals: []string{`"name":"why","value":"\"because\""`, `"name":"moved","value":"9"`}},
}

// TestSessions: an editor shows cores of four languages.
func TestSessions(t *testing.T) {
	for _, x := range sessions {
		t.Run(x.core, func(t *testing.T) {
			if testing.Short() && x.core != "server.cdb" && x.core != "values.cdb" {
				t.Skip("it opens a large core")
			}
			e := connect(t, openCore)
			e.ask("initialize", `{"adapterID":"coredbg"}`)
			e.ask("launch", `{"core":"`+x.core+`"}`)
			if !strings.Contains(e.ask("setBreakpoints", `{"source":{"path":"x.c"},"breakpoints":[{"line":3}]}`),
				`"verified":false`) {
				t.Error("a breakpoint is verified")
			}
			if _, ok := e.event["initialized"]; !ok {
				t.Error("the editor is not told to configure")
			}
			e.ask("configurationDone", "")
			threads := e.ask("threads", "")
			for _, want := range append(x.stopped, fmt.Sprintf(`"threadId":%d`, x.tid), `"reason":"exception"`) {
				if !strings.Contains(e.event["stopped"], want) {
					t.Errorf("stopped has no %s: %s", want, e.event["stopped"])
				}
			}
			if !strings.Contains(threads, fmt.Sprintf(`"id":%d`, x.tid)) {
				t.Errorf("threads: %s", threads)
			}
			var stopped struct{ Text string } // the cause and how sure it is
			json.Unmarshal([]byte(e.event["stopped"]), &stopped)
			cause, _, _ := strings.Cut(stopped.Text, ",")
			if info := e.ask("exceptionInfo", fmt.Sprintf(`{"threadId":%d}`, x.tid)); !strings.Contains(info,
				fmt.Sprintf(`"exceptionId":%q`, cause)) {
				t.Errorf("exceptionInfo: %s", info)
			}
			x.frames(t, e)
		})
	}
}

// frames looks at the stack by pages, and at one of its frames.
func (x *session) frames(t *testing.T, e *editor) {
	t.Helper()
	var at *protocol.StackFrame
	ids := map[int]bool{}
	total := 1
	for from := 0; from < total; from += 7 {
		var page protocol.StackTraceResponseBody
		if err := json.Unmarshal([]byte(e.ask("stackTrace", fmt.Sprintf(`{"threadId":%d,"startFrame":%d,"levels":7}`,
			x.tid, from))), &page); err != nil {
			t.Fatal(err)
		}
		total = page.TotalFrames
		for i, f := range page.StackFrames {
			if ids[f.Id] {
				t.Errorf("two frames have the id %d", f.Id)
			}
			ids[f.Id] = true
			if f.Name == x.frame && at == nil {
				at = &page.StackFrames[i]
			}
		}
	}
	if at == nil || len(ids) != total {
		t.Fatalf("no frame of %s in %d of %d", x.frame, len(ids), total)
	}
	if b, _ := json.Marshal(at); !strings.Contains(string(b), x.at) {
		t.Errorf("%s is not at %s", b, x.at)
	}
	var scopes protocol.ScopesResponseBody
	json.Unmarshal([]byte(e.ask("scopes", fmt.Sprintf(`{"frameId":%d}`, at.Id))), &scopes)
	all := ""
	for _, s := range scopes.Scopes {
		all += e.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`, s.VariablesReference))
	}
	for _, want := range x.locals {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
	if x.watch[0] != "" {
		var got protocol.EvaluateResponseBody
		json.Unmarshal([]byte(e.ask("evaluate", fmt.Sprintf(`{"expression":%q,"context":"watch","frameId":%d}`,
			x.watch[0], at.Id))), &got)
		if !strings.Contains(got.Result, x.watch[1]) {
			t.Errorf("%s is %s", x.watch[0], got.Result)
		}
		if inside := e.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`,
			got.VariablesReference)); !strings.Contains(inside, x.members) {
			t.Errorf("in %s: %s", x.watch[0], inside)
		}
	}
	if x.source != "" {
		if at.Source.SourceReference == 0 {
			t.Fatalf("no reference to the source of %s: %+v", x.frame, at.Source)
		}
		var got protocol.SourceResponseBody
		json.Unmarshal([]byte(e.ask("source", fmt.Sprintf(`{"sourceReference":%d}`, at.Source.SourceReference))), &got)
		lines := strings.Split(got.Content, "\n")
		if !strings.Contains(got.Content, x.source) || at.Line > len(lines) {
			t.Errorf("the source of %s has %d lines: %.200s", x.frame, len(lines), got.Content)
		}
	}
}

// TestRequests: the other requests, on a small core. Truth of memory and instructions: objdump -d of crash.
func TestRequests(t *testing.T) {
	e := connect(t, openCore)
	e.ask("initialize", "")
	for _, command := range []string{"threads", "stackTrace", "evaluate", "modules", "readMemory"} {
		if why := e.refused(command, ""); !strings.Contains(why, "no core is open") {
			t.Errorf("%s: %s", command, why)
		}
	}
	for args, want := range map[string]string{`{}`: "names the core file", `{"core":7}`: "arguments",
		`{"core":"nosuch"}`: "no such file", `{"core":"README.md"}`: ""} {
		if why := e.refused("launch", args); !strings.Contains(why, want) {
			t.Errorf("launch %s: %s", args, why)
		}
	}
	e.ask("attach", `{"core":"segv.cdb"}`)
	if why := e.refused("launch", `{"core":"segv.cdb"}`); !strings.Contains(why, "open already") {
		t.Error(why)
	}
	var st protocol.StackTraceResponseBody
	json.Unmarshal([]byte(e.ask("stackTrace", `{"threadId":30840}`)), &st)
	top := st.StackFrames[0]
	if top.Name != "poke" || top.Line != 42 {
		t.Fatalf("%+v", top)
	}
	pc := top.InstructionPointerReference
	at, _ := strconv.ParseUint(pc, 0, 64)
	e.ascending(fmt.Sprintf("%#x", at+2), 100) // the function has one instruction before this one
	for _, x := range []struct{ command, args, want string }{
		{"readMemory", `{"memoryReference":"` + pc + `","count":2}`, `"data":"iTc="`}, // mov %esi,(%rdi)
		{"readMemory", `{"memoryReference":"0x0","count":64}`, `"unreadableBytes":64`},
		{"readMemory", `{"memoryReference":"0x0","count":999999999}`, `"unreadableBytes":999999999`},
		{"readMemory", `{"memoryReference":"0xffffffffffffffff","offset":7,"count":4}`, `"unreadableBytes":4`},
		{"disassemble", `{"memoryReference":"` + pc + `","instructionCount":1}`, `"89 37"`},
		{"disassemble", `{"memoryReference":"` + pc + `","instructionOffset":-1,"instructionCount":2}`, `"89 37"`},
		{"disassemble", `{"memoryReference":"0x10","instructionOffset":-2,"instructionCount":4}`, "??"},
		{"modules", `{}`, `"name":"crash"`},
		{"modules", `{"startModule":1,"moduleCount":1}`, `"modules":[{`},
		{"evaluate", `{"expression":"::status","context":"repl"}`, "SIGSEGV"},
		{"evaluate", `{"expression":"<pc=X","context":"repl","frameId":1}`, pc[len(pc)-6:]},
		{"scopes", `{"frameId":1}`, "Registers"},
		{"variables", `{"variablesReference":3}`, `"name":"rip","value":"` + pc},
		{"setExceptionBreakpoints", `{"filters":[]}`, ""},
		{"cancel", `{"requestId":1}`, ""},
	} {
		if got := e.ask(x.command, x.args); !strings.Contains(got, x.want) {
			t.Errorf("%s %s: no %s in %s", x.command, x.args, x.want, got)
		}
	}
	for _, x := range []struct{ command, args, want string }{
		{"continue", `{"threadId":30840}`, "nothing runs"},
		{"next", `{"threadId":30840}`, "nothing runs"},
		{"writeMemory", `{"memoryReference":"0x0","data":"AA=="}`, "nothing runs"},
		{"stackTrace", `{"threadId":7}`, "no thread 7"},
		{"stackTrace", `{"threadId":"x"}`, "arguments"},
		{"scopes", `{"frameId":0}`, "no frame"},
		{"scopes", `{"frameId":99999999999}`, "no frame"},
		{"scopes", `{"frameId":16777216}`, "no frame"},
		{"scopes", `{"frameId":16777215}`, "no frame"},
		{"scopes", `{"frameId":-9223372036854775808}`, "no frame"},
		{"evaluate", `{"expression":"::regs","context":"repl","frameId":16777215}`, "no frame"},
		{"variables", `{"variablesReference":0}`, "no value"},
		{"variables", `{"variablesReference":99}`, "no value"},
		{"source", `{"sourceReference":99}`, "no source"},
		{"readMemory", `{"memoryReference":"x","count":2}`, "not an address"},
		{"readMemory", `{"memoryReference":"0x0","count":-2}`, "cannot be read"},
		{"evaluate", `{"expression":"::nosuch","context":"repl"}`, "no command"},
		{"evaluate", `{"expression":"::status ! touch pwned","context":"repl"}`, "refused"},
		{"evaluate", `{"expression":"x; ::status","context":"hover"}`, "not the name"},
		{"evaluate", `{"expression":"nosuch_variable","context":"hover"}`, ""},
		{"nosuch", `{}`, "not known"},
	} {
		if why := e.refused(x.command, x.args); !strings.Contains(why, x.want) {
			t.Errorf("%s %s: %s", x.command, x.args, why)
		}
	}
	e.ask("disconnect", "")
	go io.Copy(io.Discard, e.out) // the last event
	if err := <-e.ended; err != nil {
		t.Error(err)
	}
	e.ended <- nil
}

// ascending checks that instructions around an address, with back of them before it, are in order of address.
func (e *editor) ascending(at string, back int) {
	e.t.Helper()
	var got protocol.DisassembleResponseBody
	json.Unmarshal([]byte(e.ask("disassemble",
		fmt.Sprintf(`{"memoryReference":%q,"instructionOffset":%d,"instructionCount":%d}`, at, -back, back+10))), &got)
	if len(got.Instructions) != back+10 || got.Instructions[back].Address != at {
		e.t.Fatalf("%d instructions, none at %s in its place", len(got.Instructions), at)
	}
	before := uint64(0)
	for _, x := range got.Instructions {
		a, err := strconv.ParseUint(x.Address, 0, 64)
		if err != nil || a <= before {
			e.t.Errorf("an instruction at %s follows the one at %#x", x.Address, before)
		}
		before = a
	}
}

// TestManyThreads: 5,000 threads are listed, and each has its own frames.
func TestManyThreads(t *testing.T) {
	e := connect(t, func(*Launch) (*commands.Session, error) {
		s := coredbg.WithoutCore(coredbg.Options{})
		for i := range 5000 {
			s.Process.Threads = append(s.Process.Threads, &core.Thread{TID: 1000 + i})
		}
		return s, nil
	})
	e.ask("launch", `{"core":"x"}`)
	var threads protocol.ThreadsResponseBody
	json.Unmarshal([]byte(e.ask("threads", "")), &threads)
	if len(threads.Threads) != 5000 {
		t.Errorf("%d threads", len(threads.Threads))
	}
	for _, id := range []int{1000, 5999} {
		e.ask("stackTrace", fmt.Sprintf(`{"threadId":%d,"startFrame":0,"levels":20}`, id))
	}
	e.refused("stackTrace", `{"threadId":6000}`)
}

// TestCancel: a request that waits is cancelled, and the next one is answered.
func TestCancel(t *testing.T) {
	e := connect(t, openCore)
	e.ask("launch", `{"core":"segv.cdb"}`)
	long := e.write("evaluate", `{"expression":"::walk mapping | ::map '::walk mapping | ::map \"::walk symbol | ::whatis\"'","context":"repl"}`)
	e.write("cancel", fmt.Sprintf(`{"requestId":%d}`, long))
	if a := e.read(long); a.Success || a.Message != "cancelled" {
		t.Errorf("%v %s", a.Success, a.Message)
	}
	e.ask("threads", "")
}
