package wasm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
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
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) u32() int {
	n, size := binary.Uvarint(r.data[r.at:])
	if size <= 0 || n > 1<<32-1 {
		r.fail()
		return 0
	}
	r.at += size
	return int(n)
}

func (r *reader) byte() byte {
	if r.at >= len(r.data) {
		r.fail()
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *reader) take(n int) []byte {
	if n > len(r.data)-r.at {
		r.fail()
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// fail ends the reading: what is left counts as empty.
func (r *reader) fail() {
	r.err, r.at = errShort, len(r.data)
}

// Parse reads the sections that matter. On an error it also returns the part read before.
func Parse(data []byte) (*Module, error) {
	m := &Module{Names: map[int]string{}, Exports: map[int]string{}}
	r := &reader{data: data}
	if magic := r.take(8); string(magic[:min(4, len(magic))]) != Magic {
		return m, errors.New("v8: no wasm module: its first bytes are not its magic")
	}
	for r.at < len(data) && r.err == nil {
		id, size := r.byte(), r.u32()
		start := r.at
		section := &reader{data: data[:start+len(r.take(size))], at: start}
		switch id {
		case wasmImport:
			m.imports(section)
		case wasmExport:
			m.export(section)
		case wasmCode:
			m.code(section)
		case wasmCustom:
			if string(section.take(section.u32())) == "name" {
				m.nameSection(section)
			}
			continue // an ill-formed custom section is not an error
		}
		if section.err != nil {
			return m, fmt.Errorf("%w: section %d at %#x", section.err, id, start)
		}
	}
	return m, r.err
}

func (m *Module) imports(r *reader) {
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		r.take(r.u32())
		r.take(r.u32())
		switch r.byte() {
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
			r.byte()
		case 4: // tag
			r.byte()
			r.u32()
		default:
			r.fail()
		}
	}
}

// valueType skips a type: one byte, except for references with a heap type.
func (r *reader) valueType() {
	if t := r.byte(); t == 0x63 || t == 0x64 {
		r.u32()
	}
}

// limits skips the limits of a memory or table.
func (r *reader) limits() {
	const hasMax, hasPageSize = 1, 8
	flags := r.byte()
	r.u32()
	if flags&hasMax != 0 {
		r.u32()
	}
	if flags&hasPageSize != 0 {
		r.u32()
	}
}

func (m *Module) code(r *reader) {
	for n := r.u32(); n > 0 && r.err == nil && len(m.Bodies) < maxWasmFunctions; n-- {
		size := r.u32()
		m.Bodies = append(m.Bodies, Extent{r.at, size})
		r.take(size)
	}
}

func (m *Module) export(r *reader) {
	for n := r.u32(); n > 0 && r.err == nil && len(m.Exports) < maxWasmFunctions; n-- {
		name := r.name()
		kind, index := r.byte(), r.u32()
		if kind == 0 && r.err == nil {
			m.Exports[index] = name
		}
	}
}

// name reads a name; one that is not UTF-8 is empty.
func (r *reader) name() string {
	b := r.take(r.u32())
	if !utf8.Valid(b) {
		return ""
	}
	return string(b)
}

func (m *Module) nameSection(r *reader) {
	for r.at < len(r.data) && r.err == nil {
		id, size := r.byte(), r.u32()
		start := r.at
		s := &reader{data: r.data[:start+len(r.take(size))], at: start}
		switch id {
		case wasmModuleName:
			m.Name = s.name()
		case wasmFunctionName:
			for n := s.u32(); n > 0 && s.err == nil && len(m.Names) < maxWasmFunctions; n-- {
				index, name := s.u32(), s.name()
				if s.err == nil {
					m.Names[index] = name
				}
			}
		}
	}
}
