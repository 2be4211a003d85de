package heap

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/art/object"
)

// A heapWalk goes over the objects of spaces in place: it reads through
// windows of the core's bytes and allocates nothing for an object.
type heapWalk struct {
	Walked
	h     *Heap
	a     *Walker
	ctx   context.Context
	visit Visit
	done  bool

	classes map[uint32]*object.Class // nil for words that are not a class
	near    [512]*object.Class       // those met last, by their addresses

	swapped bool // the process is not little-endian

	win   []byte
	start core.Addr
	steps int
}

// newWalk returns a walk that calls visit, which may be set later.
func (h *Heap) newWalk(ctx context.Context, visit Visit) *heapWalk {
	return &heapWalk{h: h, a: h.w, ctx: ctx, visit: visit, classes: map[uint32]*object.Class{},
		swapped: h.w.Order != binary.LittleEndian}
}

// classHead is the bytes that have an object's size, whatever it is: the
// members of a mirror::Class up to class_size_.
func (w *heapWalk) classHead() int {
	return max(w.a.Layout.Mirror.Class.ClassSize, object.HeaderSize) + 4
}

// at returns at least n bytes at an address, or fewer where memory ends; more
// if one window holds them.
func (w *heapWalk) at(p core.Addr, n int) []byte {
	if off := p - w.start; off < core.Addr(len(w.win)) && len(w.win)-int(off) >= n {
		return w.win[off:]
	}
	b, err := w.a.Space.Window(p)
	if err != nil {
		return nil
	}
	if len(b) >= n {
		w.win, w.start = b, p
		return b
	}
	b, _ = w.a.Space.Slice(p, n)
	return b
}

// class returns the class that an object's first word names; nil if it is not one.
func (w *heapWalk) class(key uint32) *object.Class {
	slot := &w.near[key/object.Alignment%uint32(len(w.near))]
	if c := *slot; c != nil && c.Addr == core.Addr(key) {
		return c
	}
	c, known := w.classes[key]
	if !known {
		if w.a.IsClass(core.Addr(key)) {
			c = w.a.ClassAt(core.Addr(key))
		}
		if len(w.classes) < 1<<20 {
			w.classes[key] = c
		}
	}
	if c != nil {
		*slot = c
	}
	return c
}

// u32 reads a number of 32 bits, without a call.
func (w *heapWalk) u32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b)
	if w.swapped {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// stop reports whether visit has stopped the walk, or the time is over.
func (w *heapWalk) stop() bool {
	w.steps++
	if w.steps&0xffff == 0 && w.ctx.Err() != nil {
		w.done = true
	}
	return w.done
}

func (w *heapWalk) bad(at, prev core.Addr, format string, args ...any) {
	if len(w.Bad) < maxBad {
		w.Bad = append(w.Bad, BadObject{at, prev, fmt.Sprintf(format, args...)})
	}
}

func (w *heapWalk) problem(format string, args ...any) {
	if len(w.Problems) < maxBad {
		w.Problems = append(w.Problems, fmt.Sprintf(format, args...))
	}
}

// one visits the object at an address. It returns its size, 0 if there is no
// object, which is bad unless its class is null and null is fine there.
func (w *heapWalk) one(at, prev, limit core.Addr, null bool) uint64 {
	b := w.at(at, w.classHead())
	if len(b) < object.HeaderSize {
		w.bad(at, prev, "it cannot be read")
		return 0
	}
	key := w.u32(b)
	if key == 0 {
		if !null {
			w.bad(at, prev, "its class is null")
		}
		return 0
	}
	c := w.class(key)
	if c == nil {
		w.bad(at, prev, "its class would be at %#x, which is not a class", key)
		return 0
	}
	n := w.a.SizeOf(b, c)
	if n == 0 {
		w.bad(at, prev, "a %s cannot have the size that it says", c.Name)
		return 0
	}
	if limit != 0 && n > uint64(limit-at) {
		w.bad(at, prev, "a %s of %d bytes would reach over %v", c.Name, n, limit)
		return 0
	}
	lock := object.LockWord(w.u32(b[4:]))
	if lock.State() == object.Forwarded {
		w.Moved++
		return n
	}
	if !w.visit(object.Object{Addr: at, Class: c, Lock: lock}, n) {
		w.done = true
	}
	return n
}

// run visits the objects from lo to hi, which follow one another. It ends
// early where no class is.
func (w *heapWalk) run(lo, hi core.Addr) {
	prev := core.Addr(0)
	for p := lo; p < hi && !w.stop(); {
		n := w.one(p, prev, hi, true)
		if n == 0 {
			return
		}
		prev, p = p, p+core.Addr(n)
	}
}

// marked visits the objects of a part that go by a bitmap and the allocation stacks.
func (w *heapWalk) marked(p *part) {
	lo, hi := p.start, p.end
	extra := w.h.stackIn(lo, hi)
	prev := core.Addr(0)
	visit := func(at core.Addr) bool {
		w.one(at, prev, p.limit, false)
		prev = at
		return !w.stop()
	}
	if p.marked {
		err := p.marks.each(w.a, lo, hi, func(at core.Addr) bool {
			for len(extra) > 0 && extra[0] < at {
				// An entry may be one whose object is not written yet.
				if w.one(extra[0], prev, p.limit, true); w.stop() {
					return false
				}
				extra = extra[1:]
			}
			if len(extra) > 0 && extra[0] == at {
				extra = extra[1:]
			}
			return visit(at)
		})
		if err != nil {
			w.problem("live bitmap for %v: %v", lo, err)
		}
	}
	for _, at := range extra {
		if w.done {
			return
		}
		w.one(at, prev, p.limit, true)
		w.stop()
	}
}
