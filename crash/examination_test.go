package crash

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestPlaceWithoutSymbols: a program without symbols is still the program's own code. The C library's
// start function is not.
func TestPlaceWithoutSymbols(t *testing.T) {
	p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).
		MapProt(0x8000, make([]byte, 0x1000), core.Read|core.Exec).Thread(1, nil).Process()
	p.Modules = []*core.Module{{Path: "/srv/program", Start: 0x1000, End: 0x2000, Exe: true},
		{Path: "/lib/libc.so.6", Start: 0x8000, End: 0x9000}}
	frames := []stack.Frame{
		{Kind: runtimes.Native, Name: "raise", PC: 0x8010, Module: "/lib/libc.so.6", ModuleOffset: 0x10},
		{Kind: runtimes.Native, PC: 0x8020, Module: "/lib/libc.so.6", ModuleOffset: 0x20},
		{Kind: runtimes.Native, PC: 0x1030, Module: "/srv/program", ModuleOffset: 0x30},
		{Kind: runtimes.Native, Name: "__libc_start_call_main", PC: 0x8040, Module: "/lib/libc.so.6",
			ModuleOffset: 0x40},
	}
	x := &examination{p: p, threads: where.Threads{Noise: func(f string) bool { return f == "raise" }},
		stack: &stack.Stack{Frames: frames}}
	f := x.place()
	if f == nil || where.Frame(f) != "program+0x30" {
		t.Errorf("place %+v, want that at program+0x30", f)
	}
}
