package dap

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
)

// TestTasks: goroutines that no thread runs are among the threads, with their frames and variables. The truth is
// testdata/cores/sources/native/goroutines.go and the trace that the program wrote.
func TestTasks(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a large core")
	}
	e := connect(t, openCore)
	e.ask("initialize", "")
	e.ask("launch", `{"core":"goroutines.cdb"}`)
	var all threadsBody
	json.Unmarshal([]byte(e.ask("threads", "")), &all)
	id := 0
	for _, x := range all.Threads {
		if x.Name == "goroutine 28 main.(*server).handle (chan receive)" {
			id = x.Id
		}
	}
	if id == 0 || len(all.Threads) != 293 || all.Total != 293 {
		t.Fatalf("%d threads of %d: %v", len(all.Threads), all.Total, all.Threads)
	}
	var st protocol.StackTraceResponseBody
	json.Unmarshal([]byte(e.ask("stackTrace", fmt.Sprintf(`{"threadId":%d}`, id))), &st)
	frame, names := 0, ""
	for _, f := range st.StackFrames {
		if names += f.Name + " "; f.Name == "main.(*server).handle" && f.Line == 45 {
			frame = f.Id
		}
	}
	if want := "runtime.gopark runtime.chanrecv runtime.chanrecv1 main.(*server).handle main.(*server).handle-fm main.main.gowrap1 runtime.goexit.abi0 "; names != want || frame == 0 {
		t.Fatalf("%q, want %q", names, want)
	}
	var scopes protocol.ScopesResponseBody
	json.Unmarshal([]byte(e.ask("scopes", fmt.Sprintf(`{"frameId":%d}`, frame))), &scopes)
	args := e.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`, scopes.Scopes[0].VariablesReference))
	for _, want := range []string{`"name":"n","value":"1"`, `"type":"*main.server"`} {
		if !strings.Contains(args, want) {
			t.Errorf("no %s in %s", want, args)
		}
	}
	if got := e.ask("evaluate", fmt.Sprintf(`{"expression":"s.name","context":"watch","frameId":%d}`,
		frame)); !strings.Contains(got, "by interface") && !strings.Contains(got, "handled") {
		t.Errorf("s.name is %s", got)
	}
	if got := e.ask("evaluate", fmt.Sprintf(`{"expression":"::stack","context":"repl","frameId":%d}`,
		frame)); !strings.HasPrefix(got, `{"result":"goroutine 28 chan receive`) {
		t.Errorf("::stack is %s", got)
	}
	if got := e.ask("exceptionInfo", fmt.Sprintf(`{"threadId":%d}`, id)); !strings.Contains(got,
		"in thread 29283, not in this one") {
		t.Error(got)
	}
}

// TestWaitingCall: the call of an async function that waits is among the threads, with its values and its
// source. The truth is the program's text, which the core has: main awaits in line 184.
func TestWaitingCall(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a large core")
	}
	e := connect(t, openCore)
	e.ask("launch", `{"core":"node-24.cdb"}`)
	var all threadsBody
	json.Unmarshal([]byte(e.ask("threads", "")), &all)
	last := all.Threads[len(all.Threads)-1]
	if last.Name != "async call 1 main (main.js:184:21)" {
		t.Fatalf("the last thread is %q", last.Name)
	}
	frames := e.frames(last.Id)
	if len(frames) != 1 || frames[0].Name != "await main" || frames[0].Line != 184 || frames[0].Source == nil {
		t.Fatalf("%+v", frames)
	}
	if got := e.variablesOf(frames[0].Id); !strings.Contains(got, `"name":"this"`) || strings.Contains(got, "rip") {
		t.Errorf("variables %s", got)
	}
	if got := e.ask("evaluate", fmt.Sprintf(`{"expression":"::stack","context":"repl","frameId":%d}`,
		frames[0].Id)); !strings.Contains(got, "async main") {
		t.Errorf("::stack is %s", got)
	}
	var text protocol.SourceResponseBody
	json.Unmarshal([]byte(e.ask("source", fmt.Sprintf(`{"sourceReference":%d}`, frames[0].Source.SourceReference))),
		&text)
	lines := strings.Split(text.Content, "\n")
	if len(lines) < 184 || !strings.Contains(lines[183], "await") {
		t.Errorf("line 184 awaits nothing: %.500s", text.Content)
	}
}

// fewTasks is a runtime with n tasks.
type fewTasks struct {
	runtimes.Tasker
	list []*core.Thread
}

func (fewTasks) Name() string            { return "few" }
func (fewTasks) Version() string         { return "1" }
func (f fewTasks) Tasks() []*core.Thread { return f.list }
func (fewTasks) OfRuntime(string) bool   { return false }

// TestTaskPages: many tasks come in pages, and the editor is told about the tasks that the first answer leaves out.
func TestTaskPages(t *testing.T) {
	const threads, tasks = 3, 2500
	e := connect(t, func(*Launch) (*commands.Session, error) {
		s := coredbg.WithoutCore(coredbg.Options{})
		for i := range threads {
			s.Process.Threads = append(s.Process.Threads, &core.Thread{TID: 1000 + i})
		}
		f := fewTasks{}
		for i := range tasks {
			f.list = append(f.list, &core.Thread{State: "waits",
				Task: &core.Task{Kind: "goroutine", ID: uint64(i + 1)}})
		}
		s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{f} }
		return s, nil
	})
	e.ask("launch", `{"core":"x"}`)
	var first threadsBody
	json.Unmarshal([]byte(e.ask("threads", "")), &first)
	if len(first.Threads) != threads+maxTasks || first.Total != threads+tasks {
		t.Errorf("%d threads of %d", len(first.Threads), first.Total)
	}
	if said := e.event["output"]; !strings.Contains(said, "1500 of 2503") ||
		!strings.Contains(said, "::goroutines -g") {
		t.Errorf("told %q", said)
	}
	var list []protocol.Thread
	ids := map[int]bool{}
	for from := 0; from < first.Total; from += 400 {
		var page threadsBody
		json.Unmarshal([]byte(e.ask("threads", fmt.Sprintf(`{"startThread":%d,"threadCount":400}`, from))), &page)
		for _, x := range page.Threads {
			ids[x.Id] = true
		}
		list = append(list, page.Threads...)
	}
	if len(list) != threads+tasks || len(ids) != len(list) {
		t.Fatalf("%d threads with %d ids", len(list), len(ids))
	}
	if x := list[len(list)-1]; x.Name != "goroutine 2500 (waits)" || x.Id != 1_000_000+tasks-1 {
		t.Errorf("the last is %+v", x)
	}
	e.ask("stackTrace", fmt.Sprintf(`{"threadId":%d}`, list[len(list)-1].Id))
	for _, id := range []string{"1002500", "999999", "-1", "-9223372036854775808", "9223372036854775807"} {
		if why := e.refused("stackTrace", `{"threadId":`+id+`}`); !strings.Contains(why, "there is no thread") {
			t.Error(why)
		}
	}
	for _, args := range []string{`{"startThread":-5,"threadCount":2}`, `{"startThread":99999,"threadCount":7}`,
		`{"threadCount":9223372036854775807}`, `{"startThread":"x"}`} {
		e.ask("threads", args)
	}
}

// TestThreadLimit: the first answer leaves out threads beyond its limit, and says so in a line.
func TestThreadLimit(t *testing.T) {
	e := connect(t, func(*Launch) (*commands.Session, error) {
		s := coredbg.WithoutCore(coredbg.Options{})
		for i := range maxThreads + 7 {
			s.Process.Threads = append(s.Process.Threads, &core.Thread{TID: 1 + i})
		}
		return s, nil
	})
	e.ask("launch", `{"core":"x"}`)
	var all threadsBody
	json.Unmarshal([]byte(e.ask("threads", "")), &all)
	if len(all.Threads) != maxThreads || all.Total != maxThreads+7 {
		t.Errorf("%d threads of %d", len(all.Threads), all.Total)
	}
	var said protocol.OutputEventBody
	if err := json.Unmarshal([]byte(e.event["output"]), &said); err != nil ||
		!strings.HasPrefix(said.Output, "7 of 100007 ") ||
		!strings.HasSuffix(said.Output, ".\n") {
		t.Errorf("told %q, %v", e.event["output"], err)
	}
}
