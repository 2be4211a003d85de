package minidump

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho/machocore"
)

// Options say where a dump's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one.
	Exe string
	// Files finds the files of modules and their symbols; nil means that there are none.
	Files find.Finder
}

// A moduleLoader makes the modules of a process of the dump's list, and finds their files.
type moduleLoader struct {
	in      *reader
	p       *core.Process
	opt     Options
	mask    uint64 // significant bits of addresses, as Crashpad says
	modules []module
	opened  file.Set
}

func newModuleLoader(in *reader, opt Options) *moduleLoader {
	return &moduleLoader{in: in, p: in.p, opt: opt}
}

// read reads ModuleList.
func (l *moduleLoader) read() {
	if s, ok := l.in.find(moduleList); ok {
		seen := map[core.Addr]bool{}
		for _, e := range l.in.list(s, moduleSize) {
			m := readModule(l.in, e)
			if seen[m.start] {
				l.in.warn(s.name(), uint64(s.loc.rva), "two modules begin at %v,", m.start)
				continue
			}
			seen[m.start] = true
			l.modules = append(l.modules, m)
		}
	}
	l.findExe()
}

// make makes the modules, whose files fill gaps of mem.
func (l *moduleLoader) make(mem *memoryLoader) {
	switch l.p.OS {
	case "darwin":
		l.machO(mem.segs)
	case "windows":
		l.windowsModules(mem)
	default:
		l.elf(mem)
	}
	if len(l.p.Modules) == 0 {
		l.p.Warn("", "no modules are known: the dump lists none")
	}
}

// moduleOf returns the module of the vocabulary.
func (l *moduleLoader) moduleOf(m *module) core.Module {
	one := core.Module{Path: m.path, Start: m.start, End: m.start + core.Addr(m.size), Origin: core.FromModuleList,
		Exe: m.exe, DebugID: m.debug}
	if l.p.OS == "windows" {
		one.DebugName = m.pdb
	}
	return one
}

// symbols stands a symbol file of Breakpad in for the file of a module that was not
// found.
func (l *moduleLoader) symbols(m *core.Module, size uint64, facts core.ModuleFacts) core.ModuleFacts {
	if facts.Image != nil || l.opt.Files == nil || m.DebugID == "" {
		return facts
	}
	got := l.opt.Files.Find(context.Background(), find.Want{Kind: find.Debug, ID: facts.BuildID, Near: m.Path,
		DebugID: m.DebugID, DebugName: m.DebugName})
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
func (l *moduleLoader) withSymbols(m *core.Module, size uint64) *core.Module {
	return core.NewModule(*m, func(x *core.Module) core.ModuleFacts { return l.symbols(x, size, m.Facts()) })
}

// findExe finds the executable: the module that has the entry point, if the dump
// says where that is, else the first, which all writers make it.
func (l *moduleLoader) findExe() {
	const atEntry = 9
	at := 0
	if entry, ok := l.p.AuxValue(atEntry); ok {
		has := func(m module) bool { return core.Addr(entry)-m.start < core.Addr(m.size) }
		if i := slices.IndexFunc(l.modules, has); i >= 0 {
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
func (l *moduleLoader) elf(mem *memoryLoader) {
	images := elfcore.NewImages(l.p, elfcore.Options{Exe: l.opt.Exe, Files: l.opt.Files})
	for i := range l.modules {
		m := &l.modules[i]
		if l.p.OS == "linux" && isVDSO(m.path) {
			m.path = "[vdso]"
		}
		one := l.moduleOf(m)
		one.Parts = mem.parts(m.start)
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
		mem.fillBy(images)
		l.checkExe()
	}
}

// checkExe warns at once if the executable that the user named is not the one of the dump.
func (l *moduleLoader) checkExe() {
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
func (l *moduleLoader) machO(segs []core.Segment) {
	var list []machocore.Listed
	for _, m := range l.modules {
		list = append(list, machocore.Listed{Path: m.path, Load: m.start, Size: m.size, UUID: m.id})
	}
	if l.p.Arch == nil {
		return
	}
	if err := machocore.AddImages(l.p, segs, list, machocore.Options{Exe: l.opt.Exe, Files: l.opt.Files}); err != nil {
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
