package wasm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"coredbg/core"
)

// A Module is what a WebAssembly binary says about its functions
// (WebAssembly Core Specification, "Binary Format").
type Module struct {
	Imported int      // functions that it imports; they come first in the index space
	Bodies   []Extent // of the functions it defines
	Name     string
	Names    map[int]string // by index
	Exports  map[int]string // by index, the last of several
}

// An Extent is the offset and size of a function's body in the module, in bytes.
type Extent struct{ Start, Size int }

// Body returns the extent of the function with an index of the whole space.
func (m *Module) Body(index int) (Extent, bool) {
	i := index - m.Imported
	if i < 0 || i >= len(m.Bodies) {
		return Extent{}, false
	}
	return m.Bodies[i], true
}

const (
	// Magic begins every module: "\0asm".
	Magic            = "\x00asm"
	wasmCustom       = 0
	wasmImport       = 2
	wasmExport       = 7
	wasmCode         = 10
	wasmModuleName   = 0 // subsections of the custom section "name"
	wasmFunctionName = 1
	maxWasmFunctions = 1 << 20 // wasm/wasm-limits.h: kV8MaxWasmDefinedFunctions
)

var errShort = errors.New("v8: wasm module ends early")

// reader reads numbers and vectors; after an error it only returns zeros.
type reader struct{ core.Buf }

// u32 reads a number, which is bad if it has more than 32 bits.
func (r *reader) u32() int {
	n := r.ULEB()
	if n > 1<<32-1 {
		r.Bad = true
	}
	if r.Bad {
		return 0
	}
	return int(n)
}

// part reads a length, and returns a reader of that many bytes.
func (r *reader) part() *reader { return &reader{r.Part(uint64(r.u32()))} }

// vector reads a length and that many bytes.
func (r *reader) vector() []byte { return r.Bytes(uint64(r.u32())) }

// Parse reads the sections that matter. On an error it also returns the part read before.
func Parse(data []byte) (*Module, error) {
	m := &Module{Names: map[int]string{}, Exports: map[int]string{}}
	r := &reader{core.Buf{Data: data, Order: binary.LittleEndian}}
	if magic := r.Bytes(8); string(magic[:min(4, len(magic))]) != Magic {
		return m, errors.New("v8: no wasm module: its first bytes are not its magic")
	}
	for r.More() {
		id, section := r.U8(), r.part()
		start := section.Off
		switch id {
		case wasmImport:
			m.imports(section)
		case wasmExport:
			m.export(section)
		case wasmCode:
			m.code(section)
		case wasmCustom:
			if string(section.vector()) == "name" {
				m.nameSection(section)
			}
			continue // an ill-formed custom section is not an error
		}
		if section.Bad {
			return m, fmt.Errorf("%w: section %d at %#x", errShort, id, start)
		}
	}
	if r.Bad {
		return m, errShort
	}
	return m, nil
}

func (m *Module) imports(r *reader) {
	for n := r.u32(); n > 0 && !r.Bad; n-- {
		r.vector()
		r.vector()
		switch r.U8() {
		case 0: // function
			r.u32()
			m.Imported++
		case 1: // table
			r.valueType()
			r.limits()
		case 2: // memory
			r.limits()
		case 3: // global
			r.valueType()
			r.U8()
		case 4: // tag
			r.U8()
			r.u32()
		default:
			r.Bad = true
		}
	}
}

// valueType skips a type: one byte, except for references with a heap type.
func (r *reader) valueType() {
	if t := r.U8(); t == 0x63 || t == 0x64 {
		r.u32()
	}
}

// limits skips the limits of a memory or table.
func (r *reader) limits() {
	const hasMax, hasPageSize = 1, 8
	flags := r.U8()
	r.u32()
	if flags&hasMax != 0 {
		r.u32()
	}
	if flags&hasPageSize != 0 {
		r.u32()
	}
}

func (m *Module) code(r *reader) {
	for n := r.u32(); n > 0 && !r.Bad && len(m.Bodies) < maxWasmFunctions; n-- {
		size := r.u32()
		m.Bodies = append(m.Bodies, Extent{r.Off, size})
		r.Bytes(uint64(size))
	}
}

func (m *Module) export(r *reader) {
	for n := r.u32(); n > 0 && !r.Bad && len(m.Exports) < maxWasmFunctions; n-- {
		name := r.name()
		kind, index := r.U8(), r.u32()
		if kind == 0 && !r.Bad {
			m.Exports[index] = name
		}
	}
}

// name reads a name; one that is not UTF-8 is empty.
func (r *reader) name() string {
	b := r.vector()
	if !utf8.Valid(b) {
		return ""
	}
	return string(b)
}

func (m *Module) nameSection(r *reader) {
	for r.More() {
		id, s := r.U8(), r.part()
		switch id {
		case wasmModuleName:
			m.Name = s.name()
		case wasmFunctionName:
			for n := s.u32(); n > 0 && !s.Bad && len(m.Names) < maxWasmFunctions; n-- {
				index, name := s.u32(), s.name()
				if !s.Bad {
					m.Names[index] = name
				}
			}
		}
	}
}
