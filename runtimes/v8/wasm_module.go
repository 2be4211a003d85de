package v8

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A wasmModule is what a WebAssembly binary says about its functions
// (WebAssembly Core Specification, "Binary Format").
type wasmModule struct {
	imported int          // functions that it imports; they come first in the index space
	bodies   []wasmExtent // of the functions it defines
	name     string
	names    map[int]string // by index
	exports  map[int]string // by index, the last of several
}

// A wasmExtent is where a function's body lies in the module, in bytes.
type wasmExtent struct{ start, size int }

// body returns the extent of the function with an index of the whole space.
func (m *wasmModule) body(index int) (wasmExtent, bool) {
	i := index - m.imported
	if i < 0 || i >= len(m.bodies) {
		return wasmExtent{}, false
	}
	return m.bodies[i], true
}

const (
	wasmMagic        = "\x00asm"
	wasmCustom       = 0
	wasmImport       = 2
	wasmExport       = 7
	wasmCode         = 10
	wasmModuleName   = 0 // subsections of the custom section "name"
	wasmFunctionName = 1
	maxWasmFunctions = 1 << 20 // wasm/wasm-limits.h: kV8MaxWasmDefinedFunctions
)

var errWasm = errors.New("v8: wasm module ends early")

// wasmReader reads numbers and vectors; after an error it only returns zeros.
type wasmReader struct {
	data []byte
	at   int
	err  error
}

func (r *wasmReader) u32() int {
	n, size := binary.Uvarint(r.data[r.at:])
	if size <= 0 || n > 1<<32-1 {
		r.fail()
		return 0
	}
	r.at += size
	return int(n)
}

func (r *wasmReader) byte() byte {
	if r.at >= len(r.data) {
		r.fail()
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *wasmReader) take(n int) []byte {
	if n > len(r.data)-r.at {
		r.fail()
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// fail ends the reading: what is left counts as empty.
func (r *wasmReader) fail() {
	r.err, r.at = errWasm, len(r.data)
}

// parseWasm reads the sections that matter. What it read before an error it
// returns with the error.
func parseWasm(data []byte) (*wasmModule, error) {
	m := &wasmModule{names: map[int]string{}, exports: map[int]string{}}
	r := &wasmReader{data: data}
	if magic := r.take(8); string(magic[:min(4, len(magic))]) != wasmMagic {
		return m, errors.New("v8: no wasm module: its first bytes are not its magic")
	}
	for r.at < len(data) && r.err == nil {
		id, size := r.byte(), r.u32()
		start := r.at
		section := &wasmReader{data: data[:start+len(r.take(size))], at: start}
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
			continue // an ill-formed custom section is no error
		}
		if section.err != nil {
			return m, fmt.Errorf("%w: section %d at %#x", section.err, id, start)
		}
	}
	return m, r.err
}

func (m *wasmModule) imports(r *wasmReader) {
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		r.take(r.u32())
		r.take(r.u32())
		switch r.byte() {
		case 0: // function
			r.u32()
			m.imported++
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

// valueType skips a type: one byte, but for references with a heap type.
func (r *wasmReader) valueType() {
	if t := r.byte(); t == 0x63 || t == 0x64 {
		r.u32()
	}
}

// limits skips the limits of a memory or table.
func (r *wasmReader) limits() {
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

func (m *wasmModule) code(r *wasmReader) {
	for n := r.u32(); n > 0 && r.err == nil && len(m.bodies) < maxWasmFunctions; n-- {
		size := r.u32()
		m.bodies = append(m.bodies, wasmExtent{r.at, size})
		r.take(size)
	}
}

func (m *wasmModule) export(r *wasmReader) {
	for n := r.u32(); n > 0 && r.err == nil && len(m.exports) < maxWasmFunctions; n-- {
		name := r.name()
		kind, index := r.byte(), r.u32()
		if kind == 0 && r.err == nil {
			m.exports[index] = name
		}
	}
}

// name reads a name; one that is no UTF-8 is empty.
func (r *wasmReader) name() string {
	b := r.take(r.u32())
	if !utf8.Valid(b) {
		return ""
	}
	return string(b)
}

func (m *wasmModule) nameSection(r *wasmReader) {
	for r.at < len(r.data) && r.err == nil {
		id, size := r.byte(), r.u32()
		start := r.at
		s := &wasmReader{data: r.data[:start+len(r.take(size))], at: start}
		switch id {
		case wasmModuleName:
			m.name = s.name()
		case wasmFunctionName:
			for n := s.u32(); n > 0 && s.err == nil && len(m.names) < maxWasmFunctions; n-- {
				index, name := s.u32(), s.name()
				if s.err == nil {
					m.names[index] = name
				}
			}
		}
	}
}
