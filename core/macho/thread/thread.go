package thread

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// le reads the words of the formats in this package.
var le = binary.LittleEndian

// Flavors of thread states (xnu-11417, osfmk/mach/i386/thread_status.h and
// osfmk/mach/arm/thread_status.h).
const (
	x86ThreadState64    = 4
	x86FloatState64     = 5
	x86ExceptionState64 = 6
	x86ThreadState      = 7 // 7, 8, 9 begin with the flavor and count inside
	x86FloatState       = 8
	x86ExceptionState   = 9
	x86AVXState64       = 17
	x86AVX512State64    = 20
	x86FullState64      = 23

	armThreadState      = 1 // begins with the flavor and count inside
	armThreadState64    = 6
	armExceptionState64 = 7
	armExceptionStateV2 = 10
	armNEONState64      = 17
)

// A state is one flavor of a thread.
type state struct {
	flavor uint32
	data   []byte
}

// A Thread is an LC_THREAD before it is a core.Thread.
type Thread struct {
	states []state
	fault  *Fault
}

// Fault returns why the processor stopped the thread; nil if it did not.
func (t *Thread) Fault() *Fault { return t.fault }

// Parse splits an LC_THREAD into its flavors and opens the unified forms.
// It returns false if a count leads out of the command; what came before that
// is kept.
func Parse(cputype uint32, b []byte) (t Thread, whole bool) {
	for b = b[8:]; len(b) >= 8; {
		flavor, size := le.Uint32(b), uint64(le.Uint32(b[4:]))*4
		b = b[8:]
		if size > uint64(len(b)) {
			return t, false
		}
		t.add(cputype, flavor, b[:size:size])
		b = b[size:]
	}
	return t, true
}

func (t *Thread) add(cputype, flavor uint32, d []byte) {
	unified := cputype == format.CPUX86_64 && flavor >= x86ThreadState && flavor <= x86ExceptionState ||
		cputype == format.CPUARM64 && flavor == armThreadState
	if unified && len(d) >= 8 {
		flavor = le.Uint32(d)
		d = d[8:min(uint64(len(d)), 8+uint64(le.Uint32(d[4:]))*4)]
	}
	if cputype == format.CPUX86_64 && flavor == x86FullState64 && len(d) >= 168 {
		flavor = x86ThreadState64 // the same words, then ds, es, ss, gsbase
	}
	t.states = append(t.states, state{flavor, d})
	if f := faultOf(cputype, flavor, d); f != nil {
		t.fault = f
	}
}

// The general registers of x86_THREAD_STATE64 in its order. Slots are numbered as in core.AMD64; -1
// marks registers that unwinding does not need.
var x86General = []struct {
	name string
	slot int
}{{"rax", 0}, {"rbx", 3}, {"rcx", 2}, {"rdx", 1}, {"rdi", 5}, {"rsi", 4}, {"rbp", 6}, {"rsp", 7},
	{"r8", 8}, {"r9", 9}, {"r10", 10}, {"r11", 11}, {"r12", 12}, {"r13", 13}, {"r14", 14}, {"r15", 15},
	{"rip", 16}, {"rflags", -1}, {"cs", -1}, {"fs", -1}, {"gs", -1}}

// arm64Words is the number of 64-bit registers of ARM_THREAD_STATE64: x0 to
// x28, fp, lr, sp, pc.
const arm64Words = 33

// Core makes a thread of the vocabulary. Registers that the command lacks
// are unknown. Code addresses are stripped with strip: a thread state keeps lr,
// fp and sp as they were in the registers.
func (t *Thread) Core(cputype uint32, tid int, strip func(core.Addr) core.Addr) *core.Thread {
	th := &core.Thread{TID: tid, State: "Native", Registers: func() []core.Register { return t.registers(cputype) }}
	for _, s := range t.states {
		switch {
		case cputype == format.CPUX86_64 && s.flavor == x86ThreadState64:
			for i, r := range x86General {
				if r.slot >= 0 && len(s.data) >= 8*i+8 {
					th.Regs.Set(r.slot, le.Uint64(s.data[8*i:]))
				}
			}
			if len(s.data) >= 176+24 { // x86_THREAD_FULL_STATE64: gsbase
				th.TLS = core.Addr(le.Uint64(s.data[len(s.data)-8:]))
			}
		case cputype == format.CPUARM64 && s.flavor == armThreadState64:
			for i := 0; i < arm64Words && len(s.data) >= 8*i+8; i++ {
				th.Regs.Set(i, le.Uint64(s.data[8*i:]))
			}
			if pc, ok := th.Regs.Get(32); ok {
				th.Regs.Set(32, uint64(strip(core.Addr(pc))))
			}
		}
	}
	return th
}

// registers decodes everything that the thread has.
func (t *Thread) registers(cputype uint32) (out []core.Register) {
	for _, s := range t.states {
		d := s.data
		word := func(name, set string, off, size int) {
			if off+size > len(d) {
				return
			}
			r := core.Register{Name: name, Size: size, Set: set}
			if size > 8 {
				r.Bytes = d[off : off+size]
			}
			for i := 0; i < size && size <= 8; i++ {
				r.Value |= uint64(d[off+i]) << (8 * i)
			}
			out = append(out, r)
		}
		if cputype == format.CPUX86_64 {
			x86Registers(s.flavor, word)
		} else {
			arm64Registers(s.flavor, word)
		}
	}
	return out
}

func x86Registers(flavor uint32, word func(name, set string, off, size int)) {
	switch flavor {
	case x86ThreadState64:
		for i, r := range x86General {
			word(r.name, "general", 8*i, 8)
		}
	case x86FloatState64, x86AVXState64, x86AVX512State64:
		word("fctrl", "fp", 8, 2)
		word("fstat", "fp", 10, 2)
		word("ftag", "fp", 12, 1)
		word("fop", "fp", 14, 2)
		for i := range 8 {
			word(fmt.Sprintf("st%d", i), "fp", 40+16*i, 10)
		}
		word("mxcsr", "vector", 32, 4)
		for i := range 16 {
			word(fmt.Sprintf("xmm%d", i), "vector", 168+16*i, 16)
		}
	case x86ExceptionState64:
		word("trapno", "exception", 0, 2)
		word("err", "exception", 4, 4)
		word("faultvaddr", "exception", 8, 8)
	}
}

func arm64Registers(flavor uint32, word func(name, set string, off, size int)) {
	switch flavor {
	case armThreadState64:
		for i := range arm64Words {
			word(core.ARM64.RegNames[i], "general", 8*i, 8)
		}
		word("cpsr", "general", 264, 4)
	case armExceptionState64:
		word("far", "exception", 0, 8)
		word("esr", "exception", 8, 4)
	case armExceptionStateV2:
		word("far", "exception", 0, 8)
		word("esr", "exception", 8, 8)
	case armNEONState64:
		for i := range 32 {
			word(fmt.Sprintf("v%d", i), "vector", 16*i, 16)
		}
		word("fpsr", "fp", 512, 4)
		word("fpcr", "fp", 516, 4)
	}
}
