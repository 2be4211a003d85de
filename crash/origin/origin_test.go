package origin_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/origin"
)

const (
	text   = 0x401000
	stack  = 0x7fff0000
	object = 0x600100 // holds 0x405, as a link of glibc's tcache is
	holder = 0x600200 // holds the object's address
	zeros  = 0x600300
	caller = 0x40 // the offset of the function that calls the one at fault
)

// process has code at text and, after caller bytes, a second function.
func process(arch *core.Arch, code, outer string, stacked map[uint64]uint64) *core.Process {
	img, heap, st := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
	copy(img, code)
	copy(img[caller:], outer)
	put := func(at, v uint64) {
		if at >= stack {
			binary.LittleEndian.PutUint64(st[at-stack:], v)
		} else {
			binary.LittleEndian.PutUint64(heap[at-0x600000:], v)
		}
	}
	put(object, 0x405)
	put(holder, object)
	for at, v := range stacked {
		put(at, v)
	}
	return coretest.New(arch).MapProt(text, img, core.Read|core.Exec).MapProt(0x600000, heap, core.Read|core.Write).
		MapProt(stack, st, core.Read|core.Write).Process()
}

func start(a core.Addr) (core.Addr, bool) {
	if a >= text+caller {
		return text + caller, true
	}
	return text, true
}

func regs(arch *core.Arch, named map[string]uint64) (r core.Regs) {
	for name, v := range named {
		r.Set(arch.SlotOf(name), v)
	}
	return r
}

// arm is code of arm64.
func arm(words ...uint32) (s string) {
	for _, w := range words {
		s += string(binary.LittleEndian.AppendUint32(nil, w))
	}
	return s
}

// TestOf follows pointers through code that was assembled with GNU as.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name        string
		arch        *core.Arch
		code, outer string
		pc          core.Addr
		regs        map[string]uint64
		callers     []origin.Frame
		stacked     map[uint64]uint64
		want        []core.Addr
	}{
		{name: "mov (%rdi),%rax; call *0x10(%rax)", arch: core.AMD64, code: "\x48\x8b\x07\xff\x50\x10", pc: text + 3,
			regs: map[string]uint64{"rdi": object, "rax": 0x405, "rsp": stack + 0x800}, want: []core.Addr{object}},
		{name: "another value is there", arch: core.AMD64, code: "\x48\x8b\x07\xff\x50\x10", pc: text + 3,
			regs: map[string]uint64{"rdi": object, "rax": 0x409, "rsp": stack + 0x800}},
		{name: "mov (%rdi),%rax; test; je +2; xor %eax,%eax; mov (%rax),%rax", arch: core.AMD64,
			code: "\x48\x8b\x07\x85\xd2\x74\x02\x31\xc0\x48\x8b\x00", pc: text + 9,
			regs: map[string]uint64{"rdi": zeros, "rax": 0, "rsp": stack + 0x800}, want: []core.Addr{zeros}},
		{name: "mov -8(%rbp),%rax; mov (%rax),%rax; mov (%rax),%rax; mov 8(%rax),%rax", arch: core.AMD64,
			code: "\x48\x8b\x45\xf8\x48\x8b\x00\x48\x8b\x00\x48\x8b\x40\x08", pc: text + 10,
			regs:    map[string]uint64{"rbp": stack + 0x800, "rax": 0x405, "rsp": stack + 0x7f0},
			stacked: map[uint64]uint64{stack + 0x7f8: holder}, want: []core.Addr{object, holder, stack + 0x7f8}},
		{name: "a callee's argument: mov (%rbx),%rdi; call; mov (%rdi),%eax", arch: core.AMD64,
			code: "\x8b\x07", outer: "\x48\x8b\x3b\xe8\xb8\xff\xff\xff", pc: text,
			regs: map[string]uint64{"rbx": object, "rdi": 0x405, "rsp": stack + 0x7f8},
			callers: []origin.Frame{{PC: text + caller + 8,
				Regs: regs(core.AMD64, map[string]uint64{"rbx": object, "rsp": stack + 0x800})}},
			want: []core.Addr{object}},
		{name: "an argument that was stored: mov (%rbx),%rdi; call; mov %rdi,-8(%rbp); mov -8(%rbp),%rax; mov (%rax),%rax", arch: core.AMD64,
			code:  "\x48\x89\x7d\xf8\x48\x8b\x45\xf8\x48\x8b\x00",
			outer: "\x48\x8b\x3b\xe8\xb8\xff\xff\xff", pc: text + 8,
			regs: map[string]uint64{"rbp": stack + 0x700, "rax": 0x405, "rsp": stack + 0x6f0},
			callers: []origin.Frame{{PC: text + caller + 8,
				Regs: regs(core.AMD64, map[string]uint64{"rbx": object, "rsp": stack + 0x800})}},
			stacked: map[uint64]uint64{stack + 0x6f8: 0x405}, want: []core.Addr{stack + 0x6f8, object}},
		{name: "call *0x18(%rdi), and nothing is there", arch: core.AMD64, outer: "\xff\x57\x18", pc: 0,
			regs:    map[string]uint64{"rdi": zeros, "rsp": stack + 0x7f8},
			stacked: map[uint64]uint64{stack + 0x7f8: text + caller + 3}, want: []core.Addr{zeros + 0x18}},
		{name: "jmp *0x18(%rdi) in the function that was called", arch: core.AMD64, code: "\xff\x67\x18",
			outer: "\xe8\xbb\xff\xff\xff", pc: 0,
			regs:    map[string]uint64{"rdi": zeros, "rsp": stack + 0x7f8},
			stacked: map[uint64]uint64{stack + 0x7f8: text + caller + 5}, want: []core.Addr{zeros + 0x18}},
		{name: "a function has returned it: call; mov (%rax),%rax", arch: core.AMD64,
			code: "\xe8\x3b\x00\x00\x00\x48\x8b\x00", pc: text + 5,
			regs: map[string]uint64{"rdi": object, "rax": 0x405, "rsp": stack + 0x800}},
		{name: "ldr x8,[x0]; ldr x8,[x8,#16]", arch: core.ARM64, code: arm(0xf9400008, 0xf9400908), pc: text + 4,
			regs: map[string]uint64{"x0": object, "x8": 0x405}, want: []core.Addr{object}},
		{name: "ldr x8,[x0]; ldr x9,[x8]; blr x9", arch: core.ARM64,
			outer: arm(0xf9400008, 0xf9400509, 0xd63f0120), pc: 0,
			regs: map[string]uint64{"x0": holder, "x8": object, "x9": 0, "x30": text + caller + 12},
			want: []core.Addr{object + 8, holder}},
	} {
		p := process(c.arch, c.code, c.outer, c.stacked)
		frames := append([]origin.Frame{{PC: c.pc, Regs: regs(c.arch, c.regs)}}, c.callers...)
		if got := origin.Trace(t.Context(), &origin.Code{Process: p, Start: start},
			frames); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestArgument: a block that free was given, 16 bytes into another one:
// mov (%rbx),%rax; lea 0x10(%rax),%rdi; call, and a function that adds 8 and calls on.
func TestArgument(t *testing.T) {
	outer := "\x48\x8b\x03\x48\x8d\x78\x10\xe8\xb4\xff\xff\xff"
	p := process(core.AMD64, "\x48\x83\xc7\x08\xe8\x00\x10\x00\x00", outer, nil)
	frames := []origin.Frame{{PC: 0x500000}, {PC: text + 9},
		{PC: text + caller + 12, Regs: regs(core.AMD64, map[string]uint64{"rbx": holder})}}
	v, words, ok := origin.Argument(t.Context(), &origin.Code{Process: p, Start: start}, frames, 0)
	if !ok || v != object+0x18 || !slices.Equal(words, []core.Addr{holder}) {
		t.Errorf("%#x, %v, %v", v, words, ok)
	}
}

// TestLoops: code whose jumps all lead to one another ends.
func TestLoops(t *testing.T) {
	code := ""
	for range 2000 {
		code += "\x74\xfe\x75\xfc" // je to itself, jne to that
	}
	img := make([]byte, 16<<10)
	copy(img, code)
	p := coretest.New(core.AMD64).MapProt(text, img, core.Read|core.Exec).Process()
	f := origin.Frame{PC: text + 8000, Regs: regs(core.AMD64, map[string]uint64{"rax": 0})}
	copy(img[8000:], "\x48\x8b\x00")
	first := func(core.Addr) (core.Addr, bool) { return text, true }
	if got := origin.Trace(t.Context(), &origin.Code{Process: p, Start: first}, []origin.Frame{f}); got != nil {
		t.Errorf("%v", got)
	}
}
