package layout

import (
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
)

// The blob is the embedded builtins of an image: machine code that the build
// generates, without call frame information. The process may run a second
// copy of it, mapped near the JIT code ("short builtin calls").

const (
	symBlobCodeSize = "v8_Default_embedded_blob_code_size_"
	// BuiltinPrefix begins the symbol of a builtin.
	BuiltinPrefix = "Builtins_"
	maxBlob       = 64 << 20
)

// The names of the blob's start: until V8 10 the shorter one is a pointer to
// it (snapshot/embedded/embedded-file-writer.cc).
var symBlobCode = []string{"v8_Default_embedded_blob_code_data_", "v8_Default_embedded_blob_code_"}

// findBlob finds the blob by its symbols, else by the builtins' symbols, else by the image's contents.
func (img *Image) findBlob(t runtimes.Target) {
	named := img.bySymbols(t)
	if named == (Area{}) && img.Builtins == nil {
		img.Builtins = embedded.Find(t.Process, img.Module)
	}
	if img.Blob.End == 0 {
		img.Blob = named
	}
	if b := img.Builtins; img.Blob.End == 0 && b != nil {
		img.Blob = Area{b.Start, b.End}
	}
	if img.Blob.End == 0 {
		img.Blob = img.mappedTwice(t)
	}
}

// bySymbols finds the blob by its own symbols, and returns the extent of builtins with symbols. named is empty
// if no builtin has a symbol.
func (img *Image) bySymbols(t runtimes.Target) (named Area) {
	var n int
	if size, ok := t.Symbols.Exact(img.Module, symBlobCodeSize); ok {
		n, _ = readInt(t, size.Addr)
	}
	for _, name := range symBlobCode {
		start, ok := t.Symbols.Exact(img.Module, name)
		if ok && n > 0 && n < maxBlob && t.Process.Executable(start.Addr) {
			img.Blob = Area{start.Addr, start.Addr + core.Addr(n)}
			break
		}
	}
	_ = t.Symbols.Prefix(img.Module, BuiltinPrefix, func(s sym.Symbol) bool {
		if named.Start == 0 || s.Addr < named.Start {
			named.Start = s.Addr
		}
		named.End = max(named.End, s.Addr+core.Addr(max(s.Size, 1)))
		return true
	})
	if named.End-named.Start >= maxBlob {
		return Area{}
	}
	return named
}

// mappedTwice finds the blob where the process runs a copy of it: V8 maps that part of
// the image's file once more, near its code (Heap::InitializeOncePerProcess and
// CodeRange::RemapEmbeddedBuiltins, heap/code-range.cc). It begins and ends at pages.
func (img *Image) mappedTwice(t runtimes.Target) Area {
	m := img.Module
	for _, copied := range t.Process.Mappings {
		if copied.Path != m.Path || copied.Prot&core.Exec == 0 || copied.Start >= m.Start && copied.Start < m.End {
			continue
		}
		for _, own := range t.Process.Mappings {
			if own.Path != m.Path || own.Prot&core.Exec == 0 || own.Start < m.Start || own.Start >= m.End ||
				copied.Off < own.Off {
				continue
			}
			start := own.Start + core.Addr(copied.Off-own.Off)
			end := start + (copied.End - copied.Start)
			if start < own.End && end <= own.End && end-start < maxBlob {
				return Area{start, end}
			}
		}
	}
	return Area{}
}
