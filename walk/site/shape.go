package site

import (
	"bytes"
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// behindPC is how much of a function is read after the instruction in question, where jumps
// may come back from, in bytes.
const behindPC = 8 << 10

// MaxProofCode is how much code of a function a proof follows at most, in bytes.
const MaxProofCode = 32 << 10

// maxProofInsns bounds the instructions that a proof follows, maxCallSites the call sites that are kept
// for all walks of a process.
const (
	maxProofInsns = 1 << 11
	maxCallSites  = 1 << 13
)

// A CallSite is a function that was called, and how far it had got.
type CallSite struct {
	Callee core.Addr // where the function begins
	PC     core.Addr // the instruction in it
}

// shape analyses the function around s.
func (t *Text) shape(s *Site) *isa.Shape {
	if !s.Exec {
		return nil
	}
	if s.exact {
		if shape, ok := t.Returns(s.PC); ok {
			return &shape
		}
	}
	if t.Set.Prologue == nil {
		return nil
	}
	lookup := s.PC
	if !s.exact {
		if t.exits(s.PC) {
			return &isa.Shape{Entry: true}
		}
		lookup--
	}
	var body *isa.Shape
	if start, known := t.FuncStart(lookup); known && lookup-start < isa.MaxCode {
		code, _ := t.Process.Space.Slice(start, int(s.PC-start)+behindPC)
		if len(code) >= int(s.PC-start) {
			if shape, ok := t.Set.Prologue(code, int(s.PC-start), isa.MaxInsns); ok || shape.Entry {
				body = &shape
			}
		}
	}
	if body != nil || !s.exact || t.Set.Entered == nil {
		return body
	}
	const around = 4
	before, err := t.Process.Space.Slice(s.PC-around, around)
	if err != nil {
		before = nil
	}
	after, _ := t.Process.Space.Slice(s.PC, 8)
	if shape, ok := t.Set.Entered(t.Process.Arch, before, after); ok {
		return &shape
	}
	return nil
}

// exits reports whether the code at pc ends the thread with the value that was just returned, as it
// does after the call of a thread's function.
func (t *Text) exits(pc core.Addr) bool {
	const longest = 16
	code, _ := t.Process.Space.Slice(pc, longest)
	return slices.ContainsFunc(t.Set.Exits, func(exit []byte) bool { return bytes.HasPrefix(code, exit) })
}

// Returns reports whether the instruction at pc is a return, and how much of the
// frame is left there.
func (t *Text) Returns(pc core.Addr) (isa.Shape, bool) {
	if t.Set.Returns == nil {
		return isa.Shape{}, false
	}
	code, _ := t.Process.Space.Slice(pc, isa.LongestInsn)
	return t.Set.Returns(t.Process.Arch, code)
}

// ProofShape analyses a function up to an instruction of it; nil if the one does
// not lead to the other, or if too many were analysed before.
func (t *Text) ProofShape(c CallSite) *isa.Shape {
	t.mu.RLock()
	shape, ok := t.callSites[c]
	full := len(t.callSites) >= maxCallSites
	t.mu.RUnlock()
	if ok || full {
		return shape
	}
	n := int(c.PC - c.Callee)
	code, _ := t.Process.Space.Slice(c.Callee, n+behindPC)
	if len(code) >= n {
		if s, ok := t.Set.Prologue(code, n, maxProofInsns); ok && s.Sure {
			shape = &s
		}
	}
	t.mu.Lock()
	t.callSites[c] = shape
	t.mu.Unlock()
	return shape
}
