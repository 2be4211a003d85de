package origin

import (
	"coredbg/core"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
)

// An Instruction is one of a function.
type Instruction struct {
	At       core.Addr
	Code     []byte
	To       core.Addr // of a direct jump, branch or call
	Direct   bool
	Calls    bool
	Indirect bool // a jump
	Ends     bool // the next instruction is not executed after this one
}

// Next returns the address after the instruction.
func (in *Instruction) Next() core.Addr { return in.At + core.Addr(len(in.Code)) }

// A Function is the instructions of a function, or of its part up to a place.
type Function struct {
	List  []Instruction
	jumps map[core.Addr][]int // direct jumps, by where they lead
}

// NewFunction decodes code at address start, at most the given number of instructions. It ends early where
// an instruction is not understood.
func NewFunction(arch *core.Arch, code []byte, start core.Addr, most int) *Function {
	fn := &Function{List: decode(arch, code, start, most), jumps: map[core.Addr][]int{}}
	for i := range fn.List {
		if in := &fn.List[i]; in.Direct && !in.Calls {
			fn.jumps[in.To] = append(fn.jumps[in.To], i)
		}
	}
	return fn
}

// Before returns the instructions that may come right before the one with index i, by their indices. Jumps to the
// function's start are left out.
func (fn *Function) Before(i int) []int {
	if i == 0 {
		return nil
	}
	var list []int
	if in := &fn.List[i-1]; !in.Ends {
		list = append(list, i-1)
	}
	for _, k := range fn.jumps[fn.List[i].At] {
		if k != i-1 || fn.List[k].Ends {
			list = append(list, k)
		}
	}
	return list
}

func decode(arch *core.Arch, code []byte, start core.Addr, most int) (out []Instruction) {
	set := sets.For(arch)
	if set.Control == nil {
		return nil
	}
	for at := start; len(out) < most; {
		rest := code[min(int(at-start), len(code)):]
		if len(rest) == 0 {
			break
		}
		c := set.Control(arch, rest)
		if c.Kind == isa.Unknown || c.Size <= 0 || c.Size > len(rest) {
			break
		}
		in := Instruction{At: at, Code: rest[:c.Size]}
		switch c.Kind {
		case isa.Branches, isa.Jumps:
			in.To, in.Direct, in.Ends = at.Add(c.Target), true, c.Kind == isa.Jumps
		case isa.Calls:
			in.Calls = true
			if to, direct, ok := set.Call(in.Code); ok && direct {
				in.To, in.Direct = in.Next().Add(to), true
			}
		case isa.Returns, isa.Stops:
			in.Ends = true
		case isa.Indirect:
			in.Ends, in.Indirect = true, true
		}
		out = append(out, in)
		at += core.Addr(c.Size)
	}
	return out
}
