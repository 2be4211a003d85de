package minidump

import (
	"bytes"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/core/breakpad"
)

// A module is an entry of ModuleList.
type module struct {
	path  string
	start core.Addr
	size  uint64
	stamp uint32 // TimeDateStamp of the PE header
	id    []byte // build-id, UUID or the GUID of a PDB; nil if unknown
	age   uint32 // of the PDB
	pdb   string // path of the PDB
	debug string // the debug id of Breakpad; "" if unknown
	exe   bool
}

// maxCodeView bounds a CodeView record in bytes: a GUID and a path.
const maxCodeView = 1 << 16

// readModule reads a MINIDUMP_MODULE.
func readModule(in *reader, e []byte) module {
	const what = "ModuleListStream"
	m := module{start: in.addr(le.Uint64(e)), size: uint64(le.Uint32(e[8:])), stamp: le.Uint32(e[16:]),
		path: in.utf16At(uint64(le.Uint32(e[20:])), what)}
	loc := locationAt(e[76:])
	if loc.size > maxCodeView {
		in.warn(what, uint64(loc.rva), "a CodeView record of %d bytes", loc.size)
		loc.size = maxCodeView
	}
	if in.afford(uint64(loc.size), what) {
		m.codeView(in.p.OS, in.at(loc, "CodeView records"))
	}
	return m
}

// codeView takes the id from a CodeView record: a PDB's has a GUID, an age and a path, Breakpad's for
// ELF has a build-id. An id of zeros counts as missing.
func (m *module) codeView(os string, d []byte) {
	switch {
	case len(d) >= 24 && string(d[:4]) == "RSDS":
		m.id, m.age, m.pdb = d[4:20:20], le.Uint32(d[20:]), cstring(d[24:])
		m.debug = fmt.Sprintf("%X%X", swapGUID(m.id), m.age)
		if os == "darwin" {
			m.id = swapGUID(m.id)
		}
	case len(d) >= 16 && string(d[:4]) == "NB10":
		m.age, m.pdb = le.Uint32(d[12:]), cstring(d[16:])
	case len(d) > 4 && string(d[:4]) == "LEpB":
		m.id = d[4:]
		m.debug = breakpad.DebugID(m.id, false)
	}
	if len(bytes.Trim(m.id, "\x00")) == 0 {
		m.id, m.debug = nil, ""
	}
}

// swapGUID turns a GUID, whose first three fields are little endian, into the bytes of the UUID.
func swapGUID(g []byte) []byte {
	u := slices.Clone(g)
	slices.Reverse(u[:4])
	slices.Reverse(u[4:6])
	slices.Reverse(u[6:8])
	return u
}

func cstring(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
