package page

import (
	"maps"
	"slices"

	"coredbg/core"
)

// Rules for the sizes of types that no constant names, or whose layout is not
// the one of the versions known, are learned from the objects themselves: of
// all rules the right one is that after whose size another object begins,
// time after time.

// ruleVotes counts for each type how often each rule fitted.
type ruleVotes struct {
	samples map[int]int
	fits    map[int]*[sizeRules]int
}

// maxSamplePages bounds the pages of a space that rules are learned from; maxSamples the
// objects of one type.
const (
	maxSamplePages = 24
	maxSamples     = 2000
	// minSamples are needed to overrule what the name of a type says.
	minSamples = 8
)

// vote tries all rules on the object at a, which has no fixed size and whose bytes begin data. If several
// guesses fit, the nearest end counts: objects are so dense that a guess past several of them often meets the
// start of another.
func (w *Walker) vote(m *MapInfo, a core.Addr, data []byte) {
	v := w.votes
	if m.Typ < w.v.Layout.String.FirstNonstringType || v.samples[m.Typ] >= maxSamples {
		return
	}
	v.samples[m.Typ]++
	fits := v.fits[m.Typ]
	if fits == nil {
		fits = new([sizeRules]int)
		v.fits[m.Typ] = fits
	}
	learned := w.maps.rules[m.Typ]
	named := w.v.ruleOf(m.Typ)
	if named != sizeUnknown && w.endBy(named, m, a, data) > 0 {
		fits[named]++
	}
	var ends [sizeRules]int
	nearest := 0
	rules, _ := w.v.guessesOf(m.Typ)
	for _, r := range rules {
		if r == named {
			continue
		}
		if ends[r] = w.endBy(r, m, a, data); ends[r] > 0 && (nearest == 0 || ends[r] < nearest) {
			nearest = ends[r]
		}
	}
	for r, n := range ends {
		if n > 0 && n == nearest {
			fits[r]++
		}
	}
	w.maps.rules[m.Typ] = learned
	if named == sizeUnknown {
		w.maps.rules[m.Typ] = v.best(m.Typ, learned)
	}
}

// endBy returns the size in bytes of the object at a by a rule, if objects follow there, else 0. The rule
// becomes the type's rule, so that it applies to the later objects of the type, too.
func (w *Walker) endBy(r sizeRule, m *MapInfo, a core.Addr, data []byte) int {
	w.maps.rules[m.Typ] = r
	h := objectHead{v: w.v, data: data, near: m.Word.Addr()}
	if n := h.size(r); n >= w.v.Slots(2) && n <= len(data) && w.Follow(a, data, n) {
		return n
	}
	return 0
}

// guessesOf returns the rules that a type may follow. only is set if it can follow no other, so that the rule
// with more votes is right however few they are: in a heap of fragments few objects can be told apart from the
// next ones. Small blocks of free memory would fit the rules of others, too.
func (hs *Reader) guessesOf(typ int) (rules []sizeRule, only bool) {
	switch {
	case hs.IsFree(typ):
		return []sizeRule{sizeFreeWords, sizeFreeBytes}, true
	case hs.Types.Names[typ] == "SCOPE_INFO_TYPE":
		return []sizeRule{sizeScopeInfo, sizeScopeInfoUnused}, true
	}
	return guesses, false
}

// chain is how many objects in a row prove where one ends.
const chain = 4

// Follow reports whether objects follow one another from off on, as far as
// their sizes are known, up to an unused area or the end of data, which lies
// at start.
func (w *Walker) Follow(start core.Addr, data []byte, off int) bool {
	for range chain {
		if off >= len(data) {
			return off == len(data)
		}
		if _, ok := w.gaps[start+core.Addr(off)]; ok {
			return true
		}
		m := w.MapAt(w.v.Tagged(data[off:], start))
		if m == nil {
			return false
		}
		n := w.SizeOf(m, data[off:])
		if n == 0 {
			return m.Size == 0 && w.maps.rules[m.Typ] == sizeUnknown
		}
		off += n
	}
	return true
}

// best returns the rule that fits most objects of a type.
func (v *ruleVotes) best(typ int, given sizeRule) sizeRule {
	best := given
	for _, r := range guesses {
		if best == sizeUnknown && v.fits[typ][r] > 0 || v.fits[typ][r] > v.fits[typ][best] {
			best = r
		}
	}
	return best
}

// LearnRules walks a sample of the pages and settles the rules of all types that it meets. A rule learned
// earlier holds unless another rule fits more instances: the pages of a later round may have few. It returns
// the types whose rules changed. It runs on one processor.
func (hs *Reader) LearnRules(maps *MapTable, pages []Page, gaps map[core.Addr]core.Addr) (changed TypeSet) {
	before := slices.Clone(maps.rules)
	w := NewWalker(hs, maps, gaps)
	w.votes = &ruleVotes{samples: map[int]int{}, fits: map[int]*[sizeRules]int{}}
	for _, i := range samplePages(pages) {
		w.Walk(&pages[i])
	}
	for typ, n := range w.votes.samples {
		named, given, fits := hs.ruleOf(typ), before[typ], w.votes.fits[typ]
		best := w.votes.best(typ, given)
		_, only := hs.guessesOf(typ)
		switch {
		case only:
		case named != sizeUnknown && n >= minSamples && 2*fits[named] >= n && fits[named] >= fits[given]:
			// An earlier round may have met pages of the young generation that are left over.
			best = named
		case named != sizeUnknown && (n < minSamples || 2*fits[given] >= n || 4*fits[best] < 3*n):
			best = given
		case named == sizeUnknown && n >= minSamples && 2*fits[best] < n:
			best = sizeUnknown
		}
		maps.rules[typ] = best
	}
	// Types that were not met: nearly all that are left are FixedArrays.
	for typ := hs.Layout.String.FirstNonstringType; typ < hs.Types.FirstReceiver && typ < len(maps.rules); typ++ {
		if maps.rules[typ] == sizeUnknown && w.votes.samples[typ] == 0 {
			maps.rules[typ] = sizeArray
		}
	}
	for typ, r := range before {
		if maps.rules[typ] != r {
			changed.Add(typ)
		}
	}
	return changed
}

// A TypeSet holds instance types whose objects have no fixed size: those below the
// first of JavaScript's.
type TypeSet [1 << 12 / 64]uint64

// Add adds a type.
func (s *TypeSet) Add(typ int) {
	if typ>>6 < len(s) {
		s[typ>>6] |= 1 << (typ & 63)
	}
}

// Has reports whether a type is in the set.
func (s *TypeSet) Has(typ int) bool { return typ>>6 < len(s) && s[typ>>6]>>(typ&63)&1 == 1 }

// Meets reports whether a type is in both sets.
func (s *TypeSet) Meets(t *TypeSet) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// samplePages chooses pages of each space, spread evenly.
func samplePages(pages []Page) []int {
	bySpace := map[string][]int{}
	for i, p := range pages {
		if !p.Large && !p.FromSpace {
			bySpace[p.Space] = append(bySpace[p.Space], i)
		}
	}
	var sample []int
	for _, space := range slices.Sorted(maps.Keys(bySpace)) {
		list := bySpace[space]
		step := max(1, len(list)/maxSamplePages)
		for i := 0; i < len(list); i += step {
			sample = append(sample, list[i])
		}
	}
	return sample
}
