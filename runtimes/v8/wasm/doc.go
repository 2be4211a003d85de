// Package wasm reads what a WebAssembly binary says about its functions: their
// bodies' extents and their names, from bytes alone.
//
// The chain: Parse walks the sections of the wire bytes that V8 keeps; imports are
// counted, code gives the extents, exports and the name section the names.
//
// Upstream: WebAssembly Core Specification, "Binary Format" and "Name Section".
//
// LIMITATIONS: sections of other kinds are passed over; a module that is cut short
// is an error.
package wasm
