package reference

import graph "coredbg/runtimes/heap"

// The kinds of references that V8 has besides those of all runtimes.
const (
	BoundArgument   graph.ReferenceKind = "bound argument"
	BoundThis       graph.ReferenceKind = "bound this"
	BoundFunction   graph.ReferenceKind = "bound function"
	MapKey          graph.ReferenceKind = "map key"
	MapValue        graph.ReferenceKind = "map value"
	SetValue        graph.ReferenceKind = "set value"
	WeakMapKey      graph.ReferenceKind = "weak map key"
	WeakMapValue    graph.ReferenceKind = "weak map value"
	WeakSetValue    graph.ReferenceKind = "weak set value"
	WeakReference   graph.ReferenceKind = "weak reference"
	PromiseResult   graph.ReferenceKind = "promise result"
	PromiseReaction graph.ReferenceKind = "promise reaction"
	ProxyTarget     graph.ReferenceKind = "proxy target"
	ProxyHandler    graph.ReferenceKind = "proxy handler"
	Generator       graph.ReferenceKind = "generator"
	Prototype       graph.ReferenceKind = "prototype"
	StringPart      graph.ReferenceKind = "string part"
	// Internal is a field of V8's own, which Namer.Place names.
	Internal graph.ReferenceKind = "internal"
	// Unnamed is a word of an object that V8's tables do not name.
	Unnamed graph.ReferenceKind = "its word at"
)

// The stores that objects keep their parts in.
var (
	properties = part("properties")
	elements   = part("elements")
	entries    = part("entries")
)

// stores are what the stores are to a program, by the reference to them.
var stores = map[graph.Reference]string{properties: "(properties)", elements: "(elements)", entries: "(entries)"}

// part returns a reference to a part that no program names.
func part(name string) graph.Reference { return graph.Reference{Kind: graph.Part, Name: name} }

// plain returns a reference that has a name only.
func plain(name string) graph.Reference { return graph.Reference{Name: name} }
