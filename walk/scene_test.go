package walk

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// The places of the fake processes: code, and a stack that grows down from its
// end.
const (
	textAt   = 0x400000
	textSize = 0x2000
	stackAt  = 0x7f0000
	stackLen = 0x1000
	altAt    = 0x500000
)

// A scene is a fake process in the making.
type scene struct {
	arch  *core.Arch
	text  []byte
	stack []byte
	alt   []byte
	jit   []byte // code of no image, if any
	rules []fdeRule
	opts  Options
	edit  func(*core.Process)
	noMod bool
}

// A fdeRule is a function with call frame information.
type fdeRule struct {
	at, size uint64
	insns    []byte
}

func newScene(arch *core.Arch) *scene {
	s := &scene{arch: arch, text: make([]byte, textSize), stack: make([]byte, stackLen), alt: make([]byte, stackLen)}
	for i := range s.text {
		s.text[i] = 0x90
	}
	return s
}

// code puts instructions at an offset of the text.
func (s *scene) code(off int, code ...byte) { copy(s.text[off:], code) }

// call puts a call of the text's start before an offset and returns the address
// that it returns to.
func (s *scene) call(off int) uint64 {
	if s.arch == core.ARM64 {
		binary.LittleEndian.PutUint32(s.text[off-4:], 0x94000000|uint32(-(off-4)/4)&0x3ffffff)
	} else {
		s.text[off-5] = 0xe8
		binary.LittleEndian.PutUint32(s.text[off-4:], uint32(-off))
	}
	return textAt + uint64(off)
}

// put writes words to the stack.
func (s *scene) put(a uint64, words ...uint64) {
	to, base := s.stack, uint64(stackAt)
	if a-altAt < stackLen {
		to, base = s.alt, altAt
	}
	for i, w := range words {
		off := a - base + uint64(i*s.arch.PtrSize)
		if s.arch.PtrSize == 4 {
			binary.LittleEndian.PutUint32(to[off:], uint32(w))
		} else {
			binary.LittleEndian.PutUint64(to[off:], w)
		}
	}
}

// function gives call frame instructions to the function at an offset.
func (s *scene) function(off, size int, insns ...byte) {
	s.rules = append(s.rules, fdeRule{textAt + uint64(off), uint64(size), insns})
}

// process makes the process with one thread.
func (s *scene) process(regs map[string]uint64) *core.Process {
	b := coretest.New(s.arch).
		MapProt(textAt, s.text, core.Read|core.Exec).
		Map(stackAt, s.stack).Map(altAt, s.alt).
		Thread(1, regs)
	if s.jit != nil {
		b.MapProt(jitAt, s.jit, core.Read|core.Exec)
	}
	if !s.noMod {
		b.Module("/bin/fake", textAt, textAt+textSize, core.ModuleFacts{Image: fakeImage{s.debugFrame()},
			BiasKnown: true})
	}
	p := b.Process()
	if s.edit != nil {
		s.edit(p)
	}
	return p
}

// debugFrame assembles a .debug_frame: a version 1 CIE with data alignment -8
// and the ABI's initial rules, and the FDEs.
func (s *scene) debugFrame() []byte {
	var out []byte
	record := func(id uint32, parts ...[]byte) {
		body := binary.LittleEndian.AppendUint32(nil, id)
		for _, p := range parts {
			body = append(body, p...)
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
		out = append(out, body...)
	}
	if s.arch == core.ARM64 {
		record(^uint32(0), []byte{1, 0, 1, 0x78, 30, 0x0c, 31, 0})
	} else {
		record(^uint32(0), []byte{1, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1})
	}
	for _, r := range s.rules {
		at := binary.LittleEndian.AppendUint64(nil, r.at)
		record(0, binary.LittleEndian.AppendUint64(at, r.size), r.insns)
	}
	return out
}

// walk walks the thread of the process and describes each frame by its trust,
// address and stack pointer.
func (s *scene) walk(t *testing.T, regs map[string]uint64, runtime ...Unwinder) (frames []Frame, stop *StopError) {
	t.Helper()
	p := s.process(regs)
	return gather(t, NewTarget(p, s.opts).Walk(context.Background(), p.Threads[0], runtime...))
}

func gather(t *testing.T, seq iter.Seq2[Frame, error]) (frames []Frame, stop *StopError) {
	t.Helper()
	for f, err := range seq {
		if stop != nil {
			t.Fatal("a pair after the last one")
		}
		if err != nil {
			if f != (Frame{}) || !errors.As(err, &stop) {
				t.Fatalf("the last pair is %v, %v", f, err)
			}
			continue
		}
		frames = append(frames, f)
		if len(frames) > 10000 {
			t.Fatal("the walk does not end")
		}
	}
	if stop == nil {
		t.Fatal("no last pair")
	}
	return frames, stop
}

// expect compares a walk with "trust pc" words and the start of its reason.
func expect(t *testing.T, frames []Frame, stop *StopError, reason string, want ...string) {
	t.Helper()
	var got []string
	for i := range frames {
		mark := ""
		if frames[i].Trampoline {
			mark = " trampoline"
		}
		got = append(got, fmt.Sprintf("%v %#x%s", frames[i].Trust, uint64(frames[i].PC), mark))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	if !strings.HasPrefix(stop.Error(), reason) {
		t.Errorf("stopped with %q, want %q", stop, reason)
	}
}

type fakeImage struct{ debugFrame []byte }

func (i fakeImage) Path() string { return "" }
func (i fakeImage) Section(name string) (core.Section, error) {
	if name == ".debug_frame" {
		return core.Section{Name: name, Data: i.debugFrame}, nil
	}
	return core.Section{}, core.ErrNoSection
}
func (i fakeImage) Segments() []core.ImageSegment                   { return nil }
func (i fakeImage) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }

const top = stackAt + stackLen
