package layout

import "coredbg/core"

// A Sandbox is what a build with the sandbox keeps outside of it, and refers to from the
// inside by handles, indexes and distances, which an attacker may overwrite, instead of
// by addresses. Source: docs of src/sandbox, include/v8-internal.h @ 15.0.
type Sandbox struct {
	// Base is where the sandbox begins, with the main cage: sandboxed pointers are
	// relative to it.
	Base core.Addr
	// TrustedCage is where the cage of trusted objects begins.
	TrustedCage core.Addr
	// Main are the fields of trusted objects that still lead to the main cage: trusted objects moved before the
	// objects they refer to. In V8 12.1 Codes and the fields of bytecode arrays are still in the main cage, in
	// 12.3 position tables.
	Main map[TypeField]bool
	// Trusted returns the trusted object that a handle in the object o stands for.
	Trusted func(o Tagged, handle uint32) (Tagged, bool)
	// StringResource returns the address that a handle in the external string o stands for;
	// nil if the table of these was not found. Other objects have handles of other tables.
	StringResource func(o Tagged, handle uint32) (core.Addr, bool)
	// TrustedAt returns where the isolate of an object has the address of its table of trusted pointers,
	// or where that is at all if isolates are not known. Other tables have theirs nearby.
	TrustedAt func(o Tagged) []core.Addr
	// Isolates are the isolates that own pages.
	Isolates []core.Addr
	// PageMetadata returns where the metadata of the page with that index lies; nil if
	// the table of these was not found.
	PageMetadata func(index uint32) (core.Addr, bool)
}

// A TypeField is a tagged field of the objects of an instance type.
type TypeField struct{ Type, Offset int }

// How far values are shifted in their words, so that none leads out of the sandbox:
// kSandboxedPointerShift, of 40 bits, and kBoundedSizeShift, of 35 (include/v8-internal.h).
const (
	SandboxedShift   = 64 - 40
	BoundedSizeShift = 64 - 35
)

// An EarlySandbox is the sandbox before it had trusted objects, from V8 10.3 on until 12.4: its parts came one
// after another.
type EarlySandbox struct {
	// Base is the base of sandboxed pointers; 0 if there are no such pointers.
	Base core.Addr
	// Bounded says that sizes of buffers are shifted.
	Bounded bool
	// StringResource is as in Sandbox; nil if external strings have addresses.
	StringResource func(o Tagged, handle uint32) (core.Addr, bool)
	// Tables are the starts of possible tables of addresses outside the heap: until V8 12.1 no isolate refers
	// to them near its table of trusted pointers.
	Tables []core.Addr
}

// inMain reports whether an object is in the main cage, where objects refer to trusted ones only by handles.
func (s *Sandbox) inMain(o Tagged) bool { return o.Addr()&^(CageSize-1) == s.Base }
