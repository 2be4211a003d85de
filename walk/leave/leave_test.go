package leave

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
)

// The places of the fake processes: code, and a stack.
const (
	textAt   = 0x400000
	textSize = 0x2000
	stackAt  = 0x7f0000
	stackLen = 0x1000
)

// insnWords are instructions of 32 bits.
func insnWords(words ...uint32) (code []byte) {
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}

// TestLeave follows what V8's builtins, baseline and optimized code leave with, from each
// of their instructions; builtins/x64 and arm64: DropArguments, LeaveFrame,
// compiler/backend: AssembleReturn.
func TestLeave(t *testing.T) {
	const (
		sp, fp = stackAt + 0x100, stackAt + 0x140
		outer  = stackAt + 0x800
		ra     = textAt + 0x180
	)
	for _, c := range []struct {
		name string
		arch *core.Arch
		code [][]byte // the instructions, from one where the frame is whole
		regs map[string]uint64
		args int // bytes that are dropped after the return address
	}{
		{"JSConstructStubGeneric", core.AMD64, [][]byte{
			{0x48, 0x8b, 0x5d, 0xe8}, {0x48, 0x8b, 0xe5}, {0x5d}, {0x59}, {0x48, 0xc1, 0xfb, 0x1d},
			{0x48, 0x8d, 0x24, 0x1c}, {0x51}, {0xc3},
		}, nil, 24},
		{"ArrayPrototypePush", core.AMD64, [][]byte{
			{0x48, 0x8b, 0xe5}, {0x5d}, {0x41, 0x5a}, {0x4a, 0x8d, 0x24, 0xfc}, {0x41, 0x52}, {0xc3},
		}, map[string]uint64{"r15": 3}, 24},
		{"CEntry", core.AMD64, [][]byte{
			{0xc9}, {0x49, 0x8b, 0xb5, 0xa0, 0, 0, 0}, {0x49, 0xc7, 0x85, 0x90, 0, 0, 0, 0, 0, 0, 0}, {0x59},
			{0x49, 0x8d, 0x67, 0x08}, {0x51}, {0xc3},
		}, map[string]uint64{"r15": fp + 16 + 16, "r13": stackAt}, 24},
		{"InterpreterEntryTrampoline", core.AMD64, [][]byte{
			{0x48, 0x3b, 0xd9}, {0x7d, 0x03}, {0x48, 0x8b, 0xd9}, {0xc9}, {0x59}, {0x48, 0x03, 0xe3}, {0x51}, {0xc3},
		}, map[string]uint64{"rcx": 8, "rbx": 24}, -1},
		{"turbofan", core.AMD64, [][]byte{
			{0x48, 0x8b, 0xe5}, {0x5d}, {0x48, 0x83, 0xf9, 0x02}, {0x7f, 0x03}, {0xc2, 0x10, 0x00},
			{0x41, 0x5a}, {0x48, 0x8d, 0x24, 0xcc}, {0x41, 0x52}, {0xc3},
		}, map[string]uint64{"rcx": 3}, -1},
		{"leave; ret n", core.AMD64, [][]byte{{0x90}, {0xc9}, {0xc2, 0x18, 0x00}}, nil, 24},
		{"JSConstructStubGeneric", core.ARM64, [][]byte{
			insnWords(0xf85e83a1), insnWords(0x9360fc21), insnWords(0x910003bf), insnWords(0xa8c17bfd),
			insnWords(0x91000430),
			insnWords(0x927ffa10), insnWords(0x8b306fff), insnWords(0xd65f03c0),
		}, nil, 32},
		{"InterpreterEntryTrampoline", core.ARM64, [][]byte{
			insnWords(0xeb05005f), insnWords(0x9a82b0a2), insnWords(0x910003bf), insnWords(0xa8c17bfd),
			insnWords(0x91000450),
			insnWords(0x927ffa10), insnWords(0x8b306fff), insnWords(0xd65f03c0),
		}, map[string]uint64{"x2": 3, "x5": 2}, -1},
	} {
		t.Run(c.arch.Name+" "+c.name, func(t *testing.T) {
			text, stack := make([]byte, textSize), make([]byte, stackLen)
			copy(text[0x200:], slices.Concat(c.code...))
			put := func(a, v uint64) { binary.LittleEndian.PutUint64(stack[a-stackAt:], v) }
			put(fp, outer)
			put(fp+8, ra)
			put(fp-24, 3<<32) // the number of arguments
			p := coretest.New(c.arch).MapProt(textAt, text, core.Read|core.Exec).Map(stackAt, stack).Process()
			f := frame.Frame{PC: textAt + 0x200, SP: sp, FP: fp, Point: frame.Interrupted}
			for name, v := range c.regs {
				f.Regs.Set(c.arch.SlotOf(name), v)
			}
			o, _ := isa.NewWayAt(p, &f)
			for _, code := range c.code {
				at := frame.Frame{PC: f.PC, SP: core.Addr(o.Number(c.arch.SP).N), FP: core.Addr(o.Number(c.arch.FP).N),
					Regs: o.Values.Regs, Point: frame.Interrupted}
				caller, ok := Caller(p, &at, 0)
				if !ok || caller.PC != ra || caller.FP != outer {
					t.Errorf("at %v: %v, program counter %v, frame pointer %v", f.PC, ok, caller.PC, caller.FP)
				}
				if want := core.Addr(fp + 16 + uint64(c.args)); c.args >= 0 && caller.SP != want {
					t.Errorf("at %v: stack pointer %v, want %v", f.PC, caller.SP, want)
				}
				o.Values.PC = f.PC
				sets.For(c.arch).Step(&o, append(slices.Clone(code), make([]byte, isa.LongestInsn)...))
				for _, s := range o.Values.Stored {
					if s.At-stackAt < stackLen-8 {
						put(s.At, s.Value.N)
					}
				}
				o.Values.Stored = nil
				f.PC += core.Addr(len(code))
			}
		})
	}
}

// TestLeaveRandom follows whatever there is: it ends, and does not panic.
func TestLeaveRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.ARM} {
		text, stack := make([]byte, 0x800), make([]byte, stackLen)
		p := coretest.New(arch).MapProt(textAt, text, core.Read|core.Exec).Map(stackAt, stack).Process()
		for range 2000 {
			for i := range text {
				text[i] = byte(rng.Uint32())
			}
			f := frame.Frame{PC: textAt + 0x200, SP: stackAt + 0x100, FP: stackAt + 0x140, Point: frame.Interrupted}
			for slot := range arch.RegNames {
				f.Regs.Set(slot, rng.Uint64()>>rng.UintN(64))
			}
			Caller(p, &f, textAt+core.Addr(rng.UintN(0x200)))
		}
	}
}
