package walk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

// A keeper is a runtime with records of where its frames are.
type keeper struct {
	managed
	records []Frame
}

func (k *keeper) Next(from core.Addr) (Frame, bool) {
	for _, r := range k.records {
		if r.SP >= from {
			return r, true
		}
	}
	return Frame{}, false
}

// virtual is a record of a frame that machine code executes, as ART's ShadowFrame.
func virtual(sp uint64, name string) Frame {
	return Frame{PC: 0x99, SP: core.Addr(sp), Trust: Runtime, Point: Virtual, Record: name}
}

// exited is a record of a frame of the machine that has left managed code, as V8's
// exit frames and ART's quick frames; pc may be 0.
func exited(pc, sp, fp uint64, name string) Frame {
	f := Frame{PC: core.Addr(pc), SP: core.Addr(sp), FP: core.Addr(fp), Trust: Runtime, Record: name}
	f.Regs.Set(core.AMD64.PC, pc)
	f.Regs.Set(core.AMD64.SP, sp)
	if fp != 0 {
		f.Regs.Set(core.AMD64.FP, fp)
	}
	return f
}

// merged describes the frames of a walk, with their records.
func merged(frames []Frame) (out []string) {
	for i := range frames {
		f := &frames[i]
		text := fmt.Sprintf("%v %#x", f.Trust, uint64(f.PC))
		if f.Point == Virtual {
			text = "record"
		}
		if f.Record != nil {
			text += fmt.Sprint(" ", f.Record)
		}
		out = append(out, text)
	}
	return out
}

// TestRecordsOfTwoRuntimes has the records of two runtimes on one stack. One keeps the frames of
// generated code that called native code, as V8 does, the other frames of an interpreter and of stubs,
// as ART does.
func TestRecordsOfTwoRuntimes(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.function(0x40, 0x20, 0x0e, 0x40) // CFA = rsp+0x40
	s.put(sp+0x38, s.call(0x100))
	// No table describes the code at 0x100, and nothing on the stack looks like a
	// return address: only records lead on.
	generated := sp + 0x200
	s.put(generated+0x20, 0, s.call(0x200)) // the frame record of generated code
	stub := generated + 0x30
	s.function(0x1f0, 0x20, 0x0e, 0x80, 0x01)
	s.put(stub+0x78, s.call(0x300))
	s.function(0x2f0, 0x20, 0x07, 16)
	p := s.process(nil)
	word := func(a core.Addr) uint64 { return p.Cursor().U64(a) }
	v8 := &keeper{managed{lo: textAt + 0x1000, hi: textAt + 0x2000, word: word},
		[]Frame{exited(textAt+0x1100, generated, generated+0x20, "v8 exit")}}
	art := &keeper{managed{word: word},
		[]Frame{virtual(sp+0x10, "shadow 1"), virtual(sp+0x80, "shadow 2"), exited(0, stub+0x20, 0, "jni"),
			virtual(stub+0x40, "shadow 3")}}
	want := []string{"record shadow 1", "registers 0x400050", "cfi 0x400100", "record shadow 2",
		"runtime 0x401100 v8 exit",
		"record shadow 3", "runtime 0x400200 jni", "cfi 0x400300"}
	for _, order := range [][]Unwinder{{v8, art}, {art, v8}} {
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp}, order...)
		if got := merged(frames); !slices.Equal(got, want) || stop.Kind != StopRoot {
			t.Errorf("got\n  %s\nwant\n  %s\nstop %v", strings.Join(got, "\n  "), strings.Join(want, "\n  "), stop)
		}
	}
}

// TestRecordNearer compares a record with the caller that unwinding finds.
func TestRecordNearer(t *testing.T) {
	const inner, outer = stackAt + 0x200, stackAt + 0x400
	for _, c := range []struct {
		name    string
		records []Frame
		want    []string
	}{
		{"none", nil, []string{"registers 0x400050", "fp 0x400100", "fp 0x400200"}},
		{"passed over", []Frame{exited(textAt+0x1100, stackAt+0x180, inner, "exit")},
			[]string{"registers 0x400050", "runtime 0x401100 exit", "runtime 0x400100", "fp 0x400200"}},
		{"the caller itself", []Frame{exited(textAt+0x100, inner+16, outer, "exit")},
			[]string{"registers 0x400050", "fp 0x400100 exit", "fp 0x400200"}},
		{"the frame itself", []Frame{exited(textAt+0x50, stackAt+0x100, 0, "own")},
			[]string{"registers 0x400050 own", "fp 0x400100", "fp 0x400200"}},
		{"further out", []Frame{exited(textAt+0x1100, outer+0x100, 0, "exit")},
			[]string{"registers 0x400050", "fp 0x400100", "fp 0x400200", "runtime 0x401100 exit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.put(inner, outer, s.call(0x100))
			s.put(outer, 1, s.call(0x200))
			p := s.process(nil)
			k := &keeper{managed{lo: textAt + 0x1000, hi: textAt + 0x2000,
				word: func(a core.Addr) uint64 { return p.Cursor().U64(a) }}, c.records}
			frames, _ := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100, "rbp": inner}, k)
			if got := merged(frames); !slices.Equal(got, c.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

// A crossing is a runtime whose code is called on another stack.
type crossing struct {
	managed
	from core.Addr // a return address in the frame that was called
	to   Frame
}

func (c *crossing) Step(f *Frame) (Frame, any, error) {
	if f.PC != c.from {
		return Frame{}, nil, ErrDecline
	}
	c.to.OtherStack = true
	return c.to, nil, nil
}

// TestRecordsPassed: a record whose place the walk has passed does not follow once the walk goes on
// with a stack at a lower address. A record further out on the old stack may.
func TestRecordsPassed(t *testing.T) {
	const inner, outer = stackAt + 0x600, stackAt + 0x700 // of the stack that is left
	s := newScene(core.AMD64)
	s.put(inner, outer, s.call(0x100))
	s.put(outer, 1, s.call(0x200))
	p := s.process(nil)
	word := func(a core.Addr) uint64 { return p.Cursor().U64(a) }
	records := &keeper{managed{word: word}, []Frame{exited(textAt+0x1100, stackAt+0x300, 0, "not met"),
		virtual(stackAt+0x580, "within"), exited(textAt+0x100, inner+0x10, outer, "exit"),
		virtual(outer+0x100, "further out")}}
	other := &crossing{managed{}, textAt + 0x200, Frame{PC: textAt + 0x300, SP: stackAt + 0x200, Trust: Runtime}}
	frames, _ := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x560, "rbp": inner},
		records, other)
	want := []string{"record within", "registers 0x400050", "fp 0x400100 exit", "fp 0x400200", "runtime 0x400300",
		"runtime 0x401100 not met", "record further out"}
	if got := merged(frames); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// TestStretches: which addresses are in the parts of stacks that were passed.
func TestStretches(t *testing.T) {
	var l stretches
	for _, s := range []stretch{{50, 60}, {10, 20}, {30, 40}, {35, 52}, {70, 70}, {15, 15}} {
		l.add(s)
	}
	if want := (stretches{{10, 20}, {30, 60}, {70, 70}}); !slices.Equal(l, want) {
		t.Errorf("%v, want %v", l, want)
	}
	for a, want := range map[core.Addr]core.Addr{9: 0, 10: 20, 20: 20, 21: 0, 30: 60, 45: 60, 60: 60, 61: 0,
		70: 70, 71: 0} {
		if got, ok := l.end(a); got != want || ok != (want != 0) {
			t.Errorf("%d: %d, %t; want %d", a, got, ok, want)
		}
	}
}
