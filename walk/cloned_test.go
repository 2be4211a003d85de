package walk

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestCloned: a thread that clone has just made has no callers. A forked thread has its parent's
// callers, and one that made another thread keeps its own. Truth: clone(2), and the core of
// sources/native/cloned.c.
func TestCloned(t *testing.T) {
	// Offsets and sizes of struct clone_args, include/uapi/linux/sched.h: stack and stack_size.
	const cloneArgsStack, cloneArgsSize = 40, 48
	const pc, sp, args = textAt + 0x42, stackAt + 0x100, stackAt + 0x800
	amd64 := func(number, result, rsi, rdi uint64) map[string]uint64 {
		return map[string]uint64{"rip": pc, "rsp": sp, "orig_rax": number, "rax": result, "rsi": rsi, "rdi": rdi}
	}
	arm64 := func(number, x1 uint64) map[string]uint64 {
		return map[string]uint64{"pc": pc, "sp": sp, "x8": number, "x0": 0, "x1": x1}
	}
	for _, c := range []struct {
		name   string
		arch   *core.Arch
		regs   map[string]uint64
		insn   []byte
		cloned bool
	}{
		{"clone3", core.AMD64, amd64(435, 0, 0, args), []byte{0x0f, 0x05}, true},
		{"clone", core.AMD64, amd64(56, 0, sp, 0), []byte{0x0f, 0x05}, true},
		{"the maker", core.AMD64, amd64(435, 4711, 0, args), []byte{0x0f, 0x05}, false},
		{"clone3 with arguments that are gone", core.AMD64, amd64(435, 0, 0, args+8), []byte{0x0f, 0x05}, false},
		{"clone3 with arguments nowhere", core.AMD64, amd64(435, 0, 0, 8), []byte{0x0f, 0x05}, false},
		{"fork", core.AMD64, amd64(56, 0, 0, 0), []byte{0x0f, 0x05}, false},
		{"read", core.AMD64, amd64(0, 0, sp, 0), []byte{0x0f, 0x05}, false},
		{"elsewhere", core.AMD64, amd64(435, 0, 0, args), []byte{0x90, 0x90}, false},
		{"clone", core.ARM64, arm64(220, sp), []byte{0x01, 0, 0, 0xd4}, true},
		{"clone3", core.ARM64, arm64(435, sp), []byte{0x01, 0, 0, 0xd4}, false},
		{"fork", core.ARM64, arm64(220, 0), []byte{0x01, 0, 0, 0xd4}, false},
	} {
		text, stack := make([]byte, textSize), make([]byte, stackLen)
		copy(text[0x42-len(c.insn):], c.insn)
		binary.LittleEndian.PutUint64(stack[args-stackAt+cloneArgsStack:], sp-0x40)
		binary.LittleEndian.PutUint64(stack[args-stackAt+cloneArgsSize:], 0x40)
		p := coretest.New(c.arch).MapProt(textAt, text, core.Read|core.Exec).Map(stackAt, stack).Thread(1,
			c.regs).Process()
		var regs []core.Register
		for name, v := range c.regs {
			regs = append(regs, core.Register{Name: name, Value: v})
		}
		p.Threads[0].Registers = func() []core.Register { return regs }
		var frames []Frame
		root := false
		for f, err := range NewTarget(p, Options{}).Walk(t.Context(), p.Threads[0]) {
			if stop, ok := err.(*StopError); ok {
				root = stop.Kind == StopRoot
				break
			}
			frames = append(frames, f)
		}
		if whole := root && len(frames) == 1; whole != c.cloned ||
			!slices.ContainsFunc(frames, func(f Frame) bool { return f.PC == pc }) {
			t.Errorf("%s %s: root %v, %d frames, want a new thread %v", c.arch.Name, c.name, root,
				len(frames), c.cloned)
		}
	}
}
