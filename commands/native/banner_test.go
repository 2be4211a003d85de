package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// lost returns a process that died at 0x1234, in a program whose file is not there.
func lost(signal string) *core.Process {
	p := coretest.New(core.AMD64).Thread(7, map[string]uint64{"rip": 0x1234, "rsp": 0x8000}).
		Module("/bin/lost", 0x1000, 0x2000, core.ModuleFacts{Err: errors.Join(errors.New("lost: no such file"),
			errors.New("a\nb: another"))}).Process()
	p.Modules[0].Exe = true
	p.OS = "linux"
	p.Signal = &core.Signal{Number: 11, Name: signal}
	p.Threads[0].Crashed = true
	return p
}

// one walks to the first frame.
func one(_ context.Context, t *core.Thread, _ ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
	return func(yield func(walk.Frame, error) bool) {
		if yield(walk.Frame{PC: 0x1234, SP: 0x8000, Regs: t.Regs, Trust: walk.Registers}, nil) {
			yield(walk.Frame{}, &walk.StopError{Kind: walk.StopRoot})
		}
	}
}

// TestBannerOfLostProgram: where it happened is there without a name, and how the
// program can be named.
func TestBannerOfLostProgram(t *testing.T) {
	for _, signal := range []string{"SIGSEGV", "SIGABRT"} {
		var b bytes.Buffer
		w := out.NewWriter(&b)
		s := sessionOf(lost(signal))
		s.Stacks = &stack.Engine{Process: s.Process, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: one}
		Banner(t.Context(), s).Text(w)
		w.Flush()
		for _, want := range []string{"thread 7\n    #0 lost+0x234\n", "2 warnings: lost: no such file\n", nameIt} {
			text := strings.ReplaceAll(b.String(), "\n        ", " ") // a line that goes on
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", signal, want, b.String())
			}
		}
	}
}

// TestTopFrames: what starts a thread does not stand for a program without symbols.
func TestTopFrames(t *testing.T) {
	of := func(frames ...string) *stack.Stack {
		t := &stack.Stack{Signal: "SIGABRT"}
		for i, name := range frames {
			f := stack.Frame{Kind: runtimes.Native, Trust: walk.CFI, Index: i, Name: name, Module: "/bin/app",
				ModuleOffset: core.Addr(i)}
			if module, ok := strings.CutSuffix(name, "+"); ok {
				f.Name, f.Module = "", module
			}
			if file, ok := strings.CutPrefix(name, "js:"); ok {
				f.Kind, f.Name, f.File = runtimes.JS, "work", file
			}
			t.Frames = append(t.Frames, f)
		}
		return t
	}
	s := sessionOf(lost("SIGABRT"))
	s.Noises = []*runtimes.Noise{{Functions: []string{"kill"}}}
	for _, c := range []struct {
		t    *stack.Stack
		want string
	}{
		{of("kill", "app+", "app+", "__libc_start_main", "_start"), "#1 app+0x1 #2 app+0x2"},
		{of("kill", "app+", "f", "main", "__libc_start_main"), "#2 app`f #3 app`main"},
		{of("std::panic", "f", "std::call", "main"), "#1 app`f #3 app`main"}, // what gives up says nothing
		{of("_start"), "#0 app`_start"},
		// A runtime that gives up is no frame of the program; its own addon is, and Node's own code if nothing else is.
		{of("kill", "node::OOMErrorHandler", "v8::internal::Heap::CollectGarbage", "js:/app/a.js", "main"), "#3 work"},
		{of("kill", "node::Abort", "addon", "js:/app/a.js", "main"), "#2 app`addon #3 work"},
		{of("kill", "node::OOMErrorHandler", "js:node:fs", "main"), "#1 app`node::OOMErrorHandler #2 work"},
	} {
		list, _ := topFrames(s, c.t)
		got := ""
		for _, f := range list {
			got += fmt.Sprintf(" #%d %s", f.index, f.name)
		}
		if got = strings.TrimPrefix(got, " "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestOfLanguage: where a managed heap is full, the frames of its runtime say nothing.
func TestOfLanguage(t *testing.T) {
	list := ofLanguage([]bannerLine{{name: "node`node::OOMErrorHandler", index: 4},
		{name: "fill", index: 7, managed: true}, {name: "uv_run", index: 9}})
	if len(list) != 1 || list[0].name != "fill" {
		t.Errorf("%+v", list)
	}
}

// TestNameless: the advice is for users who have not named the program.
func TestNameless(t *testing.T) {
	p := lost("SIGSEGV")
	r := newStatus(t.Context(), sessionOf(p), false)
	if want := `a\nb: another`; !r.nameless || len(r.Warnings) != 2 || r.Warnings[1] != want {
		t.Errorf("nameless is %v, the warnings are %q", r.nameless, r.Warnings)
	}
	p.Warn(core.PlaceExecutable, "it is another one")
	if newStatus(t.Context(), sessionOf(p), false).nameless {
		t.Error("a program that was named is asked for")
	}
	p = lost("SIGSEGV")
	p.Modules = nil
	if r := newStatus(t.Context(), sessionOf(p), false); !r.nameless || len(r.Warnings) != 1 ||
		r.Warnings[0] != noModules {
		t.Errorf("without modules nameless is %v, the warnings are %q", r.nameless, r.Warnings)
	}
}

// TestAdvice: how to make a better core depends on the system that wrote it.
func TestAdvice(t *testing.T) {
	for system, want := range map[string]string{"linux": "coredump_filter", "darwin": "save-core",
		"freebsd": "Write the core"} {
		v := &survey{p: &core.Process{OS: system}, stacks: true, files: map[string]core.Gap{"/lib/x": core.FileMissing}}
		advice := v.advice()
		if len(advice) != 2 || !strings.Contains(advice[0].Remedy, want) {
			t.Fatalf("%s: %+v", system, advice)
		}
		if linux := strings.Contains(advice[1].Remedy, "/proc/"); linux != (system == "linux") {
			t.Errorf("%s: %s", system, advice[1].Remedy)
		}
		v.truncated = true // that is why the stacks are missing
		if a := v.advice(); len(a) != 2 || !strings.Contains(a[0].Remedy, "ulimit") {
			t.Errorf("%s, cut: %+v", system, a)
		}
	}
}

// TestBannerOnce: a cause that the verdict repeats is not said twice.
func TestBannerOnce(t *testing.T) {
	r := &statusRecord{Causes: []runtimes.Cause{{Kind: runtimes.AbortMessage, Message: "bad size"},
		{Kind: runtimes.RustPanic, Message: "other"}},
		Verdict: &shortVerdict{Cause: bugs.HeapCorruption, Title: "abort message: bad size, in f (f.c:1:2)"}}
	var b bytes.Buffer
	w := out.NewWriter(&b)
	(&banner{status: r}).Text(w)
	w.Flush()
	if got := b.String(); strings.Count(got, "bad size") != 1 || !strings.Contains(got, "panic: other") {
		t.Errorf("got %q", got)
	}
}
