package art

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
}

// Contains reports whether an address is in the oat file, from oatdata on.
func (f *OatFile) Contains(at core.Addr) bool { return f.File.Begin <= at && at < f.end }

// OatFiles returns the oat files by address: images that export oatdata, and
// mappings of files by dex2oat's suffixes that begin with the magic. The error
// is of the first that could not be read.
func (a *ART) OatFiles() ([]*OatFile, error) { return a.oats() }

// oatVersion is the version of the format of compiled code. ART loads no oat
// file of another version than its own, and from Android 12 on it is updated
// without its Android: what is loaded tells it better than the API level.
func (a *ART) oatVersion() codeinfo.Version {
	if list, _ := a.oats(); len(list) > 0 {
		return codeinfo.Version(list[0].File.Version)
	}
	return codeinfo.OfSDK(a.layout.SDK)
}

func (a *ART) readOatFiles() ([]*OatFile, error) {
	begins := map[core.Addr]string{}
	ends := map[string]core.Addr{}
	for _, m := range a.process.Mappings {
		if !oatPath(m.Path) && !strings.HasSuffix(m.Path, ".so") {
			continue
		}
		ends[m.Path] = max(ends[m.Path], m.End)
		if oatPath(m.Path) {
			a.oatIn(m, begins)
		}
	}
	for _, m := range a.process.Modules {
		// Asking every library would read the symbols of all.
		if !oatPath(m.Path) && !strings.Contains(m.Path, "/oat/") {
			continue
		}
		if s, ok := a.symbols.Find(m.Name(), "oatdata"); ok && m.Contains(s.Addr) {
			begins[s.Addr] = m.Path
			ends[m.Path] = max(ends[m.Path], m.End)
		}
	}
	var list []*OatFile
	var first error
	for begin, path := range begins {
		end := ends[path]
		f, err := oat.Open(a.space, begin, uint64(end-begin))
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

// oatStep is the alignment in bytes at which oatdata is looked for: sections of
// a page, until Android 16 the least alignment of read-only data.
const oatStep = 64

// oatIn looks for oatdata at the beginning of the pages of a mapping, and
// within its first one.
func (a *ART) oatIn(m core.Mapping, begins map[core.Addr]string) {
	const page = 4096
	for at := m.Start; at < m.End && at-m.Start < 64*page; {
		if b, ok := a.bytes(at, 8); ok && oat.Magic(b) {
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
func (a *ART) OatMethods(f *OatFile, class string) ([]OatMethod, error) {
	if !strings.HasSuffix(class, ";") {
		class = "L" + strings.ReplaceAll(class, ".", "/") + ";"
	}
	dexes, err := f.File.DexFiles()
	known, knownErr := a.knownDexFiles()
	if err == nil {
		err = knownErr
	}
	for _, d := range dexes {
		for _, k := range known {
			if k.File == nil || k.Checksum != d.Checksum {
				continue
			}
			if row, e := k.File.FindClass(class); e == nil {
				return a.oatClass(f, d, k.File, row)
			}
		}
	}
	if err == nil {
		err = fmt.Errorf("art: no class %q in the dex files of %s", class, f.Path)
	}
	return nil, err
}

func (a *ART) oatClass(f *OatFile, d oat.DexFile, file *dex.File, row uint32) ([]OatMethod, error) {
	class, err := f.File.Class(d, row)
	if err != nil {
		return nil, err
	}
	def, err := file.ClassDef(row)
	if err != nil {
		return nil, err
	}
	data, err := file.ClassData(def.ClassData)
	var list []OatMethod
	for i, m := range append(data.DirectMethods, data.VirtualMethods...) {
		off, codeErr := class.Code(uint32(i))
		if codeErr != nil {
			return list, codeErr
		}
		name, _ := file.Method(m.Index)
		o := OatMethod{Name: name.Pretty()}
		if off != 0 {
			o.Code = f.File.Begin + core.Addr(off)
		}
		list = append(list, o)
	}
	return list, err
}
