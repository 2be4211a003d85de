package code

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// Place is where a program counter lies.
type Place struct {
	Kind placeKind
	// Home is the pc in the image's own mapping, if the code runs in a copy.
	Home core.Addr
	// Builtin is the name of the builtin without "Builtins_", "" if neither symbols nor the
	// image's own table name it; Off is the distance of pc from its start.
	Builtin string
	Off     uint64
	Code    *Code // if Kind is InJIT and the code object was found
}

type placeKind uint8

const (
	// Elsewhere is outside of V8's code.
	Elsewhere placeKind = iota
	InBlob              // embedded builtins, in place or remapped
	InJIT               // executable memory without a file
)

// Place returns the kind of code at pc.
func (r *Reader) Place(pc core.Addr) Place {
	if pc == 0 {
		return Place{}
	}
	if p, ok := r.BlobPlace(pc); ok {
		return p
	}
	if r.anonymousCode(pc) {
		return Place{Kind: InJIT, Code: r.codeAt(pc)}
	}
	return Place{}
}

// BlobPlace returns the place of pc if that is in a builtin, and looks for nothing else.
func (r *Reader) BlobPlace(pc core.Addr) (Place, bool) {
	home := r.homePC(pc)
	if home < r.Image.Blob.Start || home >= r.Image.Blob.End {
		return Place{}, false
	}
	p := Place{Kind: InBlob, Home: home}
	if s, off, ok := r.Symbols.Lookup(home); ok && strings.HasPrefix(s.Name, layout.BuiltinPrefix) {
		p.Builtin, p.Off = s.Name[len(layout.BuiltinPrefix):], off
	} else if b := r.Image.Builtins; b != nil {
		p.Builtin, p.Off = b.At(home)
	}
	return p, true
}

// homePC translates a pc in another mapping of V8's image to the place where
// the image's own text lies.
func (r *Reader) homePC(pc core.Addr) core.Addr {
	if b := r.Image.Blob; pc >= b.Start && pc < b.End {
		return pc
	}
	off, ok := r.fileOffset(pc)
	if !ok {
		if home, ok := r.copiedPC(pc); ok {
			return home
		}
		return pc
	}
	img := r.Image.Module.Facts().Image
	if img == nil {
		return embedded.Home(r.Process, r.Image.Module, pc)
	}
	for _, s := range img.Segments() {
		if s.Prot&core.Exec != 0 && off >= s.Off && off < s.Off+s.FileSize {
			return core.Addr(s.Addr+(off-s.Off)) + r.Image.Bias
		}
	}
	return pc
}

// fileOffset returns the offset in V8's image of the byte mapped at pc.
func (r *Reader) fileOffset(pc core.Addr) (uint64, bool) {
	for _, p := range r.Image.Module.Parts {
		if p.Start <= pc && pc < p.End {
			return p.Off + uint64(pc-p.Start), true
		}
	}
	m, ok := r.Process.Mapping(pc)
	return m.Off + uint64(pc-m.Start), ok && m.Path == r.Image.Module.Path
}

// anonymousCode reports whether pc is in executable memory without a file.
func (r *Reader) anonymousCode(pc core.Addr) bool {
	if !r.Process.Executable(pc) {
		return false
	}
	if m, ok := r.Process.Mapping(pc); ok && m.Path != "" {
		return false
	}
	return r.Process.Module(pc) == nil
}
