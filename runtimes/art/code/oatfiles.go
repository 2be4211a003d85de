package code

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/oat"
)

// An OatFile is an oat file of the process.
type OatFile struct {
	Path string
	File *oat.File
	end  core.Addr

	once    sync.Once
	entries []oatEntry // by address
}

// An oatEntry is where an oat file has the code of a method. Methods with the
// same code share it.
type oatEntry struct {
	start  core.Addr
	dex    *DexFile
	row    uint32 // in class_defs
	method dex.MethodDef
}

// Contains reports whether an address is in the oat file, from oatdata on.
func (f *OatFile) Contains(at core.Addr) bool { return f.File.Begin <= at && at < f.end }

// OatFiles returns the oat files by address: images that export oatdata, and mappings of files with dex2oat's
// suffixes that begin with the magic. The error is about the first one that could not be read.
func (ix *Index) OatFiles() ([]*OatFile, error) { return ix.oats() }

// OatVersion is the version of the format of compiled code. ART loads no oat
// file of another version than its own, and from Android 12 on it is updated
// without its Android: what is loaded says it better than the API level.
func (ix *Index) OatVersion() codeinfo.Version {
	if list, _ := ix.oats(); len(list) > 0 {
		return codeinfo.Version(list[0].File.Version)
	}
	return codeinfo.OfSDK(ix.Layout.SDK)
}

func (ix *Index) readOatFiles() ([]*OatFile, error) {
	begins := map[core.Addr]string{}
	ends := map[string]core.Addr{}
	for _, m := range ix.Process.Mappings {
		if !oatPath(m.Path) && !strings.HasSuffix(m.Path, ".so") {
			continue
		}
		ends[m.Path] = max(ends[m.Path], m.End)
		if oatPath(m.Path) {
			ix.oatIn(m, begins)
		}
	}
	for _, m := range ix.Process.Modules {
		// Asking every library would read the symbols of all.
		if !oatPath(m.Path) && !strings.Contains(m.Path, "/oat/") {
			continue
		}
		if s, ok := ix.Symbols.Find(m.Name(), "oatdata"); ok && m.Contains(s.Addr) {
			begins[s.Addr] = m.Path
			ends[m.Path] = max(ends[m.Path], m.End)
		}
	}
	var list []*OatFile
	var first error
	for begin, path := range begins {
		end := ends[path]
		f, err := oat.Open(ix.Space, begin, uint64(end-begin))
		if err != nil {
			if first == nil {
				first = fmt.Errorf("art: %s: %w", path, err)
			}
			continue
		}
		list = append(list, &OatFile{Path: path, File: f, end: end})
	}
	slices.SortFunc(list, func(x, y *OatFile) int { return cmp.Compare(x.File.Begin, y.File.Begin) })
	return list, first
}

// oatStep is the alignment in bytes of possible oatdata: sections of a page, until Android 16 the least
// alignment of read-only data.
const oatStep = 64

// oatIn looks for oatdata at the beginning of the pages of a mapping, and
// within its first one.
func (ix *Index) oatIn(m core.Mapping, begins map[core.Addr]string) {
	const page = 4096
	for at := m.Start; at < m.End && at-m.Start < 64*page; {
		if b, ok := ix.Bytes(at, 8); ok && oat.Magic(b) {
			begins[at] = m.Path
			return
		}
		if at < m.Start+page {
			at += oatStep
		} else {
			at += page
		}
	}
}

// OatMethod is a method with its code in an oat file.
type OatMethod struct {
	Name string    // with its prototype
	Code core.Addr // 0 if it was not compiled
}

// OatMethods returns the methods of a class, given by its name or descriptor,
// with their code.
func (ix *Index) OatMethods(f *OatFile, class string) ([]OatMethod, error) {
	if !strings.HasSuffix(class, ";") {
		class = "L" + strings.ReplaceAll(class, ".", "/") + ";"
	}
	var list []OatMethod
	found, err := ix.eachOatDex(f, func(d oat.DexFile, k *DexFile) error {
		row, err := k.File.FindClass(class)
		if err != nil {
			return nil // another dex file may have it
		}
		return ix.eachOatMethod(f, d, k, row, func(e oatEntry) {
			name, _ := k.File.Method(e.method.Index)
			list = append(list, OatMethod{Name: name.Pretty(), Code: e.start})
		})
	})
	switch {
	case err == nil && found == 0:
		err = fmt.Errorf("art: none of the dex files of %s is known", f.Path)
	case err == nil && len(list) == 0:
		err = fmt.Errorf("art: no class %q in the dex files of %s", class, f.Path)
	}
	return list, err
}

// eachOatDex calls visit with each dex file of an oat file that the process has
// open, and returns their number.
func (ix *Index) eachOatDex(f *OatFile, visit func(oat.DexFile, *DexFile) error) (int, error) {
	dexes, err := f.File.DexFiles()
	known, knownErr := ix.KnownDexFiles()
	if err == nil {
		err = knownErr
	}
	n := 0
	for _, d := range dexes {
		i := slices.IndexFunc(known, func(k *DexFile) bool {
			return k.File != nil && k.Checksum == d.Checksum && (len(dexes) == 1 || sameEntry(k.Location, d.Location))
		})
		if i < 0 {
			continue
		}
		n++
		if e := visit(d, known[i]); e != nil && err == nil {
			err = e
		}
	}
	return n, err
}

// eachOatMethod calls visit with each method of a class, compiled or not.
func (ix *Index) eachOatMethod(f *OatFile, d oat.DexFile, k *DexFile, row uint32, visit func(oatEntry)) error {
	class, err := f.File.Class(d, row)
	if err != nil {
		return err
	}
	def, err := k.File.ClassDef(row)
	if err != nil {
		return err
	}
	data, err := k.File.ClassData(def.ClassData)
	for i, m := range slices.Concat(data.DirectMethods, data.VirtualMethods) {
		off, codeErr := class.Code(uint32(i))
		if codeErr != nil {
			return codeErr
		}
		e := oatEntry{dex: k, row: row, method: m}
		if off != 0 {
			e.start = ix.CodeAddr(f.File.Begin + core.Addr(off))
		}
		visit(e)
	}
	return err
}

// maxOatMethods bounds the methods of an oat file; the boot image has less than
// a million.
const maxOatMethods = 1 << 22

// oatEntries returns the compiled methods of an oat file by address. It leaves out unreadable ones.
func (ix *Index) oatEntries(f *OatFile) []oatEntry {
	f.once.Do(func() {
		ix.eachOatDex(f, func(d oat.DexFile, k *DexFile) error {
			for row := range k.File.ClassDefs.Size {
				if _, err := k.File.ClassDef(row); err != nil || len(f.entries) > maxOatMethods {
					break
				}
				ix.eachOatMethod(f, d, k, row, func(e oatEntry) {
					if e.start != 0 {
						f.entries = append(f.entries, e)
					}
				})
			}
			return nil
		})
		slices.SortStableFunc(f.entries, func(x, y oatEntry) int { return cmp.Compare(x.start, y.start) })
	})
	return f.entries
}

// oatMethodsAt returns the methods whose code in an oat file begins last before
// a pc, and where it begins; none if no oat file has any.
func (ix *Index) oatMethodsAt(pc core.Addr) (start core.Addr, methods []*Method) {
	files, _ := ix.OatFiles()
	for _, f := range files {
		if !f.Contains(pc) {
			continue
		}
		entries := ix.oatEntries(f)
		i, _ := slices.BinarySearchFunc(entries, pc+1,
			func(e oatEntry, pc core.Addr) int { return cmp.Compare(e.start, pc) })
		for i--; i >= 0 && len(methods) < maxStubShares && (start == 0 || entries[i].start == start); i-- {
			e := entries[i]
			start = e.start
			methods = append(methods, e.dex.method(e.row, e.method))
		}
	}
	slices.Reverse(methods)
	return start, methods
}

// method returns a method as a dex file describes it.
func (d *DexFile) method(row uint32, def dex.MethodDef) *Method {
	m := &Method{Access: def.AccessFlags, Index: def.Index, Dex: d, Name: fmt.Sprintf("Method@%d", def.Index)}
	note := func(err error) {
		if err != nil && m.Problem == "" {
			m.Problem = err.Error()
		}
	}
	id, err := d.File.Method(def.Index)
	note(err)
	if id.Name != "" && id.Class != "" {
		m.Class, m.Name, m.Signature = dex.TypeName(id.Class), id.Name, id.Proto.Signature()
	}
	m.File, err = d.File.SourceFile(row)
	note(err)
	if def.Code != 0 {
		m.Code, err = d.File.CodeAt(def.Code, def.Index)
		note(err)
	}
	return m
}

// MethodsOf returns the methods of a class as a dex file that is open defines
// them, loaded or not: they are not ArtMethods.
func (d *DexFile) MethodsOf(row uint32) ([]*Method, error) {
	def, err := d.File.ClassDef(row)
	if err != nil {
		return nil, err
	}
	data, err := d.File.ClassData(def.ClassData)
	var list []*Method
	for _, m := range slices.Concat(data.DirectMethods, data.VirtualMethods) {
		list = append(list, d.method(row, m))
	}
	return list, err
}
