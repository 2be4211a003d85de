package minidump

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/elf/elfcore"
	"coredbg/core/find"
	"coredbg/core/macho/machocore"
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

// readModules reads ModuleList and makes the modules and, with them, the address space.
func (l *loader) readModules() {
	if s, ok := l.find(moduleList); ok {
		seen := map[core.Addr]bool{}
		for _, e := range l.list(s, moduleSize) {
			m := l.module(e)
			if seen[m.start] {
				l.warn(s.name(), uint64(s.loc.rva), "two modules begin at %v,", m.start)
				continue
			}
			seen[m.start] = true
			l.modules = append(l.modules, m)
		}
	}
	l.findExe()
	l.moduleAnnotations()
	l.space()
	switch l.p.OS {
	case "darwin":
		l.machO()
	case "windows":
		l.windowsModules()
	default:
		l.elf()
	}
	if len(l.p.Modules) == 0 {
		l.p.Warn("", "no modules are known: the dump lists none")
	}
}

// module reads a MINIDUMP_MODULE.
func (l *loader) module(e []byte) module {
	const what = "ModuleListStream"
	m := module{start: l.addr(le.Uint64(e)), size: uint64(le.Uint32(e[8:])), stamp: le.Uint32(e[16:]),
		path: l.utf16At(uint64(le.Uint32(e[20:])), what)}
	loc := locationAt(e[76:])
	if loc.size > maxCodeView {
		l.warn(what, uint64(loc.rva), "a CodeView record of %d bytes", loc.size)
		loc.size = maxCodeView
	}
	if l.afford(uint64(loc.size), what) {
		l.codeView(&m, l.at(loc, "CodeView records"))
	}
	return m
}

// codeView takes the id from a CodeView record: a PDB's has a GUID, an age and a path, Breakpad's for
// ELF has a build-id. An id of zeros counts as missing.
func (l *loader) codeView(m *module, d []byte) {
	switch {
	case len(d) >= 24 && string(d[:4]) == "RSDS":
		m.id, m.age, m.pdb = d[4:20:20], le.Uint32(d[20:]), cstring(d[24:])
		m.debug = fmt.Sprintf("%X%X", swapGUID(m.id), m.age)
		if l.p.OS == "darwin" {
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

// moduleOf returns the module of the vocabulary.
func (l *loader) moduleOf(m *module) core.Module {
	one := core.Module{Path: m.path, Start: m.start, End: m.start + core.Addr(m.size), Origin: core.FromModuleList, Exe: m.exe, DebugID: m.debug}
	if l.p.OS == "windows" {
		one.DebugName = m.pdb
	}
	return one
}

// symbols stands a symbol file of Breakpad in for the file of a module that was not
// found.
func (l *loader) symbols(m *core.Module, size uint64, facts core.ModuleFacts) core.ModuleFacts {
	if facts.Image != nil || l.opt.Files == nil || m.DebugID == "" {
		return facts
	}
	got := l.opt.Files.Find(context.Background(), find.Want{Kind: find.Debug, ID: facts.BuildID, Near: m.Path, DebugID: m.DebugID, DebugName: m.DebugName})
	if got.Source == nil {
		for _, err := range got.Refused {
			if facts.Err == nil || !strings.Contains(facts.Err.Error(), err.Error()) {
				facts.Err = errors.Join(facts.Err, err)
			}
		}
		return facts
	}
	l.opened.Add(got.Source)
	if !breakpad.Is(got.Source) {
		return facts
	}
	img, err := breakpad.NewImage(got.Source, got.From, 0, size)
	if err != nil {
		facts.Err = errors.Join(facts.Err, err)
		return facts
	}
	facts.Image, facts.Bias, facts.BiasKnown = img, m.Start, true
	return facts
}

// withSymbols returns a module that symbols serves, too.
func (l *loader) withSymbols(m *core.Module, size uint64) *core.Module {
	return core.NewModule(*m, func(x *core.Module) core.ModuleFacts { return l.symbols(x, size, m.Facts()) })
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

// findExe finds the executable: the module that has the entry point, if the dump
// says where that is, else the first, which all writers make it.
func (l *loader) findExe() {
	const atEntry = 9
	at := 0
	if entry, ok := l.p.AuxValue(atEntry); ok {
		if i := slices.IndexFunc(l.modules, func(m module) bool { return core.Addr(entry)-m.start < core.Addr(m.size) }); i >= 0 {
			at = i
		}
	}
	if at < len(l.modules) {
		l.modules[at].exe = true
	}
}

// isVDSO reports whether a module is the image that the kernel maps: Breakpad calls it by the
// soname that it has on i386, Crashpad by its own one (vdso(7)).
func isVDSO(path string) bool {
	for _, name := range []string{"linux-gate.so", "linux-vdso.so", "linux-vdso32.so", "linux-vdso64.so", "[vdso]"} {
		if strings.HasPrefix(path, name) {
			return true
		}
	}
	return false
}

// elf makes modules of ELF images.
func (l *loader) elf() {
	images := elfcore.NewImages(l.p, elfcore.Options{Exe: l.opt.Exe, Files: l.opt.Files})
	for i := range l.modules {
		m := &l.modules[i]
		if l.p.OS == "linux" && isVDSO(m.path) {
			m.path = "[vdso]"
		}
		one := l.moduleOf(m)
		one.Parts = l.parts(m)
		if n := len(one.Parts); n > 0 {
			one.End = max(one.End, one.Parts[0].End)
		}
		if images == nil {
			l.p.Modules = append(l.p.Modules, core.NewModule(one, nil))
			continue
		}
		l.p.Modules = append(l.p.Modules, l.withSymbols(images.Module(one, m.id), m.size))
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	if l.p.Arch == core.ARM64 && l.mask != 0 {
		l.p.CodeMask, l.p.DataMask = ^l.mask, ^l.mask
	}
	if images != nil {
		l.fillBy(images)
		l.checkExe()
	}
}

// checkExe warns at once if the executable that the user named is not the one of the dump.
func (l *loader) checkExe() {
	for _, m := range l.p.Modules {
		if l.opt.Exe == "" || !m.Exe {
			continue
		}
		if facts := m.Facts(); facts.Image == nil || facts.Image.Path() != l.opt.Exe {
			text := l.opt.Exe + ": not the executable of the process"
			if facts.Err != nil {
				text = strings.ReplaceAll(facts.Err.Error(), "\n", "; ")
			}
			l.p.Warn(core.PlaceExecutable, text)
		}
	}
}

// machO makes modules of Mach-O images.
func (l *loader) machO() {
	var list []machocore.Listed
	for _, m := range l.modules {
		list = append(list, machocore.Listed{Path: m.path, Load: m.start, Size: m.size, UUID: m.id})
	}
	if l.p.Arch == nil {
		return
	}
	if err := machocore.AddImages(l.p, l.segs, list, machocore.Options{Exe: l.opt.Exe, Files: l.opt.Files}); err != nil {
		l.p.Warn("ModuleListStream", err.Error())
	}
	known := slices.ContainsFunc(l.p.Modules, func(m *core.Module) bool { return m.Exe })
	listed := map[core.Addr]*module{}
	for i := range l.modules {
		listed[l.modules[i].start] = &l.modules[i]
	}
	for n, m := range l.p.Modules {
		if x := listed[m.Start]; x != nil {
			m.Exe = m.Exe || x.exe && !known
			m.DebugID = x.debug
			l.p.Modules[n] = l.withSymbols(m, x.size)
		}
	}
}
