package layout

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// Memory is the memory of a process with V8 in it, and the numbers to read it by.
// Every other reader has one.
type Memory struct {
	Process *core.Process
	Symbols *sym.Table
	Space   *core.Space
	Order   binary.ByteOrder

	Image   *Image
	Layout  *Layout
	Types   *types
	Markers FrameTypes
	// Cage returns the start of the cage that tagged fields at an address refer to, 0 if it is
	// not known. It is nil where fields refer to the cage around them.
	Cage func(core.Addr) core.Addr
	// Main is an address in the cage of words outside of all cages; 0 without cages, or if
	// there are several.
	Main    core.Addr
	Sandbox *Sandbox // nil without it
	// Early is the parts of the sandbox in a build without a Sandbox.
	Early EarlySandbox
}

// NewMemory returns the memory of a process whose V8 is in img, to be read by l.
func NewMemory(t runtimes.Target, img *Image, l *Layout) *Memory {
	return &Memory{
		Process: t.Process, Symbols: t.Symbols, Space: t.Process.Space, Order: t.Process.Arch.Order,
		Image: img, Layout: l,
		Types:   newTypes(img.Constants.Values, img.TypeNames),
		Markers: newFrameTypes(img.Constants.Values),
	}
}

// NameTypes gives names to instance types, by number, that neither the image's constants nor
// its code name. It is called before anything is read.
func (mem *Memory) NameTypes(names map[int]string) {
	mem.Image.TypeNames = names
	mem.Types = newTypes(mem.Image.Constants.Values, names)
}

// Bytes fills p with the bytes at a and reports whether all of them were there.
func (mem *Memory) Bytes(p []byte, a core.Addr) bool {
	w, err := mem.Space.Window(a)
	if err == nil && len(w) >= len(p) {
		copy(p, w)
		return true
	}
	_, err = mem.Space.ReadAt(p, a)
	return err == nil
}

// Word reads the word at a.
func (mem *Memory) Word(a core.Addr) (uint64, bool) {
	if w, err := mem.Space.Window(a); err == nil && len(w) >= 8 {
		return mem.Order.Uint64(w), true
	}
	var b [8]byte
	ok := mem.Bytes(b[:], a)
	return mem.Order.Uint64(b[:]), ok
}

// U32 reads the 32 bits at a.
func (mem *Memory) U32(a core.Addr) (uint32, bool) {
	if w, err := mem.Space.Window(a); err == nil && len(w) >= 4 {
		return mem.Order.Uint32(w), true
	}
	var b [4]byte
	ok := mem.Bytes(b[:], a)
	return mem.Order.Uint32(b[:]), ok
}

// U16 reads the 16 bits at a.
func (mem *Memory) U16(a core.Addr) (uint16, bool) {
	if w, err := mem.Space.Window(a); err == nil && len(w) >= 2 {
		return mem.Order.Uint16(w), true
	}
	var b [2]byte
	ok := mem.Bytes(b[:], a)
	return mem.Order.Uint16(b[:]), ok
}

// CodeAddr returns an address of code, such as a return address, without its signature.
func (mem *Memory) CodeAddr(a core.Addr) core.Addr {
	if mem.Process.Arch == core.ARM64 {
		return mem.Process.StripCode(a) & (1<<48 - 1)
	}
	return a
}

// TypeNumber returns the instance type of the given name, or -1.
func (mem *Memory) TypeNumber(name string) int {
	n, ok := mem.Types.numbers[name]
	if !ok {
		return -1
	}
	return n
}

// Uncertain reports whether the rows were not checked with the image's version. In versions
// that they were checked with, probing would find the same numbers.
func (mem *Memory) Uncertain() bool { return mem.Image.Version.Outside() != 0 }
