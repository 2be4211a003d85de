// Package heap is the heap of a managed runtime as a graph: which object refers to which, what keeps
// each alive, and how much would go with it.
//
// A runtime says where its objects are, what they refer to and what refers to them
// from outside: it is a Source. Build numbers the objects densely, in order of
// address, and everything else is the same for all runtimes:
//
//	source.go     Source, Reader, Root, Type: a runtime's description of its heap
//	reference.go  Reference, Edge, Step, Place: what refers to an object, and where a program says so
//	index.go      object number <-> address, in a bit for each word of the heap
//	cache.go      Cache: a graph that is built once
//	build.go      Build: objects, in arrays by number
//	edges.go      what objects refer to
//	stream.go     numbers in as many bytes as each needs, in blocks that are used again
//	rows.go       the references to objects, in such bytes
//	types.go      Types: the numbers of a runtime's types
//	numbers.go    ID, sets of objects; types and sums of bytes, in as many bytes as a heap needs
//	objects.go    Objects: places, types and sizes by number
//	graph.go      Graph: what there is
//	reach.go      the depth-first numbering from the roots, in stages
//	reverse.go    references turned round
//	dominator.go  immediate dominators by semi-NCA
//	retained.go   Tree: retained sizes, of objects and of sets of them
//	chains.go     Chains: sums by class below the classes that dominate it
//	classes.go    Classes: sums by class, with the memory that each class retains as a set
//	paths.go      Paths: ways from roots to an object
//	holders.go    ByHolder: objects by their holders
//	owner.go      Owners: the property or variable that holds an object, and whose
//	sample.go     classes of some objects, without a graph
//	leaks.go      where retained memory accumulates
//	nested.go     that, in collections of collections
//	rules.go      Suspects: that, with the findings of a runtime's rules
//	merge.go      a suspect for each cause: findings that explain accumulations and each other
//	diff.go       Diff: what changed between two heaps of a program
//	query.go      StringReader, ArrayReader, ShapeReader, FieldReader: what a Reader may know
//	duplicates.go Duplicates: contents that several strings have
//	arrays.go     Arrays: the largest arrays and buffers
//	alike.go      Alike: objects of the same shape
//	condition.go  Condition: FIELD OP VALUE, and how it is written
//	find.go       Find: objects that meet conditions
//	value.go      Value: what a field holds, of whichever runtime
//
// An edge is a strong reference. A reference that a collector does not follow (the target of a WeakRef,
// the referent of a java.lang.ref.Reference) is not an edge. The value of an ephemeron is an edge of
// its key, as in V8's own snapshots: the key is the object that a program would have to let go.
//
// Roots have strengths. An unidentified word of a stack or of native memory may be stale: such roots
// count only for objects that no certain root leads to. So a stale word never stands between an object
// and its real holders.
//
// Dominators are exact: L. Georgiadis, R. Tarjan, R. Werneck, "Finding Dominators in
// Practice" (2006), algorithm semi-NCA. Retained sizes of classes are exact as well:
// an object belongs to a class' retained set if each way to it leads through an
// instance, which is the greatest solution of
//
//	keeps(o) = {class(o)} ∪ ⋂ keeps(p), over all p that refer to o
//
// computed for 64 classes at once, a bit for each.
//
// Memory bounds the size of heaps that can be examined. For each object a graph has two bytes each for
// its size and its type, 1.5 bits for each eight bytes of the heap for its address, four bytes each for
// its two numbers, its dominator and the bytes it retains, and one or two to find its row of
// references, which take one to four bytes each. While it is built, each step reuses the arrays of the
// step before: forward references are gone when backward ones exist, the depth-first tree becomes the
// dominator tree, and parents and semidominators are on a stack of bytes until they are needed.
//
// LIMITATIONS: at most 2^31-2 objects and 2^32-1 references. References between two
// runtimes of a process are not followed.
package heap
