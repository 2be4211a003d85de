package heap

import (
	"context"

	"coredbg/core"
)

// A Source is the heap of a runtime. Its methods are called one after the other; the methods of its
// Readers concurrently.
type Source interface {
	// Spans returns the stretches that objects begin in, in order of address, which
	// do not overlap.
	Spans() []Span
	// Reader returns a reader for one goroutine.
	Reader() Reader
	// Roots calls visit for the references from outside to objects, in order of Strength. For roots
	// that are not Certain, reached reports whether an object is already known to be kept: such roots
	// need not be reported.
	Roots(ctx context.Context, reached func(core.Addr) bool, visit func(Root)) error
	// Type describes the type of objects with number t; there is an object of that type at first.
	Type(t int32, first core.Addr) Type
	// Damage says which parts of the heap could not be read; nil if all could.
	Damage() *Damage
	Describer
}

// A Manual is a Source whose program frees objects itself: an object that nothing leads to is lost.
type Manual interface {
	Source
	Manual()
}

// A Describer says what users call objects and references.
type Describer interface {
	// Shown returns the address that users see for the object at: V8's are tagged.
	Shown(at core.Addr) core.Addr
	// Start is the reverse: it takes a tagged address, or one that is not.
	Start(shown core.Addr) core.Addr
	// Describe says what an object is in a few words: `Map(3)`, `"text"`, `int[16]`.
	Describe(at core.Addr) string
	// References calls visit for all references of an object, weak ones too.
	References(at core.Addr, size uint64, visit func(Edge))
	// Steps describes each object of a way, and the reference to it from the one before.
	Steps(path []core.Addr) []Step
}

// Alignment is the alignment of objects in bytes, which V8 (with pointers of 8 bytes) and ART share.
// ShortAlignment is the alignment for V8 with compressed pointers.
const (
	Alignment      = 8
	ShortAlignment = 4
)

// A Span is a stretch of memory, End exclusive.
type Span struct {
	Start, End core.Addr
	// Short is set if its objects begin at multiples of ShortAlignment; otherwise they begin at
	// multiples of Alignment. Start does, too.
	Short bool
}

// alignment returns the alignment of the objects.
func (s *Span) alignment() core.Addr {
	if s.Short {
		return ShortAlignment
	}
	return Alignment
}

// A Reader reads objects of a Source.
type Reader interface {
	// Objects calls visit for each object that begins in a span, in order of
	// address, with its size in bytes and the number of its type.
	Objects(span int, visit func(at core.Addr, size uint64, typ int32))
	// Edges calls visit for each strong reference that keeps to alive as long as from is alive. From is
	// the object at, except for ephemerons. Targets that always exist, such as constants of the engine,
	// may be left out.
	Edges(at core.Addr, size uint64, typ int32, visit func(from, to core.Addr))
	// External returns the bytes outside the heap that the object owns.
	External(at core.Addr, typ int32) uint64
}

// Strength says how far a root is to be trusted.
type Strength uint8

// The strengths, strongest first.
const (
	// Certain is a root that the runtime itself has as one.
	Certain Strength = iota
	// Traced is a reference from an object outside the heap, which keeps what it refers to
	// only while that object is alive: whether it is, is not known.
	Traced
	// Stacked is a word of a stack or a register, which may be left over.
	Stacked
	// Loose is a word of other memory, which may be left over.
	Loose
	strengths
)

// String returns what users read.
func (s Strength) String() string {
	return [...]string{"certain", "traced", "stack word", "loose"}[min(s, Loose)]
}

// A Root is a place outside the heap that refers to an object.
type Root struct {
	Kind   string // "global handle", "static field", "stack"
	Name   string // which one, if there is more to say than Place and Thread
	Place  core.Addr
	Thread *core.Thread // whose stack, or whose table; nil else
	Code   Place        // of a frame: where it was in the program
	// Object is the runtime of the managed object at Place that the root is. Heap is the runtime whose heap has
	// the word at Place, if no object is known to have it.
	Object, Heap string
	Strength     Strength
	// Rank orders ways from roots of one strength: lasting roots of a program come before roots that
	// end with a call, and these before the engine's own tables.
	Rank   Rank
	Target core.Addr
}

// A Rank says how much a root explains.
type Rank uint8

// The ranks, in the order of their value as an explanation.
const (
	Lasting Rank = iota
	Calling      // as long as a function runs
	Engine       // tables of the runtime's own
	ranks
)

// A Type describes the objects with one type number.
type Type struct {
	// Class is the name that users know: "Session", "(string)". Types of the same
	// name and Place are one class.
	Class string
	// Place is where a program defines the class.
	Place Place
	// Heap is the heap of the object if a source has objects of several heaps. Types of different heaps are
	// different classes.
	Heap string
	// Internal is set for objects of the engine's own.
	Internal bool
	// Late is set for objects that only lead to others that a program can name otherwise, such as
	// feedback: ways lead through them only if there is no other.
	Late bool
	// Program is set for descriptions of the program, in contrast to its data: code, feedback, the
	// shapes of objects.
	Program bool
}

// Damage describes the unknown parts of a heap.
type Damage struct {
	// Missing are bytes that the core does not have. Skipped are bytes whose objects could not be told
	// apart. Total are the bytes of the heap.
	Missing, Skipped, Total uint64
	// Doubtful is how many objects may be counted twice.
	Doubtful int
	// Cut says where a file ends that should be longer; "" if the file is complete.
	Cut string
	// Notes say more, a sentence each.
	Notes []string
}
