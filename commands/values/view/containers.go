package view

import (
	"errors"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// kinds are how the kinds of recipes make a node. One that returns nil leaves the value as the
// struct that it is: it has no such parts.
var kinds map[string]func(w *Viewer, c *container) *Node

func init() {
	kinds = map[string]func(w *Viewer, c *container) *Node{
		"string": (*Viewer).stringOf, "list": (*Viewer).linked, "tree": (*Viewer).tree, "swiss": (*Viewer).swiss,
		"pointer": (*Viewer).smart, "maybe": (*Viewer).maybe, "variant": (*Viewer).alternatives,
		"bits":  func(w *Viewer, c *container) *Node { return w.Leaf.bitsOf(c, w.Limit) },
		"btree": (*Viewer).btree, "buckets": (*Viewer).buckets, "slots": (*Viewer).slots, "box": (*Viewer).box,
		"alias":  (*Viewer).alias,
		"erased": (*Viewer).erased, "duration": (*Viewer).duration, "trait": (*Viewer).traitIn,
		"moment": (*Viewer).moment,
	}
	for kind, of := range indexed {
		kinds[kind] = func(w *Viewer, c *container) *Node {
			x, err := of(c)
			switch {
			case err != nil:
				return w.Leaf.unknownNode(c.n, err)
			case x == nil:
				return nil
			}
			return w.elements(c.n, x.count, c.depth, x.get)
		}
	}
}

// recipe returns the node of a value whose type a recipe is for; nil if none fits.
func (w *Viewer) recipe(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	for c := range containersOf(w.rows, v, t) {
		c.n, c.depth = n, depth
		if c.err != nil {
			return w.Leaf.unknownNode(n, c.err)
		}
		if done := kinds[c.kind](w, c); done != nil {
			return done
		}
	}
	return nil
}

// stringOf shows characters with a length.
func (w *Viewer) stringOf(c *container) *Node {
	p, ok := c.part("ptr")
	length, err := c.number("len")
	switch {
	case !ok || errors.Is(err, errNoPart):
		return nil
	case err != nil:
		return w.Leaf.unknownNode(c.n, err)
	}
	if t := p.Type.Strip(); t.Kind == dwarf.Array {
		return w.inlineString(c, p, int64(min(length, maxLength)))
	}
	size := int64(1)
	if t := p.Type.Strip(); t.Kind == dwarf.Pointer {
		size, _ = t.Elem().Size()
	} else if size, _ = c.made(1).Size(); !t.Declared {
		return nil
	}
	at, err := p.Pointer()
	switch {
	case err != nil:
		return w.Leaf.unknownNode(c.n, err)
	case length > maxLength || at == 0 && length > 0:
		return w.Leaf.unknownNode(c.n, errLength)
	case size != 1 && size != 2 && size != 4:
		return nil
	}
	take := min(int64(length), maxString)
	read := core.ReadBytes
	if size == 1 {
		read = core.TextBytes
	}
	b, err := read(c.v.Frame().Mem, at, uint64(take*size))
	if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	return c.characters(b, size, int64(length)-take)
}

// inlineString shows characters that are in the value itself, which need not be in memory.
func (w *Viewer) inlineString(c *container, p dwarf.Value, length int64) *Node {
	size, _ := p.Type.Strip().Elem().Size()
	room, ok := p.Type.Size()
	if size != 1 && size != 2 && size != 4 || !ok {
		return nil
	}
	if length > room/size {
		return w.Leaf.unknownNode(c.n, errLength)
	}
	take := min(length, maxString)
	b, err := p.Bytes(take * size)
	if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	return c.characters(b, size, length-take)
}

// characters sets the node to a text of characters with the given size; more is the number left out.
func (c *container) characters(b []byte, size, more int64) *Node {
	c.n.Kind, c.n.Text, c.n.More = Text, string(b), more
	if size > 1 {
		c.n.Text = decodeWide(b, int(size), c.v.Frame().Arch.Order)
	}
	return c.n
}

// smart shows where a smart pointer leads to.
func (w *Viewer) smart(c *container) *Node {
	to, ok := c.part("to")
	if !ok {
		return nil
	}
	return w.pointee(c, to)
}

// box shows a pointer with its target.
func (w *Viewer) box(c *container) *Node {
	if c.t.Kind != dwarf.Pointer {
		return nil // of a trait object, which is two pointers
	}
	x := *c
	x.depth++ // Boxes lead to each other
	return w.pointee(&x, c.v.As(c.t.Elem().PointerTo()))
}

// pointee shows a pointer with its target.
func (w *Viewer) pointee(c *container, to dwarf.Value) *Node {
	x := w.instead(c, to)
	if to.Type.Strip().Kind != dwarf.Pointer || x.Kind != Scalar || x.JSON == nil || c.depth >= w.Depth {
		return x
	}
	v, err := to.Deref()
	if err != nil {
		return x
	}
	if e := v.Type.Strip(); e == nil || e.Kind == dwarf.Function || x.HasStr {
		return x
	}
	prefix := x.Text
	if whole, ok := Dynamic(w.Leaf.Session, v); ok {
		v, prefix = whole, prefix+" ("+sym.Clean(whole.Type.Name())+")"
	}
	inner := w.instead(c, v)
	inner.prefix = prefix
	return inner
}

// alias shows a part instead of the whole.
func (w *Viewer) alias(c *container) *Node {
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	return w.instead(c, v)
}

// duration shows a number with its meaning: 1500 (1.5s).
func (w *Viewer) duration(c *container) *Node {
	x := w.alias(c)
	v, ok := c.part("value")
	if x == nil || !ok || x.Kind != Scalar {
		return x
	}
	if n, err := v.Int(); err == nil {
		if s, ok := durationText(c.t, n); ok {
			x.Note = s
		}
	}
	return x
}

// moment shows a point of time, or the duration since the beginning of its clock where that is not known.
func (w *Viewer) moment(c *container) *Node {
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	count, found := follow(v, []string{"__r", "__rep_"})
	if !found {
		return w.alias(c)
	}
	n, err := count.Int()
	if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	s, ok := momentText(c.made(1), v.Type.Strip().Complete(), n)
	if !ok {
		return w.alias(c)
	}
	c.n.Text, c.n.JSON = s, s
	return c.n
}

// instead shows a part in the place of its container, under the container's type.
func (w *Viewer) instead(c *container, v dwarf.Value) *Node {
	x := w.View(c.n.Name, v, c.depth+1)
	x.Type = c.n.Type
	return x
}

// maybe shows a value that need not be there.
func (w *Viewer) maybe(c *container) *Node {
	set, err := c.number("set")
	if errors.Is(err, errNoPart) {
		return nil
	} else if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	if set == 0 {
		c.n.Text, c.n.JSON = "(none)", nil
		return c.n
	}
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	return w.instead(c, v)
}

// alternatives shows the one of several types that a std::variant has.
func (w *Viewer) alternatives(c *container) *Node {
	i, err := c.number("index")
	if err != nil {
		return nil
	}
	index, _ := c.part("index")
	if size, _ := index.Type.Size(); i == 1<<(8*size)-1 {
		c.n.Text = "(valueless)"
		return c.n
	}
	t := c.made(int(min(i, 1<<10)) + 1)
	u, ok := c.part("value")
	if t == nil || !ok {
		return nil
	}
	return w.instead(c, u.As(t)) // each of its storages begins where the union does
}

// period returns the fraction of a second that a std::chrono::duration counts.
func period(t *dwarf.Type) (p [2]int64, ok bool) {
	list := madeWith(t, 2).Strip().TemplateParams()
	if len(list) < 2 || !list[0].HasValue || !list[1].HasValue || list[0].Value <= 0 || list[1].Value <= 0 {
		return p, false
	}
	return [2]int64{list[0].Value, list[1].Value}, true
}

// seconds converts n units of a std::chrono::duration to seconds and nanoseconds. ok is false if the result is
// not whole nanoseconds, and for a duration that counts in floating point.
func seconds(t *dwarf.Type, n int64) (sec, nano int64, ok bool) {
	rep := madeWith(t, 1).Strip()
	p, ok := period(t)
	if !ok || rep == nil || rep.Kind != dwarf.Base || rep.Encoding == dwarf.EncFloat || p[1] > 1e9 || 1e9%p[1] != 0 ||
		p[0] > maxLength {
		return 0, 0, false
	}
	if whole := n / p[1]; whole > maxLength || whole < -maxLength || p[0] > 1 && p[1] > 1 ||
		(whole*p[0])/p[0] != whole {
		return 0, 0, false
	}
	return n / p[1] * p[0], n % p[1] * p[0] * (1e9 / p[1]), true
}

// maxSeconds is how long a time.Duration can be.
const maxSeconds = (1<<63 - 1) / int64(time.Second)

// durationText returns what n of a std::chrono::duration are, as Go writes it: 1.5s.
func durationText(t *dwarf.Type, n int64) (string, bool) {
	sec, nano, ok := seconds(t, n)
	if !ok || sec >= maxSeconds || sec <= -maxSeconds {
		return "", false
	}
	return (time.Duration(sec)*time.Second + time.Duration(nano)).String(), true
}

// The times of the years 0 to 9999, in seconds since 1970.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// momentText returns the time, in UTC, that is n of a std::chrono::duration after the beginning of a clock;
// ok is false for clocks other than the system's, which begins in 1970.
func momentText(clock, t *dwarf.Type, n int64) (string, bool) {
	if clock = clock.Strip(); clock == nil || clock.Own() != "system_clock" {
		return "", false
	}
	sec, nano, ok := seconds(t, n)
	if !ok || sec < firstSecond || sec > lastSecond {
		return "", false
	}
	return time.Unix(sec, nano).UTC().Format(time.RFC3339Nano), true
}

// traitIn shows what a pointer leads to that is a trait object.
func (w *Viewer) traitIn(c *container) *Node {
	v, ok := c.part("to")
	if !ok {
		return nil
	}
	return w.trait(c.n, v, c.skipped(c.v.Frame().Arch.PtrSize), c.depth)
}

// erased shows what a value has whose own type does not say what that is: std::function, std::any. The part
// "by" is a pointer to a member function of a class that was made with its type, or "to" one to
// an object of such a class.
func (w *Viewer) erased(c *container) *Node {
	if w.Leaf.Session == nil {
		return nil
	}
	by := "to"
	if c.paths["by"] != nil {
		by = "by"
	}
	p, err := c.number(by)
	switch {
	case errors.Is(err, errNoPart):
		return nil
	case err != nil:
		return w.Leaf.unknownNode(c.n, err)
	case p == 0:
		c.n.Text, c.n.JSON = "(none)", nil
		return c.n
	}
	v, name, ok := dwarf.Value{}, "", false
	if by == "to" {
		v, name, ok = c.held(w.Leaf.Session)
	} else {
		v, name, ok = c.heldBy(w.Leaf.Session, core.Addr(p))
	}
	if !ok {
		return nil
	}
	x := w.instead(c, v)
	if t := v.Type.Strip(); t == nil || t.Kind != dwarf.Pointer {
		if v.Type.Strip().Own() != "" {
			name = v.Type.Name()
		}
		x.prefix = strings.TrimSpace("(" + sym.Clean(name) + ") " + x.prefix)
	}
	return x
}
