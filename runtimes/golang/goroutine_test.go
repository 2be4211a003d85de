package golang

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// A program is a Go program without symbols, as far as goroutines need it: constants with type
// descriptors, data with the list, and the memory that these lead to.
type program struct {
	consts, data []byte
	names        map[string]core.Addr
	shift        uint // of offsets
	long         bool // names have two bytes of length
}

const (
	constAt = 0x400000
	dataAt  = 0x500000
	heapAt  = 0x600000 // gs, each with its stack
	gSize   = 0x400
	mAt     = 0x700000 // two ms, each with its p
	mSize   = 0x30
	pAt     = 0x710000
	pSize   = 0x30
)

func (p *program) word(b *[]byte, words ...uint64) {
	for _, w := range words {
		*b = binary.LittleEndian.AppendUint64(*b, w)
	}
}

// name returns where a name is, and puts it there.
func (p *program) name(s string) uint64 {
	if p.names[s] == 0 {
		p.names[s] = constAt + core.Addr(len(p.consts))
		p.consts = append(p.consts, 0)
		if p.long {
			p.consts = append(p.consts, 0)
		}
		p.consts = append(append(p.consts, byte(len(s))), s...)
	}
	return uint64(p.names[s])
}

func (p *program) align() uint64 {
	for len(p.consts)%8 != 0 {
		p.consts = append(p.consts, 0)
	}
	return constAt + uint64(len(p.consts))
}

type member struct {
	name string
	typ  uint64
	off  uint64
}

// typ returns where a descriptor is whose fields or element come after it.
func (p *program) typ(kind byte) uint64 {
	at := p.align()
	head := make([]byte, 48)
	head[23] = kind
	p.consts = append(p.consts, head...)
	return at
}

func (p *program) structOf(list ...member) uint64 {
	for _, m := range list {
		p.name(m.name)
	}
	at := p.typ(kindStruct)
	p.word(&p.consts, 0, at+48+32, uint64(len(list)), uint64(len(list)))
	for _, m := range list {
		p.word(&p.consts, p.name(m.name), m.typ, m.off<<p.shift)
	}
	return at
}

func (p *program) pointerTo(typ uint64) uint64 {
	at := p.typ(kindPointer)
	p.word(&p.consts, typ)
	return at
}

// A goroutineWord is a g as words at offsets.
type goroutineWord map[uint64]uint64

// Fields of the g of the program.
const (
	atM, atSched, atSyscallSP, atSyscallPC, atStatus, atGoID, atSince, atReason, atStamp, atLocked, atPC, atStart,
	atLabels = 0x30, 0x38, 0x68, 0x70, 0x80, 0x88, 0x90, 0x98, 0xa0, 0xa8, 0xb0, 0xb8, 0xc0
)

// process returns the program as a process with goroutines.
func (p *program) process(gs []goroutineWord) *core.Process {
	p.names = map[string]core.Addr{}
	num := p.typ(12)
	stack := p.structOf(member{"lo", num, 0}, member{"hi", num, 8})
	buf := p.structOf(member{"sp", num, 0}, member{"pc", num, 8}, member{"bp", num, 16})
	m := p.structOf(member{"g0", num, 0}, member{"procid", num, 0x10}, member{"curg", num, 0x18},
		member{"p", num, 0x20},
		member{"alllink", num, 0x28})
	tick := p.structOf(member{"schedtick", num, 0}, member{"schedwhen", num, 8}, member{"syscallwhen", num, 16})
	p.structOf(member{"id", num, 0}, member{"status", num, 8}, member{"sysmontick", tick, 16}, member{"m", num, 40})
	// like it, but no g
	p.structOf(member{"stack", stack, 0}, member{"stackguard0", num, 16}, member{"stktopsp", num, 24})
	p.structOf(member{"stack", stack, 0}, member{"stackguard0", num, 16}, member{"m", p.pointerTo(m), atM},
		member{"sched", buf, atSched},
		member{"syscallsp", num, atSyscallSP}, member{"syscallpc", num, atSyscallPC},
		member{"atomicstatus", num, atStatus}, member{"goid", num, atGoID},
		member{"waitsince", num, atSince}, member{"waitreason", num, atReason}, member{"trackingStamp", num, atStamp},
		member{"lockedm", num, atLocked},
		member{"gopc", num, atPC}, member{"startpc", num, atStart}, member{"labels", num, atLabels})
	reasons := []string{"GC assist marking", "IO wait"}
	texts := make([]uint64, len(reasons))
	for i, s := range reasons {
		texts[i] = constAt + uint64(len(p.consts))
		p.consts = append(p.consts, s...)
	}
	p.align()
	p.word(&p.consts, 0, 0, texts[0], uint64(len(reasons[0])), texts[1], uint64(len(reasons[1])), 0, 0)
	// Slices that are not the list: the words are not gs, or the count is too large.
	p.word(&p.data, 0, dataAt, 1, 1, dataAt+0x100, 1<<40, 1<<40, dataAt+0x100, uint64(len(gs)), uint64(len(gs)))
	p.data = append(p.data, make([]byte, 0x100-len(p.data))...)
	for i := range gs {
		p.word(&p.data, heapAt+uint64(i)*gSize)
	}
	heap := make([]byte, len(gs)*gSize)
	for i, g := range gs {
		for off, w := range g {
			binary.LittleEndian.PutUint64(heap[i*gSize+int(off):], w)
		}
	}
	b := coretest.New(core.AMD64).MapProt(constAt, p.consts, core.Read).Map(dataAt, p.data).Map(heapAt, heap).
		Words(mAt, 0, 0, 7, heapAt, pAt, mAt+mSize, 0, 0, 8, 0, pAt+pSize, mAt). // they are in a circle
		Words(pAt, 0, 0, 0, 91e9, 0, mAt, 1, 0, 0, 89e9, 150e9, mAt+mSize).Thread(7,
		map[string]uint64{"rip": 0x1000, "rsp": heapAt + 0x300})
	img := image{{Addr: constAt, MemSize: uint64(len(p.consts)), Prot: core.Read},
		{Addr: dataAt, MemSize: uint64(len(p.data)), Prot: core.Read | core.Write}}
	return b.Module("/bin/go", constAt, dataAt+0x1000, core.ModuleFacts{Image: img, BiasKnown: true}).Process()
}

type image []core.ImageSegment

func (image) Path() string                                    { return "/bin/go" }
func (image) Section(string) (core.Section, error)            { return core.Section{}, core.ErrNoSection }
func (i image) Segments() []core.ImageSegment                 { return i }
func (image) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
func runtimeOf(p *core.Process) *Runtime {
	return &Runtime{process: process{t: runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, module: p.Modules[0]}}
}

// on returns the g with this number in the list, on its stack.
func on(i, id, status uint64, more goroutineWord) goroutineWord {
	at := heapAt + i*gSize
	g := goroutineWord{0: at + 0x200, 8: at + 0x400, atSched: at + 0x300, atSched + 8: 0x401234,
		atStatus: status, atGoID: id}
	for off, w := range more {
		g[off] = w
	}
	return g
}

func goroutines() []goroutineWord {
	return []goroutineWord{
		on(0, 1, statusRunning, goroutineWord{atM: mAt, atSched: 0, atStamp: 90e9}),
		on(1, 2, statusWaiting, goroutineWord{atReason: 2, atSince: 30e9, atLocked: mAt}),
		{atStatus: statusDead},
		on(3, 17, statusScan|statusWaiting, goroutineWord{atReason: 200}),
		on(4, 18, statusSyscall, goroutineWord{atSyscallSP: heapAt + 4*gSize + 0x310, atSyscallPC: 0x409999}),
	}
}

// TestGoroutines finds goroutines in programs without symbols, as Go of several releases describes its types.
func TestGoroutines(t *testing.T) {
	for name, p := range map[string]*program{"Go 1.19": {}, "Go 1.17": {shift: 1}, "Go 1.16": {shift: 1, long: true}} {
		t.Run(name, func(t *testing.T) {
			process := p.process(goroutines())
			r := runtimeOf(process)
			list, err := r.Goroutines()
			if err != nil || len(list) != 5 {
				t.Fatalf("%d goroutines, %v", len(list), err)
			}
			var states []string
			for _, g := range list {
				if g.Err != nil {
					t.Errorf("goroutine %d: %v", g.ID, g.Err)
				}
				states = append(states, g.State())
			}
			if want := []string{"running", "IO wait", "dead", "waiting (scan)",
				"syscall"}; !slices.Equal(states, want) {
				t.Errorf("states are %q, want %q", states, want)
			}
			if g := list[0]; g.Thread != process.Threads[0] || g.Task() != g.Thread {
				t.Errorf("goroutine 1 is run by %v, and is %v", g.Thread, g.Task())
			}
			if g := list[1]; g.Waited.Seconds() != 120 || g.Locked != process.Threads[0] || g.Thread != nil {
				t.Errorf("goroutine 2 waits for %v, locked to %v, run by %v", g.Waited, g.Locked, g.Thread)
			}
			for _, c := range []struct{ at, low, high core.Addr }{
				{heapAt + 0x300, heapAt + 0x200, heapAt + 0x400}, {heapAt + 0x400, heapAt + 0x200, heapAt + 0x400},
				{heapAt + 0x200, 0, 0}, {heapAt + 0x401, 0, 0}, {heapAt + gSize + 0x201, heapAt + gSize + 0x200,
					heapAt + gSize + 0x400}, {mAt, 0, 0},
			} {
				if low, high, ok := r.Stack(c.at); low != c.low || high != c.high || ok != (c.high != 0) {
					t.Errorf("%v is on the stack from %v to %v", c.at, low, high)
				}
			}
			task, ok := r.Task(heapAt + 4*gSize)
			pc, _ := task.Regs.Get(core.AMD64.PC)
			if sp, _ := task.Regs.Get(core.AMD64.SP); !ok || pc != 0x409999 || sp != heapAt+4*gSize+0x310 ||
				task.String() != "goroutine 18" {
				t.Errorf("%v goes on at %#x, %#x", task, pc, sp)
			}
			if _, ok := r.Task(heapAt + 2*gSize); ok || len(r.Tasks()) != 3 {
				t.Errorf("the dead one is a task, or there are not three but %d", len(r.Tasks()))
			}
		})
	}
}

// TestWhatIs finds the g or the stack that contains an address.
func TestWhatIs(t *testing.T) {
	r := runtimeOf((&program{}).process(goroutines()))
	r.Goroutines()
	if r.size != atLabels {
		t.Errorf("a g has %#x bytes", r.size) // the last field's type has no size here
	}
	for at, want := range map[core.Addr]string{
		heapAt:                   "the g of goroutine 1 [running, thread 7]",
		heapAt + 0x40:            "0x40 bytes into the g of goroutine 1 [running, thread 7]",
		heapAt + 0x320:           "on the stack of goroutine 1 [running, thread 7], 0x20 bytes above its stack pointer",
		heapAt + gSize + 0x308:   "on the stack of goroutine 2 [IO wait], 0x8 bytes above its stack pointer",
		heapAt + gSize + 0x2f8:   "below the stack of goroutine 2 [IO wait], 0x8 bytes under its stack pointer",
		heapAt + 2*gSize + 8:     "0x8 bytes into the g of a dead goroutine",
		heapAt + 4*gSize + 0x310: "on the stack of goroutine 18 [syscall], 0x0 bytes above its stack pointer",
		heapAt + gSize + 0x180:   "", // between the g and its stack
		heapAt - 8:               "",
		constAt:                  "",
	} {
		if got, ok := r.WhatIs(at); got != want || ok != (want != "") {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
}

// TestKnowsState: all statuses are known, and the reasons that the program has.
func TestKnowsState(t *testing.T) {
	r := runtimeOf((&program{}).process(goroutines()))
	for text, want := range map[string]bool{"running": true, "Waiting": true, "io wait": true,
		"GC assist marking": true, "chan receive": false, "": false} {
		if got := r.KnowsState(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestBrokenGoroutines: what cannot be is said, and is no task.
func TestBrokenGoroutines(t *testing.T) {
	for name, c := range map[string]struct {
		g   goroutineWord
		why string
	}{
		"the stack pointer is elsewhere": {on(1, 2, statusWaiting, goroutineWord{atSched: heapAt}), ""},
		"an id twice":                    {on(1, 1, statusWaiting, nil), "another has the id 1"},
		"an m that runs another":         {on(1, 2, statusRunning, goroutineWord{atM: mAt}), "runs 0x600000"},
		"an m that is not there":         {on(1, 2, statusRunning, goroutineWord{atM: 8}), "its m cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			gs := goroutines()
			gs[1] = c.g
			r := runtimeOf((&program{}).process(gs))
			list, err := r.Goroutines()
			if c.why == "" { // then it is no list
				if !errors.Is(err, errNoList) || !errors.Is(r.WaitsError(), errNoList) {
					t.Errorf("%d goroutines, %v; waits: %v", len(list), err, r.WaitsError())
				}
				return
			}
			if err != nil || list[1].Err == nil || !strings.Contains(list[1].Err.Error(), c.why) ||
				list[1].task != nil {
				t.Errorf("%v, %+v", err, list[1])
			}
		})
	}
}

// FuzzGoroutines: whatever memory has, reading it ends.
func FuzzGoroutines(f *testing.F) {
	f.Add(uint16(0), uint64(0), uint16(0x100), uint64(heapAt), false)
	f.Add(uint16(0x38), uint64(1<<63), uint16(8), uint64(5), true)
	f.Fuzz(func(t *testing.T, g uint16, x uint64, data uint16, y uint64, types bool) {
		gs := goroutines()
		gs[int(g)%len(gs)][uint64(g)%(gSize-8)] = x
		p := &program{}
		process := p.process(gs)
		into := p.data
		if types {
			into = p.consts
		}
		binary.LittleEndian.PutUint64(into[int(data)%(len(into)-8):], y)
		r := runtimeOf(process)
		list, _ := r.Goroutines()
		for _, g := range list {
			if g.task != nil && g.Err != nil {
				t.Errorf("%+v is a task", g)
			}
		}
	})
}
