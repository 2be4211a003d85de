package frame

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// CodeInfo is machine code that V8 made or carries.
type CodeInfo struct {
	Word     layout.Tagged // the Code; 0 for builtins of the image
	Tier     string        // "baseline", "maglev", "turbofan", "builtin", "interpreter" for its copies, "jit"
	Kind     int           // V8's CodeKind; -1 for builtins of the image
	Start    core.Addr
	Size     uint64        // bytes of instructions; 0 if unknown
	Name     string        // of the function, or of the builtin
	Function layout.Tagged // SharedFunctionInfo; 0 if unknown
	Bytecode layout.Tagged // what baseline code was made from
	// Inlined are the functions that were compiled into it.
	Inlined    []layout.Tagged
	Safepoints []Safepoint
	// DeoptExits counts the places where it can go back to the interpreter.
	DeoptExits int
	// Problem says what could not be read.
	Problem error
}

// A Safepoint is a call in optimized code where the collector and the deoptimizer know the contents of the
// frame.
type Safepoint struct {
	PC    uint64 // offset of the return address from the start of the instructions
	Deopt int    // index of its deoptimization entry; -1 without one
	// BytecodeOffset of the innermost function there; -1 if unknown.
	BytecodeOffset int
}

// CodeInfo describes the code at a: a pc, or the address of a Code or
// InstructionStream, tagged or not.
func (dec *Deopt) CodeInfo(a core.Addr) (*CodeInfo, error) {
	if c := dec.objects.CodeObject(layout.Tag(a &^ 3)); c != nil {
		return dec.codeInfo(c), nil
	}
	switch p := dec.objects.Place(a); {
	case p.Kind == code.InBlob:
		i := &CodeInfo{Tier: "builtin", Kind: -1, Name: p.Builtin, Start: a - core.Addr(p.Off)}
		if s, _, ok := dec.Symbols.Lookup(p.Home); ok && p.Builtin != "" {
			i.Size = s.Size
		}
		return i, nil
	case p.Code != nil:
		return dec.codeInfo(p.Code), nil
	case p.Kind == code.InJIT:
		return nil, fmt.Errorf("v8: %v is in executable memory of V8, but in no code object", a)
	}
	return nil, fmt.Errorf("v8: %v is not code of V8", a)
}

func (dec *Deopt) codeInfo(c *code.Code) *CodeInfo {
	i := &CodeInfo{Word: c.Obj, Tier: dec.objects.Tier(c.Kind), Kind: c.Kind, Start: c.Start, Size: c.Size}
	if c.Kind == dec.Layout.Code.KindBuiltin {
		i.Tier = "builtin"
	}
	if s, ok := dec.objects.CodeShared(c); ok {
		i.Function, i.Name = s, dec.objects.SharedName(s)
		i.Inlined = dec.inlinedFunctions(c)
		i.Safepoints, i.Problem = dec.safepoints(c)
		i.DeoptExits = dec.DeoptExits(c)
		return i
	}
	if b, ok := dec.ProtectedField(c.Obj, dec.Layout.Code.DeoptData); ok && c.Kind == dec.Layout.Code.KindBaseline {
		if dec.Is(b, dec.Types.InterpreterData) {
			b, _ = dec.ProtectedField(b, dec.Layout.InterpreterData.BytecodeArray)
		}
		if dec.Is(b, dec.Types.BytecodeArray) {
			i.Bytecode = b
		}
	}
	return i
}

// inlinedFunctions returns the functions that optimised code has compiled in,
// each once.
func (dec *Deopt) inlinedFunctions(c *code.Code) []layout.Tagged {
	var out []layout.Tagged
	seen := map[layout.Tagged]bool{}
	for n := range maxInlined {
		_, s, ok := dec.inlinedCall(c, n)
		if !ok {
			break
		}
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// DeoptExits counts the entries of the deoptimization data, three words each.
func (dec *Deopt) DeoptExits(c *code.Code) int {
	d, ok := dec.objects.DeoptData(c)
	if !ok {
		return 0
	}
	n, ok := dec.ArrayLength(d)
	if !ok {
		return 0
	}
	return max(0, (n-dec.Layout.DeoptimizationData.FirstEntry)/3)
}

// Runs reports whether the code of f, for the interpreter or the machine, holds
// the address.
func (dec *Deopt) Runs(f *heap.SharedFunction, at core.Addr) bool {
	for _, c := range f.Codes {
		if at >= c.Start && uint64(at-c.Start) < c.Size {
			return true
		}
	}
	if f.Bytecode == 0 {
		return false
	}
	n, ok := dec.BytecodeLength(f.Bytecode)
	start := f.Bytecode.Addr()
	return ok && n >= 0 && at >= start && at < start.Add(int64(dec.Layout.BytecodeArray.Data+n))
}

// safepoints reads the safepoint table of optimised code.
func (dec *Deopt) safepoints(c *code.Code) ([]Safepoint, error) {
	t, err := dec.SafepointTable(c)
	if err != nil {
		return nil, err
	}
	d, _ := dec.objects.DeoptData(c)
	var out []Safepoint
	for p := range t.All() {
		s := Safepoint{PC: uint64(p.PC), Deopt: p.Deopt, BytecodeOffset: -1}
		if p.Deopt >= 0 {
			if off, ok := dec.SmiElement(d, dec.Layout.DeoptimizationData.FirstEntry+3*p.Deopt); ok && off >= 0 {
				s.BytecodeOffset = off
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// CodeAround describes the machine code that contains an address, for WhatIs.
func (dec *Deopt) CodeAround(a core.Addr) (string, bool) {
	if dec.objects.Place(a).Kind == code.Elsewhere {
		return "", false
	}
	i, err := dec.CodeInfo(a)
	if err != nil || i.Name == "" && i.Word == 0 {
		return "", false
	}
	s := i.Tier + " code"
	if i.Name != "" {
		s += " of " + i.Name
	}
	if i.Word != 0 {
		s += fmt.Sprintf(" (Code %v)", core.Addr(i.Word))
	}
	return fmt.Sprintf("%s, %#x bytes after its start", s, uint64(a-i.Start)), true
}
