package walk

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestWalkARM walks from a function that an exception table describes to ones
// with frame records.
func TestWalkARM(t *testing.T) {
	const text, stack = 0x10000, 0x20000
	code := make([]byte, 0x1000)
	for _, ret := range []int{0x204, 0x304} {
		binary.LittleEndian.PutUint32(code[ret-4:], 0xeb000000) // bl
	}
	rel := func(to, at uint32) uint32 { return (to - at) &^ (1 << 31) } // R_ARM_PREL31
	index := binary.LittleEndian.AppendUint32(nil, rel(text+0x100, 0x30000))
	index = binary.LittleEndian.AppendUint32(index, 0x80a8b0b0) // pop {r4, r14}
	index = binary.LittleEndian.AppendUint32(index, rel(text+0x200, 0x30008))
	index = binary.LittleEndian.AppendUint32(index, 1)
	p := coretest.New(core.ARM).
		MapProt(text, code, core.Read|core.Exec).
		Words(stack, 7, text+0x204, 0, 0, 0, 0, stack+0x40, text+0x304, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).
		Module("/lib/libx.so", text, text+0x1000,
			core.ModuleFacts{BiasKnown: true, Image: sections{".ARM.exidx": {Addr: 0x30000, Data: index}}}).
		Thread(1, map[string]uint64{"pc": text + 0x110, "sp": stack, "r11": stack + 0x18}).Process()
	want := []struct {
		pc    core.Addr
		trust Trust
	}{{text + 0x110, Registers}, {text + 0x204, CFI}, {text + 0x304, FramePointer}}
	n := 0
	for f, err := range NewTarget(p, Options{}).Walk(t.Context(), p.Threads[0]) {
		if err != nil {
			break
		}
		if n >= len(want) || f.PC != want[n].pc || f.Trust != want[n].trust {
			t.Fatalf("frame %d: %v by %v", n, f.PC, f.Trust)
		}
		if r4, ok := f.Regs.Get(4); n == 1 && (r4 != 7 || !ok) {
			t.Errorf("r4 is %d, %v", r4, ok)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d frames", n)
	}
}

// sections is an image that has only sections.
type sections map[string]core.Section

func (sections) Path() string { return "" }

func (sections) Segments() []core.ImageSegment { return nil }

func (s sections) Section(name string) (core.Section, error) {
	if x, ok := s[name]; ok {
		return x, nil
	}
	return core.Section{}, core.ErrNoSection
}

func (sections) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
