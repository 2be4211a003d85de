package blink

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads what Blink keeps of the realms of one process.
type Reader struct {
	*layout.Memory
	objects *object.Reader
}

// New returns a reader of the process whose V8 objects are read by objects.
func New(objects *object.Reader) *Reader {
	return &Reader{Memory: objects.Memory, objects: objects}
}

// A Realm is a native context, with what V8 knows of it.
type Realm struct {
	Native  layout.Tagged
	Token   string   // by which V8 tells what may reach it, "" if it is not known
	Origin  string   // "" if it is not known
	Scripts []string // names
}

// A Document is what Blink has of a realm.
type Document struct {
	// URL is location.href; "" if it is not known, or there is none.
	URL string
	// Likely says that nothing bears out the URL but its place.
	Likely bool
	// Kind is one of the kinds below; "" if it is not known, or the realm is of neither a document nor a worker.
	Kind Kind
	// RemoteParent says that what the frame is in is in another process.
	RemoteParent bool
	// Isolated says that the realm is not of the document's own scripts but of a world beside them, such as
	// an extension's or that of developer tools.
	Isolated bool
	// World is what the token has of that world after that of the frame, "" if nothing or not known.
	World string
	// Origin is that of the frame.
	Origin string
	// Why says why the URL is not known, "" for realms that have none.
	Why string
}

// A Kind is what a realm is of.
type Kind string

// The kinds. A frame that is not in a tree any more, as its element was removed, is Detached.
const (
	MainFrame  Kind = "main frame"
	ChildFrame Kind = "child frame"
	Detached   Kind = "detached frame"
	Worker     Kind = "worker"
	Worklet    Kind = "worklet"
)

// members is how references of one object of Blink's heap to others are stored: shift is 0 for
// addresses, else they are of 32 bits, shifted, in the cage of near (cppgc/internal/member-storage.h).
type members struct {
	*Reader
	shift uint
	near  core.Addr
}

// mostShift is the most that references are shifted by: kPointerCompressionShift is 1 or 3.
const mostShift = 3

// at reads the reference at a, 0 if there is none.
func (m members) at(a core.Addr) core.Addr {
	if m.shift == 0 {
		w, _ := m.Word(a)
		return core.Addr(w)
	}
	w, _ := m.U32(a)
	if w>>31 == 0 { // all in the upper half
		return 0
	}
	return m.near&^(1<<(32+m.shift)-1) | core.Addr(w)<<m.shift
}

// size returns the bytes of a reference.
func (m members) size() core.Addr {
	if m.shift == 0 {
		return 8
	}
	return 4
}

// isObject reports whether a may be an object with virtual functions.
func (r *Reader) isObject(a core.Addr) bool {
	if a == 0 || a&7 != 0 {
		return false
	}
	table, ok := r.Word(a)
	if !ok || table == 0 || table&7 != 0 {
		return false
	}
	first, ok := r.Word(core.Addr(table))
	return ok && first != 0 && r.Process.Executable(core.Addr(first))
}
