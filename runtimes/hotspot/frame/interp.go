package frame

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/object"
	"coredbg/walk"
)

// Words of a frame of the interpreter, from its frame pointer on.
const (
	senderSP = -1
	methodAt = -3
)

// bcpWords are where a frame of the interpreter has its bytecode pointer: since JDK 9, on aarch64 since 20
// and in updates of 17, before JDK 9. The other words there lead to objects, the stack and data of the
// virtual machine, never into a method's bytecode.
var bcpWords = []int64{-8, -9, -7}

// BytecodeWord returns where a frame of the interpreter has its bytecode pointer, in words from the frame
// pointer. Below it are its locks.
func (d *Decoder) BytecodeWord() int64 {
	d.wordOnce.Do(func() { d.word = d.findBytecodeWord() })
	return d.word
}

// maxWordThreads bounds the threads whose frames are looked at for the bytecode pointer.
const maxWordThreads = 64

// findBytecodeWord takes the word from a frame of the interpreter that has the bytecode pointer in just one.
// The release says it if there is no such frame.
func (d *Decoder) findBytecodeWord() int64 {
	threads, _ := d.Threads()
	for _, t := range threads[:min(len(threads), maxWordThreads)] {
		for _, f := range d.Frames(t) {
			q, ok := f.Record.(*Activation)
			if !ok || q.Tier != "interpreter" || len(q.Scopes) == 0 || q.Scopes[0].Method.Native || f.Exact() {
				continue
			}
			var found []int64
			c := d.Process.Cursor()
			for _, word := range bcpWords {
				if _, ok := q.Scopes[0].Method.BCI(c.Pointer(f.FP.Add(8 * word))); ok && c.Reset() == nil {
					found = append(found, word)
				}
			}
			if len(found) == 1 {
				return found[0]
			}
		}
	}
	java := d.Java()
	switch {
	case d.Process.Arch == core.ARM64 && (java == 0 || java >= 20):
		return -9
	case java == 8:
		return -7
	}
	return -8
}

// interpreter is the name of the blob that the interpreter is in.
const interpreter = "Interpreter"

// maxLocals bounds what lies between a frame of the interpreter and its caller's stack pointer: its locals.
const maxLocals = 8 * (1 << 16)

// interpreted tells what is known of a frame whose code is the interpreter's. It reports whether a method is in it.
func (d *Decoder) interpreted(f *walk.Frame, q *Activation) bool {
	if f.FP == 0 || f.FP%8 != 0 || f.FP < f.SP {
		return false
	}
	c := d.Process.Cursor()
	m, err := d.Method(c.Pointer(f.FP.Add(8 * methodAt)))
	if err != nil || c.Err() != nil {
		return false
	}
	at := -1
	if !m.Native {
		var ok bool
		if at, ok = d.bci(f, m); !ok {
			return false
		}
	}
	q.Tier, q.Scopes = "interpreter", []code.Scope{{Method: m, BCI: at}}
	sp := c.Pointer(f.FP.Add(8 * senderSP))
	if q.Frozen { // a distance, in words
		sp = f.FP.Add(8 * int64(sp))
	}
	if c.Err() != nil || sp < f.FP+16 || sp > f.FP+16+maxLocals {
		sp = f.FP + 16
	}
	q.size = sp - f.SP
	d.chain(f, q, f.FP, sp)
	return true
}

// bci returns the bytecode that a frame of the interpreter is at: in one that was interrupted the register that the
// interpreter has it in, which it writes to the frame before it calls; r13, on aarch64 x22.
func (d *Decoder) bci(f *walk.Frame, m *object.Method) (int, bool) {
	if f.Exact() {
		slot := 13
		if d.Process.Arch == core.ARM64 {
			slot = 22
		}
		if v, ok := f.Regs.Get(slot); ok {
			if bci, ok := m.BCI(core.Addr(v)); ok {
				return bci, true
			}
		}
	}
	c := d.Process.Cursor()
	for _, word := range bcpWords {
		bcp := c.Pointer(f.FP.Add(8 * word))
		if c.Reset() != nil {
			continue
		}
		if bci, ok := m.BCI(bcp); ok {
			return bci, true
		}
	}
	return 0, false
}
