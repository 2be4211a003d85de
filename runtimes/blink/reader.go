package blink

import (
	"coredbg/core"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads Blink's data about the realms of one process.
type Reader struct {
	*layout.Memory
	objects *object.Reader
}

// Probe returns a reader of Blink's data in a program that may be a browser: one that is known to be, or one that is
// not known. Browsers often have no symbols.
func Probe(p *embedder.Program) embedder.Embedder {
	switch p.Name {
	case embedder.Node, embedder.Deno, embedder.Workerd, embedder.Bare:
		return nil
	}
	return &Reader{Memory: p.Objects.Memory, objects: p.Objects}
}

// Name implements embedder.Embedder.
func (r *Reader) Name() string { return "Blink" }

// A Realm is a native context, with V8's data about it.
type Realm struct {
	Native  layout.Tagged
	Token   string   // V8's token for access checks, "" if it is not known
	Origin  string   // "" if it is not known
	Scripts []string // names
}

// A Document is Blink's data about a realm.
type Document struct {
	// URL is location.href; "" if it is not known, or there is none.
	URL string
	// Likely says that nothing bears out the URL but its place.
	Likely bool
	// Kind is one of the kinds below; "" if it is not known, or the realm belongs to neither a document
	// nor a worker.
	Kind Kind
	// RemoteParent says that what the frame is in is in another process.
	RemoteParent bool
	// Isolated is set if the realm does not belong to the document's own scripts but to another world,
	// such as an extension's or the developer tools'.
	Isolated bool
	// World is the part of the token after the frame's that identifies that world, "" if there is no
	// such part or it is not known.
	World string
	// Origin is the frame's origin.
	Origin string
	// Why says why the URL is not known, "" for realms without a URL.
	Why string
}

// A Kind is the kind of a realm's owner.
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
// addresses; otherwise references have 32 bits, shifted, in the cage of near
// (cppgc/internal/member-storage.h).
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
