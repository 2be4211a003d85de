package blink

import "coredbg/core"

// Bounds of the search, in bytes, and of the frames that are followed.
const (
	maxToFrame = 0x100 // of a window, for its frame
	maxFrame   = 0x100 // of a frame, for its window and the tree
	maxFrames  = 1 << 12
)

// ownFrame is where a frame refers to itself, first of all that it has: FrameTree::this_frame_.
const ownFrame = 8

// A frameTree is where windows have their frames and these what is around them: the window, and
// parent, previous and next sibling, first and last child, one after the other (core/frame/frame.h).
type frameTree struct {
	members
	frame, window, parent core.Addr
}

// A windowFrame is the frame of a window: its kind, "" if that is not known, and whether its parent is in
// another process.
type windowFrame struct {
	kind   Kind
	remote bool
}

// framesOf returns the frames of windows.
func (r *Reader) framesOf(windows []core.Addr, m members) []windowFrame {
	out := make([]windowFrame, len(windows))
	t, ok := r.frameTree(windows, m)
	if !ok {
		return out
	}
	for i, w := range windows {
		f := m.at(w + t.frame)
		switch {
		case f == 0:
			out[i].kind = Detached
		case !t.isFrame(f):
		case t.parent == 0: // no frame is beside another
			if t.alone(f) {
				out[i].kind = MainFrame
			}
		case m.at(f+t.parent) == 0:
			out[i].kind = MainFrame
		default:
			out[i] = windowFrame{ChildFrame, t.isRemote(m.at(f+t.parent), w)}
		}
	}
	return out
}

// frameTree finds the places of a tree: the only ones that hold for all windows that have a frame.
// That of the parent is 0 if no frame refers to another.
func (r *Reader) frameTree(windows []core.Addr, m members) (found frameTree, ok bool) {
	most := 0
	for frame := core.Addr(8); frame < maxToFrame; frame += m.size() {
		for window := core.Addr(8); window < maxFrame; window += m.size() {
			t := frameTree{members: m, frame: frame, window: window}
			switch n := t.holds(windows); {
			case n > most:
				found, most, ok = t, n, true
			case n == most:
				ok = false // it is not known which
			}
		}
	}
	if !ok || most == 0 {
		return found, false
	}
	for parent := found.window; parent < maxFrame; parent += m.size() {
		t := found
		if t.parent = parent; t.isTree(windows) {
			return t, true
		}
	}
	return found, true
}

// holds returns how many windows have a frame by t, 0 if one has something else.
func (t *frameTree) holds(windows []core.Addr) (n int) {
	for _, w := range windows {
		f := t.at(w + t.frame)
		if f == 0 {
			continue
		}
		if !t.isFrame(f) || t.at(f+t.window) != w {
			return 0
		}
		n++
	}
	return n
}

// isFrame reports whether f is a frame, of this process or of another.
func (t *frameTree) isFrame(f core.Addr) bool {
	if f == 0 || f&7 != 0 || t.at(f+ownFrame) != f {
		return false
	}
	w := t.at(f + t.window)
	return w != 0 && t.at(w+t.frame) == f
}

// isRemote reports whether a frame is in another process than a window: its own window is then a
// RemoteDOMWindow, which has other virtual functions.
func (t *frameTree) isRemote(f, local core.Addr) bool {
	there, ok1 := t.Word(t.at(f + t.window))
	here, ok2 := t.Word(local)
	return ok1 && ok2 && there != here
}

// alone reports whether no reference of a frame is to another, as each has that has a parent.
func (t *frameTree) alone(f core.Addr) bool {
	for off := core.Addr(ownFrame); off < maxFrame; off += t.size() {
		if x := t.at(f + off); x != f && t.isFrame(x) {
			return false
		}
	}
	return true
}

// The references after that to the parent.
const (
	previous = 1 + iota
	next
	first
	last
)

// isTree reports whether the frames of windows are a tree by t: at least one has a parent, whose
// children these are that have it.
func (t *frameTree) isTree(windows []core.Addr) bool {
	some := false
	for _, w := range windows {
		f := t.at(w + t.frame)
		if f == 0 {
			continue
		}
		for i := range core.Addr(last + 1) {
			if x := t.at(f + t.parent + i*t.size()); x != 0 && !t.isFrame(x) {
				return false
			}
		}
		parent := t.at(f + t.parent)
		if !t.hasFamily(f) || parent != 0 && !t.isChild(f, parent) {
			return false
		}
		some = some || parent != 0 || t.get(f, first) != 0
	}
	return some
}

// get returns one of the references of a frame.
func (t *frameTree) get(f core.Addr, which core.Addr) core.Addr {
	return t.at(f + t.parent + which*t.size())
}

// hasFamily reports whether the siblings and children of f have it as such.
func (t *frameTree) hasFamily(f core.Addr) bool {
	p, n, a, z := t.get(f, previous), t.get(f, next), t.get(f, first), t.get(f, last)
	return (p == 0 || t.get(p, next) == f) && (n == 0 || t.get(n, previous) == f) &&
		(a == 0) == (z == 0) && (a == 0 || t.get(a, 0) == f && t.get(z, 0) == f)
}

// isChild reports whether f is among the children of a frame.
func (t *frameTree) isChild(f, parent core.Addr) bool {
	x := t.get(parent, first)
	for range maxFrames {
		if x == 0 || x == f {
			return x == f
		}
		x = t.get(x, next)
	}
	return false
}
