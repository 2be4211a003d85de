package origin

import (
	"slices"

	"coredbg/core"
	"coredbg/core/insn"
)

// A Formula says how code makes a value: Adds[0] is added to the base, and for each further
// number the value is the word at the address so far plus that number.
type Formula struct {
	// Base is the slot of the stack pointer, as it is at the instruction, or of another register
	// as it is when the function begins. It is -1 if the value is a number.
	Base int
	Adds []int64
}

// Equal reports whether two formulas are the same.
func (f *Formula) Equal(g *Formula) bool { return f.Base == g.Base && slices.Equal(f.Adds, g.Adds) }

// Plus returns the formula of a value that is larger by n.
func (f *Formula) Plus(n int64) Formula {
	adds := slices.Clone(f.Adds)
	adds[len(adds)-1] += n
	return Formula{f.Base, adds}
}

// Bounds of a formula.
const (
	maxFormulaSteps = 1 << 11 // instructions that are followed for one value
	maxFormulaWays  = 1 << 10 // instructions, one after the other
	maxFormulaReads = 4       // words that are read one after the other
)

// Formula returns the formula of the value that the register in a slot has before the instruction
// with index i. It returns false if the value is not known: all ways there must make it alike. No
// register survives a call, except the stack pointer, as Go's functions have it.
func (fn *Function) Formula(arch *core.Arch, i, slot int) (Formula, bool) {
	s := &formulas{fn: fn, arch: arch, seen: map[formulaAt]*formulaOf{}}
	f, ok, _ := s.before(i, slot)
	return f, ok
}

// A formulaAt is a register before an instruction.
type formulaAt struct{ i, slot int }

// A formulaOf is what became of the search for a register: nothing yet, a formula, or none.
type formulaOf struct {
	f           Formula
	ok, settled bool
}

// formulas is the search for one formula.
type formulas struct {
	fn          *Function
	arch        *core.Arch
	seen        map[formulaAt]*formulaOf
	steps, ways int
	loops       int // ways that led into places whose search was under way
}

// before follows a register from before the instruction with index i towards the function's start.
// Neutral says that all ways lead into places whose search is under way.
func (s *formulas) before(i, slot int) (f Formula, ok, neutral bool) {
	if slot == s.arch.SP || slot < 0 {
		return Formula{slot, []int64{0}}, true, false
	}
	if s.ways++; s.ways > maxFormulaWays {
		return f, false, false
	}
	defer func() { s.ways-- }()
	at := formulaAt{i, slot}
	s.steps++
	switch known := s.seen[at]; {
	case s.steps > maxFormulaSteps:
		return f, false, false
	case known == nil:
	case known.settled:
		return known.f, known.ok, false
	default:
		s.loops++
		return f, false, true
	}
	of := &formulaOf{}
	s.seen[at] = of
	if i == 0 {
		f, ok = Formula{slot, []int64{0}}, true
	} else {
		f, ok, neutral = s.all(s.fn.Before(i), slot)
	}
	if neutral {
		delete(s.seen, at)
	}
	of.f, of.ok, of.settled = f, ok, true
	return f, ok, neutral
}

// all follows a register on several ways, which must agree.
func (s *formulas) all(ways []int, slot int) (f Formula, ok, neutral bool) {
	neutral = true
	for _, i := range ways {
		g, by, done, known := s.made(i, slot)
		passes, loops := false, s.loops
		if !done {
			g, known, passes = s.before(i, slot)
			if known {
				g = g.Plus(by)
			}
		}
		switch {
		case by != 0 && s.loops > loops: // a loop may add it again
			return f, false, false
		case passes:
			continue
		case !known, ok && !f.Equal(&g):
			return f, false, false
		}
		f, ok, neutral = g, true, false
	}
	return f, ok, neutral
}

// made looks at one instruction: done if it ends the search, with the formula of the value that it
// makes if that is known. Else it adds by to the register.
func (s *formulas) made(i, slot int) (f Formula, by int64, done, known bool) {
	in := &s.fn.List[i]
	if in.Calls {
		return f, 0, true, false
	}
	m, ok := insn.MoveOf(s.arch, in.Code, in.At)
	switch {
	case !ok:
		return f, 0, false, false
	case m.Reg == slot && (m.Kind == insn.Loads || m.Kind == insn.Computes):
		f, ok := s.sum(i, &m.At)
		if m.Kind == insn.Loads && ok {
			f.Adds = append(f.Adds, 0)
			ok = len(f.Adds) <= maxFormulaReads+1
		}
		return f, 0, true, ok
	case slices.Contains(m.Changes, slot):
		return f, 0, true, false
	case m.Sum == slot:
		by = m.By
	}
	return f, by, false, false
}

// sum is the formula of an address that the instruction with index i makes.
func (s *formulas) sum(i int, at *insn.Place) (Formula, bool) {
	if at.Index >= 0 {
		return Formula{}, false
	}
	f, ok, _ := s.before(i, at.Base)
	if !ok {
		return f, false
	}
	return f.Plus(at.Disp), true
}

// Operand returns the formula of the address of the operand in memory of the instruction with index i.
func (fn *Function) Operand(arch *core.Arch, i int) (Formula, bool) {
	places, _ := insn.PlacesOf(arch, fn.List[i].Code, fn.List[i].At)
	if len(places) != 1 {
		return Formula{}, false
	}
	s := &formulas{fn: fn, arch: arch, seen: map[formulaAt]*formulaOf{}}
	return s.sum(i, &places[0])
}

// Pushed returns the formula of the value that was stored at an offset from the stack pointer shortly
// before the instruction with index i, where no other way leads to: an argument on the stack.
func (fn *Function) Pushed(arch *core.Arch, i int, off int64) (Formula, bool) {
	const near = 8
	for n := 0; n < near && i > 0; n++ {
		ways := fn.Before(i)
		if len(ways) != 1 || fn.List[ways[0]].Calls {
			break
		}
		i = ways[0]
		if m, ok := fn.Store(arch, i); ok && m.At.Disp == off {
			return fn.Formula(arch, i, m.Reg)
		}
	}
	return Formula{}, false
}

// Store returns the store of a whole register at a fixed offset from the stack pointer that the instruction
// with index i is.
func (fn *Function) Store(arch *core.Arch, i int) (insn.Move, bool) {
	m, ok := insn.MoveOf(arch, fn.List[i].Code, fn.List[i].At)
	return m, ok && m.Kind == insn.Stores && m.At.Base == arch.SP && m.At.Index < 0
}
