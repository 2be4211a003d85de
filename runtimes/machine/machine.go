// Package machine runs functions of a dead process on a copy of its memory, to learn from a program's
// own code facts that no symbol gives: the result of a member function for an object of the core.
//
// Nothing is executed on the processor. Instructions are decoded one by one and carried out on
// registers and memory of a Machine; their writes stay in the Machine, and the core is only read.
//
// An unavailable value (memory that the core lacks, the result of an unknown instruction or a system
// call) is unknown, and so are values computed from it. A function that branches on an unknown value,
// or that is not understood, returns unknown and leaves no trace in memory: its caller goes on.
//
// LIMITATIONS: x86-64 (Intel SDM volume 2), the integer instructions that compilers use for code
// without floating point, and moves of vectors. Other threads do not run: a held lock stays held, and
// counts as not understood. On aarch64 a Runner (For) runs only short functions, by package isa's
// description of their instructions: values moved by vectors are unknown, and a store to an unknown
// address is taken to hit nothing.
package machine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// Limits of one Call.
const (
	maxSteps = 4 << 20
	maxDepth = 64
	maxDirty = 1 << 18 // words written
)

// A Value is a word that may be unknown.
type Value struct {
	N     uint64
	Known bool
}

func known(n uint64) Value { return Value{n, true} }

// A Machine is the processor and the memory that functions run on.
type Machine struct {
	// Memory is what the process had; it is not written to.
	Memory core.Memory
	// TLS is the thread pointer, 0 if it is unknown.
	TLS core.Addr
	// MaxSteps bounds the instructions of one Call.
	MaxSteps int
	// How, if it is set, says for each function that is called how to treat it.
	How func(fn core.Addr) Treatment
	// Calls, if it is set, is called with each function that is called and its first
	// argument; Lost each that could not be followed, and why.
	Calls func(fn core.Addr, argument Value)
	Lost  func(fn core.Addr, why error)
	// Loads, if it is set, is called with each word of 8 bytes that is read.
	Loads func(a core.Addr, n uint64)

	r     [16]Value  // rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15
	part  [16]uint64 // of a register that is unknown as a whole, the bits that are known
	x     [16][2]Value
	flags flags
	pc    uint64
	dirty map[uint64]word // what was written, by address, a multiple of 8
	log   []write         // what dirty was, to be undone
	steps int

	decoded map[uint64]*x86asm.Inst
}

// A word has the bits of n that are set in known.
type word struct{ n, known uint64 }

type write struct {
	at  uint64
	was word
	had bool
}

// A Treatment says what happens where a function is called.
type Treatment uint8

// The treatments.
const (
	Follow Treatment = iota // its code is run
	Skip                    // it does nothing and returns unknown
	End                     // it does not return: its caller cannot be followed
)

// Registers by their number in machine code.
const (
	rax = iota
	rcx
	rdx
	rbx
	rsp
	rbp
	rsi
	rdi
)

// A stack of its own lies where no process has memory: after the lower half
// of the addresses, before the upper.
const (
	stackTop = 0x0000_7fff_ffff_0000
	// returnTo is where the function called first returns to.
	returnTo = 0x0000_7fff_ffff_fff0
)

// Scratch is memory for results: a known zero, 64 KiB long.
const Scratch core.Addr = stackTop + 0x1000

// New returns a machine over the memory of a process.
func New(memory core.Memory, tls core.Addr) *Machine {
	return &Machine{Memory: memory, TLS: tls, MaxSteps: maxSteps, dirty: map[uint64]word{},
		decoded: map[uint64]*x86asm.Inst{}}
}

// errUnknown is the reason why most functions are not followed.
var errUnknown = errors.New("machine: a branch or an address depends on an unknown value")

// errSteps is the reason where a function does not return in time.
var errSteps = errors.New("machine: it takes too long")

// errNotKnown is the reason where an instruction is not understood.
var errNotKnown = errors.New("machine: the instruction is not understood")

// errEnds is the reason where a function was called that does not return.
var errEnds = errors.New("machine: it would have ended the process")

// Call runs the function at fn with integer arguments and returns what it
// returns in rax. The error says why it could not be followed; what it has
// stored by then can be read with Load.
func (m *Machine) Call(fn core.Addr, args ...uint64) (Value, error) {
	m.r, m.part, m.x, m.flags = [16]Value{}, [16]uint64{}, [16][2]Value{}, flags{}
	m.log = nil
	for i, a := range args[:min(len(args), 6)] {
		m.r[[6]int{rdi, rsi, rdx, rcx, 8, 9}[i]] = known(a)
	}
	m.steps = 0
	m.r[rsp] = known(stackTop - 0x100)
	if err := m.push(known(returnTo)); err != nil {
		return Value{}, err
	}
	m.pc = uint64(fn)
	err := m.run(returnTo, 0)
	return m.r[rax], err
}

// Second returns what the function that was called last left in rdx: the second half of a
// result of two words.
func (m *Machine) Second() Value { return m.r[rdx] }

// Load reads size bytes, at most 8, as functions run so far have left them.
func (m *Machine) Load(a core.Addr, size int) Value { return m.load(uint64(a), size) }

// run goes on until the function returns to the given address.
func (m *Machine) run(end uint64, depth int) error {
	if depth > maxDepth {
		return errors.New("machine: calls are nested too deep")
	}
	for m.pc != end {
		if m.steps++; m.steps > m.MaxSteps {
			return errSteps
		}
		if err := m.step(depth); err != nil {
			return fmt.Errorf("at %#x: %w", m.pc, err)
		}
	}
	return nil
}

// call runs a called function; if it cannot be followed, as if it had returned
// an unknown value and done nothing else. A limit on steps ends everything.
func (m *Machine) call(target Value, next uint64, depth int) error {
	if m.Calls != nil && target.Known {
		m.Calls(core.Addr(target.N), m.r[rdi])
	}
	saved, part, mark := m.r, m.part, len(m.log)
	err, how := errUnknown, Skip
	if target.Known {
		if how = Follow; m.How != nil {
			how = m.How(core.Addr(target.N))
		}
	}
	switch how {
	case End:
		return errEnds
	case Follow:
		if err = m.push(known(next)); err == nil {
			m.pc = target.N
			err = m.run(next, depth+1)
		}
	}
	if m.steps > m.MaxSteps {
		return err
	}
	m.pc = next
	if err == nil {
		return nil
	}
	if m.Lost != nil && target.Known {
		m.Lost(core.Addr(target.N), err)
	}
	m.undo(mark)
	m.r, m.part = saved, part
	m.forget()
	return nil
}

// forget makes unknown what a function may change: System V ABI, x86-64, 3.2.1.
func (m *Machine) forget() {
	for _, r := range []int{rax, rcx, rdx, rsi, rdi, 8, 9, 10, 11} {
		m.r[r], m.part[r] = Value{}, 0
	}
	m.x = [16][2]Value{}
	m.flags = flags{}
}

// undo takes back what was written since the log had mark entries.
func (m *Machine) undo(mark int) {
	for i := len(m.log) - 1; i >= mark; i-- {
		w := m.log[i]
		if w.had {
			m.dirty[w.at] = w.was
		} else {
			delete(m.dirty, w.at)
		}
	}
	m.log = m.log[:mark]
}

// word reads the aligned word at a.
func (m *Machine) word(a uint64) word {
	if w, ok := m.dirty[a]; ok {
		return w
	}
	if a >= stackTop-0x100000 && a < returnTo {
		return word{0, ^uint64(0)}
	}
	var b [8]byte
	n, _ := m.Memory.ReadAt(b[:], core.Addr(a))
	return word{binary.LittleEndian.Uint64(b[:]), mask(n)}
}

// load reads 1, 2, 4 or 8 bytes.
func (m *Machine) load(a uint64, size int) Value {
	at, shift := a&^7, uint(a&7)*8
	w := m.word(at)
	n, have := w.n>>shift, w.known>>shift
	if shift+uint(size)*8 > 64 {
		high := m.word(at + 8)
		n |= high.n << (64 - shift)
		have |= high.known << (64 - shift)
	}
	x := Value{n & mask(size), have&mask(size) == mask(size)}
	if m.Loads != nil && size == 8 && x.Known {
		m.Loads(core.Addr(a), n)
	}
	return x
}

// store writes 1, 2, 4 or 8 bytes.
func (m *Machine) store(a uint64, size int, x Value) error {
	if len(m.log) > maxDirty {
		return errors.New("machine: it writes too much")
	}
	at, shift := a&^7, uint(a&7)*8
	m.merge(at, mask(size)<<shift, x.N<<shift, x.Known)
	if shift+uint(size)*8 > 64 {
		m.merge(at+8, mask(size)>>(64-shift), x.N>>(64-shift), x.Known)
	}
	return nil
}

// merge sets some bits of the word at a multiple of 8.
func (m *Machine) merge(at, bits, n uint64, ok bool) {
	was, had := m.dirty[at]
	m.log = append(m.log, write{at, was, had})
	w := m.word(at)
	w.n, w.known = w.n&^bits|n&bits, w.known&^bits
	if ok {
		w.known |= bits
	}
	m.dirty[at] = w
}

// mask returns the bits of that many bytes.
func mask(size int) uint64 {
	if size >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*uint(size)) - 1
}

func (m *Machine) push(x Value) error {
	if !m.r[rsp].Known {
		return errUnknown
	}
	m.r[rsp].N -= 8
	return m.store(m.r[rsp].N, 8, x)
}

func (m *Machine) pop() (Value, error) {
	if !m.r[rsp].Known {
		return Value{}, errUnknown
	}
	x := m.load(m.r[rsp].N, 8)
	m.r[rsp].N += 8
	return x, nil
}

// Poison makes n bytes at a unknown, for results that a function may not store.
func (m *Machine) Poison(a core.Addr, n int) {
	for i := 0; i < n; i += 8 {
		m.dirty[uint64(a)&^7+uint64(i)] = word{}
	}
}
