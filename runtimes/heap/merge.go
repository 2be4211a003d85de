package heap

import "slices"

// merge adds what a rule found to the suspects: to the accumulations that it explains, of
// which the strongest stays, or as one of its own.
func (s *suspector) merge(list []Suspect, f *finding) []Suspect {
	var into *Suspect
	out := list[:0]
	for _, x := range list {
		within := s.within(&x, f)
		if x.Evidence != nil {
			within = into == nil && (s.joins(&x, f) || within)
			if out = append(out, x); within {
				into = &x // a rule before this one says more of the same
			}
			continue
		}
		if x.Kind == Single && !f.rule.Explains && len(f.ids) > 1 && slices.Contains(f.ids, x.Example) {
			continue // it is one of several objects that the rule knows
		}
		beside := !within && s.isBeside(&x, f)
		pile := beside || !within && s.isPile(&x, f)
		within = within || !pile && s.links(&x, f)
		if !within && !pile {
			out = append(out, x)
			continue
		}
		if into != nil {
			continue
		}
		holder, under := x.Holder, x.under
		if pile {
			retained := f.retained
			if beside {
				retained = max(retained, min(retained+x.Retained, s.t.Retained(under)))
			}
			x = s.suspect(f)
			x.Kind, x.Holder, x.under, x.Retained = Collects, holder, under, retained
		} else {
			// The accumulation is the better description; the rule gives its reason.
			x.Rule, x.Evidence, x.Below, x.Retained = f.rule.ID, f.Evidence, true, max(x.Retained, f.retained)
		}
		out = append(out, x)
		into = &x
	}
	if into == nil && !f.rule.Explains {
		out = append(out, s.suspect(f))
	}
	return out
}

// joins adds evidence to a suspect of another rule, if one finding keeps the objects of the other.
func (s *suspector) joins(x *Suspect, f *finding) bool {
	switch {
	case x.Holds == nil && !f.rule.Always && s.keeps(x.found, f):
		x.Holds = f.Evidence
	case x.By == nil && f.rule.Explains && s.keeps(f, x.found):
		x.By = f.Evidence
	default:
		return false
	}
	x.Retained = max(x.Retained, f.retained)
	return true
}

// suspect makes a suspect of evidence alone.
func (s *suspector) suspect(f *finding) Suspect {
	x := Suspect{Kind: Collects, under: None, Rule: f.rule.ID, Evidence: f.Evidence, found: f, Objects: len(f.ids),
		Retained: f.retained, Example: f.ids[0]}
	for _, id := range f.ids {
		if s.t.Retained(id) > s.t.Retained(x.Example) {
			x.Example = id
		}
	}
	x.Class = *s.class(s.g.number[x.Example])
	if f.Class != "" {
		x.Class.Class, x.Class.Place = f.Class, Place{}
	}
	if len(f.ids) == 1 {
		x.Kind = Single
	}
	x.Holder = s.holder(s.g.commonDominator(f.ids))
	return x
}

// within reports whether what piles up is below an object of the evidence.
func (s *suspector) within(x *Suspect, f *finding) bool {
	for n := s.g.number[x.Example]; n > 0; n = s.t.idom[n] {
		if f.has[s.g.order[n]] {
			return x.Evidence != nil || n != s.g.number[x.Example] || len(f.ids) == 1
		}
	}
	return false
}

// keeps reports whether most objects of a finding are kept by the objects of another one.
func (s *suspector) keeps(outer, inner *finding) bool {
	if outer == nil || inner == nil || inner.retained > outer.retained+outer.retained/heldMore {
		return false
	}
	in := 0
	for _, id := range inner.ids {
		n := s.g.number[id]
		for i := 0; i < maxAbove && n > 0 && !outer.has[s.g.order[n]]; i++ {
			n = s.t.idom[n]
		}
		if n > 0 && outer.has[s.g.order[n]] {
			in++
		}
	}
	return 2*in >= len(inner.ids)
}

// links reports whether most of the objects of the evidence are in a chain, and keep most
// of it: they are what links it.
func (s *suspector) links(x *Suspect, f *finding) bool {
	if x.Kind != Chained || 2*f.retained < x.Retained {
		return false
	}
	top, in := s.g.number[x.Example], 0
	inside := map[int32]bool{top: true} // of numbers that were passed
	for _, id := range f.ids {
		var way []int32
		n := s.g.number[id]
		below, known := inside[n]
		for !known && n > top { // a dominator has the smaller number
			way = append(way, n)
			n = s.t.idom[n]
			below, known = inside[n]
		}
		for _, k := range way {
			inside[k] = below
		}
		if below {
			in++
		}
	}
	return 2*in >= len(f.ids)
}

// heldMore is the part of the bytes of a finding that the objects it keeps may retain beyond them.
const heldMore = 8

// isBeside reports whether most objects of the evidence, which has others that go with them, are below
// the holder of collections whose objects pile up. Some of these keep a context each.
func (s *suspector) isBeside(x *Suspect, f *finding) bool {
	if !x.nested || x.under == None || len(f.With) == 0 {
		return false
	}
	in, top := 0, s.g.number[x.under]
	for _, id := range f.ids {
		n := s.g.number[id]
		for i := 0; i < maxAbove && n > top; i++ { // a dominator has the smaller number
			n = s.t.idom[n]
		}
		if n == top {
			in++
		}
	}
	return 2*in >= len(f.ids)
}

// maxAbove bounds how far up a pile is looked for.
const maxAbove = 1 << 8

// isPile reports whether most of the objects of the evidence are in the pile, or each below one of its
// objects, and account for most of the pile.
func (s *suspector) isPile(x *Suspect, f *finding) bool {
	top := s.g.number[x.Example]
	under, class := s.t.idom[top], s.classOf(top)
	seen := map[int32]bool{}
	in, bytes := 0, uint64(0)
	for id := range f.has {
		n := s.g.number[id]
		member := func() bool {
			return n == top || x.Kind == Collects && n > 0 && s.t.idom[n] == under && s.classOf(n) == class
		}
		for i := 0; i < maxAbove && n > 0 && !member(); i++ {
			n = s.t.idom[n]
		}
		if !member() {
			continue
		}
		if x.Kind != Collects {
			n = s.g.number[id] // all of a chain is below its top
		}
		if len(f.With) == 0 || !seen[n] {
			in++ // one is enough for an object and its companions
		}
		if !seen[n] {
			seen[n] = true
			bytes += s.data[n]
		}
	}
	return 2*in >= len(f.ids) && 2*min(bytes, f.retained) >= x.Retained
}
