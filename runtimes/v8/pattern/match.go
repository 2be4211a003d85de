package pattern

import (
	"errors"
	"unicode"
	"unicode/utf16"
)

// ErrSteps says that a match takes too long.
var ErrSteps = errors.New("pattern: it takes too long")

// A Regexp is a regular expression that was compiled.
type Regexp struct {
	// Groups is the number of groups, with the whole match.
	Groups int
	// Names are the names of the groups; "" for one without.
	Names []string

	match matcher
}

// A matcher matches a part of an expression at a place of the text, and then calls what follows.
type matcher func(s *state, at int, then func(at int) bool) bool

// A state is a running match.
type state struct {
	text []uint16
	caps []int // starts and ends of groups; -1 for none
	left int   // steps
}

func (s *state) step() {
	if s.left--; s.left < 0 {
		panic(ErrSteps)
	}
}

// Match matches a text at a place, and returns the starts and ends of the groups; nil if it does not match there. It
// takes at most *steps steps, and subtracts the steps it took.
func (r *Regexp) Match(text []uint16, at int, steps *int) (caps []int, err error) {
	s := &state{text: text, caps: make([]int, 2*r.Groups), left: *steps}
	for i := range s.caps {
		s.caps[i] = -1
	}
	defer func() {
		*steps = max(s.left, 0)
		switch x := recover(); x {
		case nil:
		case ErrSteps:
			caps, err = nil, ErrSteps
		default:
			panic(x)
		}
	}()
	if !r.match(s, at, func(end int) bool { s.caps[0], s.caps[1] = at, end; return true }) {
		return nil, nil
	}
	return s.caps, nil
}

// char is the character that is read at a place, and the place behind it; ok is false at the end of the text.
func (f *flags) char(s *state, at int) (c rune, next int, ok bool) {
	if f.back {
		if at <= 0 {
			return 0, at, false
		}
		c, next = rune(s.text[at-1]), at-1
		if f.unicode && next > 0 && utf16.IsSurrogate(c) {
			if p := utf16.DecodeRune(rune(s.text[next-1]), c); p != unicode.ReplacementChar {
				return p, next - 1, true
			}
		}
		return c, next, true
	}
	if at >= len(s.text) {
		return 0, at, false
	}
	c, next = rune(s.text[at]), at+1
	if f.unicode && next < len(s.text) && utf16.IsSurrogate(c) {
		if p := utf16.DecodeRune(c, rune(s.text[next])); p != unicode.ReplacementChar {
			return p, next + 1, true
		}
	}
	return c, next, true
}

// canonical is a character as it is compared where case does not count.
func (f *flags) canonical(c rune) rune {
	if !f.ignoreCase {
		return c
	}
	if f.unicode {
		least := c
		for x := unicode.SimpleFold(c); x != c; x = unicode.SimpleFold(x) {
			least = min(least, x)
		}
		return least
	}
	if u := unicode.ToUpper(c); u < 0x10000 && (c < 0x80 || u >= 0x80) {
		return u
	}
	return c
}

// one matches a character of a set.
func one(f flags, in func(c rune) bool) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		s.step()
		c, next, ok := f.char(s, at)
		return ok && in(c) && then(next)
	}
}

// many is repeat of a single character of a set, without a call for each.
func many(f flags, in func(c rune) bool, least, most int, lazy bool) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		places := []int{at}
		more := func() bool {
			c, next, ok := f.char(s, places[len(places)-1])
			if s.step(); !ok || !in(c) || most >= 0 && len(places) > most {
				return false
			}
			places = append(places, next)
			return true
		}
		for len(places) <= least || !lazy {
			if !more() {
				break
			}
		}
		if len(places) <= least {
			return false
		}
		if lazy {
			for ; !then(places[len(places)-1]); s.step() {
				if !more() {
					return false
				}
			}
			return true
		}
		for n := len(places) - 1; n >= least; n-- {
			if s.step(); then(places[n]) {
				return true
			}
		}
		return false
	}
}

// sequence matches one part after the other.
func sequence(back bool, parts []matcher) matcher {
	if len(parts) == 1 {
		return parts[0]
	}
	return func(s *state, at int, then func(at int) bool) bool {
		var from func(i, at int) bool
		from = func(i, at int) bool {
			if i == len(parts) {
				return then(at)
			}
			p := parts[i]
			if back {
				p = parts[len(parts)-1-i]
			}
			return p(s, at, func(at int) bool { return from(i+1, at) })
		}
		return from(0, at)
	}
}

// choice matches one of several.
func choice(parts []matcher) matcher {
	if len(parts) == 1 {
		return parts[0]
	}
	return func(s *state, at int, then func(at int) bool) bool {
		for _, p := range parts {
			if s.step(); p(s, at, then) {
				return true
			}
		}
		return false
	}
}

// repeat matches a part several times; its groups, from first up to last, are lost before each time.
func repeat(part matcher, least, most int, lazy bool, first, last int) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		var turn func(n, at int) bool
		turn = func(n, at int) bool {
			s.step()
			again := func() bool {
				if most >= 0 && n >= most {
					return false
				}
				kept := append([]int(nil), s.caps[2*first:2*last]...)
				for i := 2 * first; i < 2*last; i++ {
					s.caps[i] = -1
				}
				ok := part(s, at, func(end int) bool {
					return (end != at || n < least) && turn(n+1, end)
				})
				if !ok {
					copy(s.caps[2*first:], kept)
				}
				return ok
			}
			switch {
			case n < least:
				return again()
			case lazy:
				return then(at) || again()
			}
			return again() || then(at)
		}
		return turn(0, at)
	}
}

// group remembers what a part matched.
func group(n int, back bool, part matcher) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		was, end := s.caps[2*n], s.caps[2*n+1]
		ok := part(s, at, func(to int) bool {
			a, b := s.caps[2*n], s.caps[2*n+1]
			if s.caps[2*n], s.caps[2*n+1] = at, to; back {
				s.caps[2*n], s.caps[2*n+1] = to, at
			}
			if then(to) {
				return true
			}
			s.caps[2*n], s.caps[2*n+1] = a, b
			return false
		})
		if !ok {
			s.caps[2*n], s.caps[2*n+1] = was, end
		}
		return ok
	}
}

// look matches a part without moving on.
func look(negative bool, part matcher) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		kept := append([]int(nil), s.caps...)
		found := part(s, at, func(int) bool { return true })
		if negative {
			copy(s.caps, kept)
			return !found && then(at)
		}
		if !found {
			return false
		}
		if then(at) {
			return true
		}
		copy(s.caps, kept)
		return false
	}
}

// again matches what one of some groups matched.
func again(f flags, groups func() []int) matcher {
	return func(s *state, at int, then func(at int) bool) bool {
		from, to := -1, -1
		for _, n := range groups() {
			if 2*n+1 < len(s.caps) && s.caps[2*n+1] >= 0 {
				from, to = s.caps[2*n], s.caps[2*n+1]
			}
		}
		if from < 0 {
			return then(at)
		}
		n := to - from
		start := at
		if f.back {
			start = at - n
		}
		if start < 0 || start+n > len(s.text) {
			return false
		}
		for i := range n {
			s.step()
			if f.canonical(rune(s.text[from+i])) != f.canonical(rune(s.text[start+i])) {
				return false
			}
		}
		if f.back {
			return then(start)
		}
		return then(start + n)
	}
}

// edge matches a place.
func edge(is func(s *state, at int) bool) matcher {
	return func(s *state, at int, then func(at int) bool) bool { return is(s, at) && then(at) }
}
