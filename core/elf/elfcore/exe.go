package elfcore

import (
	"bytes"
	"path"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
)

// findExe says which module is the executable: the one with the program headers
// or the entry point that the kernel gave the process. A process whose core
// does not list it gets one made of those headers.
func (l *finder) findExe(fs *[]*found) *found {
	at, entry := auxAddr(l.p, atPHDR), auxAddr(l.p, atEntry)
	for _, a := range []core.Addr{at, entry} {
		if a == 0 {
			continue
		}
		if f := l.covering(*fs, a); f != nil {
			f.phdrAt = at
			if f.path == "" {
				f.path = l.exeName()
			}
			return f
		}
	}
	if f := l.exeOfPhdrs(at); f != nil {
		*fs = append(*fs, f)
		return f
	}
	if f := l.exeInMemory(*fs); f != nil {
		return f
	}
	if len(l.p.Auxv) > 0 || len(*fs) == 0 {
		return nil
	}
	// No auxiliary vector: the name of the process is the first 15 bytes of the
	// executable's.
	for _, f := range *fs {
		if base := path.Base(f.path); l.p.Name != "" && base[:min(len(base), 15)] == l.p.Name {
			return f
		}
	}
	return nil
}

// exeInMemory finds the executable among images that were found in memory, where
// nothing else says which it is: the one with the build-id of the file that the user
// named, or else the one that the dynamic linker has written the place of its list to.
func (l *finder) exeInMemory(fs []*found) *found {
	var named *elf.File
	if l.opt.Exe != "" {
		if src, from, _ := l.lookup(l.opt.Exe, nil); src != nil {
			l.opened.Add(src)
			named, _ = elf.NewFile(src, from)
		}
	}
	var linked *found
	for _, f := range fs {
		img := l.memoryImage(f)
		switch {
		case img == nil || !img.HasProgs():
			continue
		case named != nil && len(named.BuildID()) > 0 && bytes.Equal(named.BuildID(), img.BuildID()):
			f.path = l.opt.Exe
			return f
		case linked == nil && hasDebugEntry(img):
			linked = f
		}
	}
	switch {
	case linked == nil || linked.origin != core.FromHeaders:
	case named != nil && len(named.BuildID()) > 0: // another program
		linked.path = l.ownExeName()
	default:
		linked.path = l.exeName()
	}
	return linked
}

// exeName returns the path of the executable: the one that the user named, or else
// the one that the process was given.
func (l *finder) exeName() string {
	if l.opt.Exe != "" {
		return l.opt.Exe
	}
	return l.ownExeName()
}

// ownExeName returns the path of the executable as the core gives it.
func (l *finder) ownExeName() string {
	if a := auxAddr(l.p, atExecfn); a != 0 {
		if s, err := core.CString(l.p.Space.Dumped(), a, 4096); err == nil && s != "" {
			return s
		}
	}
	if word, _, _ := strings.Cut(l.p.PSArgs, " "); word != "" {
		return word
	}
	return l.p.Name
}

// exeOfPhdrs makes the executable from the program headers in memory, or, if they were not dumped, from
// its file.
func (l *finder) exeOfPhdrs(at core.Addr) *found {
	if at == 0 {
		return nil
	}
	f := &found{path: l.exeName(), origin: core.FromAuxv, phdrAt: at}
	n, _ := l.p.AuxValue(atPHNUM)
	size, _ := l.p.AuxValue(atPHENT)
	img := elf.NewMemoryProgs(l.p.Space.Dumped(), l.Class, l.machine, at, size, n)
	var bias core.Addr
	if img != nil {
		f.image, bias = img, img.Bias()
	} else {
		file := l.exeFile(f)
		if file == nil {
			return nil
		}
		img, bias = file, auxAddr(l.p, atEntry)-core.Addr(file.Entry())
	}
	f.setParts(img, bias, pageSize(l.p))
	if len(f.parts) == 0 {
		return nil
	}
	return f
}

// hasDebugEntry reports whether the dynamic linker has written to an image where its list is.
func hasDebugEntry(img *elf.File) bool {
	r, _, _ := img.DebugEntry()
	return r != 0
}
