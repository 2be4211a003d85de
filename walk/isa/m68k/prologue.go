package m68k

import (
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// A flow follows the instructions of a function along its jumps, from its start to one
// of them.
type flow struct {
	code []byte
	pc   int
	seen []uint64 // bit i: the instruction at offset i was followed
	// targets has bit i set if a direct jump leads to offset i.
	targets []uint64
	queued  []uint64 // bit i: a jump to offset i was, or is to be followed
	pending []point
	// behind are the points after calls, and late the ones that a jump leads to as well. They are
	// followed after all others: a call may not return, and the code after it then has another frame,
	// which a jump brings.
	behind, late []point
	budget       int
}

// maxPoints bounds the points that are kept, and maxStored the words of the stack that each keeps.
const (
	maxPoints = 1 << 12
	maxStored = 64
)

// A point is an instruction with the function's effects on the way to it.
type point struct {
	at  int
	way isa.Way
	// lost is set where the stack pointer is not known.
	lost bool
	// called is set where the call that ends at pc was made.
	called bool
}

// prologue returns the frame that the function in code has at pc.
func prologue(code []byte, pc, budget int) (isa.Shape, bool) {
	if pc < 0 || pc > len(code) {
		return isa.Shape{}, false
	}
	w := &flow{code: code, pc: pc, budget: budget,
		seen: make([]uint64, len(code)/64+1), targets: make([]uint64, len(code)/64+1),
		queued: make([]uint64, len(code)/64+1)}
	w.pending = []point{{way: isa.NewWay(core.M68K)}}
	w.collect()
	// A jump may lead to pc as well as a call that ends there. If the frames differ, the
	// call does not return, and pc is more often on the stack than executed.
	_, _, afterCall := call(code[max(0, pc-isa.CallBytes):pc])
	var jumped *point
	for {
		p, ok := w.pop()
		switch {
		case !ok && jumped == nil:
			return isa.Shape{}, false
		case !ok:
			return jumped.shape()
		case !w.follow(&p):
		case !p.called && afterCall:
			jumped = &p
		default:
			return p.shape()
		}
	}
}

func bit(set []uint64, at int) bool { return set[at/64]>>(at%64)&1 != 0 }

// collect notes which offsets direct jumps lead to, reading one instruction after the
// other.
func (w *flow) collect() {
	for at, n := 0, 0; at < len(w.code) && n < w.budget; n++ {
		c := control(core.M68K, w.code[at:])
		if to := int64(at) + c.Target; (c.Kind == isa.Branches || c.Kind == isa.Jumps) && to >= 0 &&
			to < int64(len(w.code)) {
			w.targets[to/64] |= 1 << (to % 64)
		}
		at += max(c.Size, 2)
	}
}

// pop takes the next point to follow.
func (w *flow) pop() (p point, ok bool) {
	if n := len(w.pending); n > 0 {
		p, w.pending = w.pending[n-1], w.pending[:n-1]
		return p, true
	}
	for _, q := range []*[]point{&w.behind, &w.late} {
		if len(*q) > 0 {
			p, *q = (*q)[0], (*q)[1:]
			return p, true
		}
	}
	return point{}, false
}

// follow runs along from p, and reports whether it came to pc.
func (w *flow) follow(p *point) bool {
	for {
		if p.at == w.pc {
			return true
		}
		if p.at < 0 || p.at >= len(w.code) || bit(w.seen, p.at) || w.budget <= 0 {
			return false
		}
		w.budget--
		w.seen[p.at/64] |= 1 << (p.at % 64)
		in, ok := decode(w.code[p.at:])
		if !ok {
			return false
		}
		c := control(core.M68K, w.code[p.at:])
		here := p.at
		switch p.at += c.Size; c.Kind {
		case isa.Passes, isa.Branches:
			if p.step(&in); c.Kind == isa.Branches {
				w.later(p, here+int(c.Target))
			}
		case isa.Jumps:
			p.at = here + int(c.Target)
		case isa.Calls:
			if p.called = p.at == w.pc; !p.called {
				w.passed(p)
				return false
			}
		case isa.Indirect:
			for _, to := range tableTargets(w.code, here) {
				w.later(p, to)
			}
			return false
		default:
			return false
		}
	}
}

// later notes that a jump of p goes to an offset.
func (w *flow) later(p *point, to int) {
	if to >= 0 && to < len(w.code) && !bit(w.seen, to) && !bit(w.queued, to) && w.room() {
		w.queued[to/64] |= 1 << (to % 64)
		w.pending = append(w.pending, point{at: to, way: p.way.Clone(), lost: p.lost})
	}
}

// room reports whether another point may be kept.
func (w *flow) room() bool { return len(w.pending)+len(w.behind)+len(w.late) < maxPoints }

// passed notes where a call returns to.
func (w *flow) passed(p *point) {
	if !w.room() {
		return
	}
	if p.at < len(w.code) && bit(w.targets, p.at) {
		w.late = append(w.late, *p)
	} else {
		w.behind = append(w.behind, *p)
	}
}

// step does what an instruction does.
func (p *point) step(in *insn) {
	known := way{&p.way}.step(in)
	switch in.op {
	case 0x4e5e, 0x2e4e, 0x4fee: // unlk %fp; movea.l %fp,%sp; lea %fp@(…),%sp
		p.lost = !known
	default:
		p.lost = p.lost || !known
	}
	// Words taken off the stack are no longer there.
	gone := func(st isa.Stored) bool {
		return !p.lost && !st.At.FromFP && !p.way.SP.FromFP && st.At.Off < p.way.SP.Off
	}
	if slices.ContainsFunc(p.way.Stored, gone) {
		p.way.Stored = slices.DeleteFunc(slices.Clone(p.way.Stored), gone) // which a jump's point may have, too
	}
	if len(p.way.Stored) > maxStored {
		p.way.Stored = p.way.Stored[:maxStored:maxStored]
	}
}

// shape is the frame at p, which the function's start is known to lead to.
func (p *point) shape() (s isa.Shape, ok bool) {
	const word = 4
	arch := core.M68K
	base := p.way.SP
	if p.lost || base.FromFP {
		base, s.FromFP = p.way.FP, true
		if !p.way.FPKnown || base.FromFP {
			return isa.Shape{}, false
		}
	} else if fp := p.way.FP; p.way.FPKnown && !fp.FromFP {
		base, s.FromFP = fp, true
	}
	s.Sure, s.CFAOff, s.Saved[arch.PC] = true, word-base.Off, word
	for _, st := range p.way.Stored {
		below := word - st.At.Off
		if st.Value.Kind == isa.Own && !st.At.FromFP && below > 0 && below < 1<<30 && s.Saved[st.Slot] == 0 &&
			arch.CalleeSaved>>uint(st.Slot)&1 != 0 {
			s.Saved[st.Slot] = int32(below)
		}
	}
	return s, s.CFAOff >= 0
}
