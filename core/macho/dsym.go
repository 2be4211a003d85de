package macho

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/find"
	"coredbg/core/macho/format"
)

// debug finds the file in a dSYM bundle that has the UUID. The bundle may be in the folder of the
// image's file, also below Sysroot, or in the folder of the application or framework that contains the
// file; in Search; in DebugDirs; and anywhere below those. Only bundles with the image's name are
// reported as refused.
func (d *Disk) debug(w find.Want) find.Found {
	if len(w.ID) == 0 {
		return find.Found{}
	}
	ok := func(src core.Source, p string) error { return checkDSYM(src, p, w.ID) }
	got := d.firstOf(d.bundles(w.Near), ok)
	if got.Source == nil {
		refused := got.Refused
		got = d.firstOf(d.index().dsyms[string(w.ID)], ok)
		got.Refused = append(refused, got.Refused...)
	}
	if got.Source == nil {
		refused := got.Refused
		got = breakpad.Find(&d.Disk, cmp.Or(w.DebugName, w.Near), cmp.Or(w.DebugID, breakpad.DebugID(w.ID, true)))
		got.Refused = append(refused, got.Refused...)
	}
	return got
}

// object finds an object file of a debug map, or the archive that contains it: below Sysroot, in Search
// by any end of its path, at its path, and relative to the folder of the image's file.
func (d *Disk) object(w find.Want) find.Found {
	path, _, _ := splitMember(w.Path)
	tries := d.places(path)
	if filepath.IsAbs(path) && d.Sysroot == "" {
		tries = append(tries, path)
	}
	if w.Near != "" {
		dir := filepath.Dir(w.Near)
		tries = append(tries, filepath.Join(dir, filepath.Clean("/"+path)), filepath.Join(dir, filepath.Base(path)))
	}
	got := d.firstOf(tries, isObject)
	if got.Source != nil {
		if st, err := d.Bounds().Stat(got.From); err == nil {
			got.Modified = uint64(max(st.ModTime().Unix(), 0))
		}
	}
	return got
}

// archiveMagic is how archives begin (ar.h).
const archiveMagic = "!<arch>\n"

// isObject refuses a file that is neither a Mach-O file nor an archive of them: its path comes
// from the program.
func isObject(src core.Source, path string) error {
	if string(format.Slice(src, 0, uint64(len(archiveMagic)))) == archiveMagic {
		return nil
	}
	return checkUUID(src, path, nil)
}

// maxBundleFiles bounds the files that are tried of one bundle.
const maxBundleFiles = 64

// inBundle is where a dSYM bundle has its files.
var inBundle = filepath.Join("Contents", "Resources", "DWARF")

// bundles returns the files of the bundles that could belong to an image.
func (d *Disk) bundles(near string) (out []string) {
	if near == "" {
		return nil
	}
	base := filepath.Base(near)
	dirs := []string{near + ".dSYM"}
	for _, p := range d.places(near) {
		dirs = append(dirs, p+".dSYM")
	}
	for dir := filepath.Dir(near); dir != "." && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		switch filepath.Ext(dir) {
		case ".app", ".framework", ".bundle", ".xpc", ".appex", ".plugin", ".kext":
			dirs = append(dirs, dir+".dSYM")
		}
	}
	for _, dir := range append(append([]string(nil), d.Search...), d.DebugDirs...) {
		dirs = append(dirs, filepath.Join(dir, base+".dSYM"))
		if strings.HasSuffix(strings.TrimRight(dir, "/"), ".dSYM") {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		dir = filepath.Join(dir, inBundle)
		out = append(out, filepath.Join(dir, base))
		// The file has the name that the image had when it was linked.
		more, _ := d.Bounds().ReadDir(dir)
		for _, e := range more[:min(len(more), maxBundleFiles)] {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// checkDSYM returns an error if src is not a file of a dSYM bundle, or if its UUID differs.
func checkDSYM(src core.Source, path string, uuid []byte) error {
	f, err := NewFile(src, path, 0, uuid)
	if err != nil {
		return err
	}
	if f.head.FileType != format.MHDSYM {
		return fmt.Errorf("%s: not a file of a dSYM bundle", path)
	}
	if !bytes.Equal(f.uuid, uuid) {
		return &MismatchError{Path: path, Have: bytes.Clone(f.uuid), Was: uuid}
	}
	return nil
}
