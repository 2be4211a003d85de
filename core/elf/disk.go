package elf

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
)

// A FileProvider finds the files that a process had mapped.
type FileProvider interface {
	// Lookup returns the file that the process had at path; nil if there is
	// none. With a build-id, only a file that has it is returned. It says
	// where the bytes come from and which files it refused, and why. The
	// caller closes src.
	Lookup(path string, buildID []byte) (src core.Source, from string, refused []error)
}

// A MismatchError says that a file is not the one that the process had loaded.
type MismatchError struct {
	Path      string
	Have, Was []byte // build-ids; Have is nil if the file has none
}

// Error names the file and both build-ids.
func (e *MismatchError) Error() string {
	have := "none"
	if len(e.Have) > 0 {
		have = core.BuildIDString(e.Have)
	}
	return fmt.Sprintf("%s: another file: its build-id is %s, the process had %s", e.Path, have, core.BuildIDString(e.Was))
}

// Disk finds files on this machine.
type Disk struct {
	// Sysroot is a folder that stands for "/" of the machine, container or
	// chroot where the process ran; "" for none. With it, nothing is opened
	// outside of it and of the folders below, and links in each of them lead to
	// places in it.
	Sysroot string
	// Search lists folders that hold files by their whole path, by any end of
	// it, or by build-id (.build-id/xx/yyyy, as debug packages lay them out).
	Search []string
	// DebugDirs lists folders with separate debug files, which come before
	// /usr/lib/debug, that of Sysroot if there is one; "" stands for leaving that
	// out.
	DebugDirs []string
}

// bounds say what may be opened.
func (d Disk) bounds() file.Bounds {
	if d.Sysroot == "" {
		return file.Bounds{}
	}
	return file.Bounds{Roots: slices.Concat([]string{d.Sysroot}, d.Search, d.DebugDirs)}
}

// Lookup implements FileProvider: below Sysroot, in Search, at the path itself
// if there is no Sysroot, and by build-id in DebugDirs, in this order.
func (d Disk) Lookup(path string, buildID []byte) (core.Source, string, []error) {
	tries := d.places(path, buildID)
	for _, dir := range d.debugDirs() {
		tries = append(tries, byBuildID(dir, buildID, "")...)
	}
	return d.bounds().FirstOf(tries, func(src core.Source, p string) error { return checkBuildID(src, p, buildID) })
}

// Data returns the first file of any kind that the process may have had at path
// and that prove accepts; nil if there is none. It says where the bytes come
// from and which files were refused. The caller closes src.
func (d Disk) Data(path string, prove func(core.Source) error) (src core.Source, from string, refused []error) {
	return d.bounds().FirstOf(d.places(path, nil), func(src core.Source, p string) error {
		if err := prove(src); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return nil
	})
}

// places returns where the file that the process had at path may be: below
// Sysroot, in Search, and without a Sysroot at the path itself.
func (d Disk) places(path string, buildID []byte) []string {
	path = strings.TrimSuffix(path, " (deleted)")
	var tries []string
	rooted := filepath.Clean("/" + path) // no ".." may lead out of a folder
	if d.Sysroot != "" {
		tries = append(tries, filepath.Join(d.Sysroot, rooted))
	}
	for _, dir := range d.Search {
		for rest := rooted; rest != ""; {
			tries = append(tries, filepath.Join(dir, rest))
			i := strings.IndexByte(rest[1:], '/')
			if i < 0 {
				break
			}
			rest = rest[1+i:]
		}
		tries = append(tries, byBuildID(dir, buildID, "")...)
	}
	switch {
	case path == "" || d.Sysroot != "":
	case strings.HasPrefix(path, "/"):
		tries = append(tries, filepath.FromSlash(rooted))
	default:
		tries = append(tries, path)
	}
	return tries
}

// Debug returns the separate debug file with a build-id, or else the one of the
// name in a .gnu_debuglink section with that CRC: beside the file at path near,
// in .debug beside it, in DebugDirs or below them; nil if there is none (GDB manual,
// "Debugging Information in Separate Files"). In DebugDirs and Search a file with
// the build-id counts that is called as the file at near is, with or without
// ".debug". The caller closes src.
func (d Disk) Debug(buildID []byte, link string, crc uint32, near string) (src core.Source, from string, refused []error) {
	var tries []string
	for _, dir := range append(d.debugDirs(), d.Search...) {
		tries = append(tries, byBuildID(dir, buildID, ".debug")...)
	}
	src, from, refused = d.bounds().FirstOf(tries, func(src core.Source, p string) error { return checkBuildID(src, p, buildID) })
	if src != nil {
		return src, from, refused
	}
	src, from, more := d.bounds().FirstOf(d.debugNamed(near, buildID), func(src core.Source, p string) error {
		if err := checkBuildID(src, p, buildID); err != nil {
			return err
		}
		f, err := NewFile(src, p)
		if err == nil && !f.hasDebug() {
			err = fmt.Errorf("%s: no debug file: it has neither symbols nor lines", p)
		}
		return err
	})
	refused = append(refused, more...)
	if src != nil {
		return src, from, refused
	}
	// What has another build-id may be the one that the link names.
	if tries = d.debugLinked(link, near); len(tries) == 0 {
		return nil, "", refused
	}
	src, from, more = d.bounds().FirstOf(tries, func(src core.Source, p string) error {
		// A build-id proves more than a checksum, and costs less.
		if len(buildID) > 0 {
			if f, err := NewFile(src, p); err == nil && bytes.Equal(f.BuildID(), buildID) {
				return nil
			}
		}
		return checkCRC(src, p, crc)
	})
	return src, from, append(refused, more...)
}

// debugNamed returns where a debug file may lie that is called as the file at near.
func (d Disk) debugNamed(near string, buildID []byte) (tries []string) {
	base := filepath.Base(near)
	if len(buildID) == 0 || base == "." || base == string(filepath.Separator) {
		return nil
	}
	for _, dir := range slices.Concat(d.DebugDirs, d.Search) {
		for _, name := range []string{base + ".debug", base} {
			if at := filepath.Join(dir, name); dir != "" && at != near {
				tries = append(tries, at)
			}
		}
	}
	return tries
}

// hasDebug reports whether a file has what debug files are there for.
func (f *File) hasDebug() bool {
	for _, name := range []string{".debug_info", ".debug_line", ".symtab"} {
		if s, err := f.Section(name); err == nil && len(s.Data) > 0 {
			return true
		}
	}
	return false
}

// debugLinked returns where the debug file that a link names may lie.
func (d Disk) debugLinked(link, near string) []string {
	link = filepath.Base(filepath.FromSlash(link))
	if link == "." || link == string(filepath.Separator) || link == ".." {
		return nil
	}
	here, there := d.folderOf(near)
	tries := []string{filepath.Join(here, link), filepath.Join(here, ".debug", link)}
	for _, root := range d.debugDirs() {
		tries = append(tries, filepath.Join(root, there, link), filepath.Join(root, link))
	}
	for _, s := range d.Search {
		tries = append(tries, filepath.Join(s, link))
	}
	return tries
}

// folderOf returns the folder of a file on this machine, and what it was called
// where the process ran. A file that is outside Sysroot is taken for the one at
// its path in it.
func (d Disk) folderOf(path string) (here, there string) {
	here = filepath.Dir(path)
	if d.Sysroot == "" {
		return here, here
	}
	if rel, err := filepath.Rel(d.Sysroot, here); err == nil && filepath.IsLocal(rel) {
		return here, rel
	}
	for _, dir := range d.Search {
		if rel, err := filepath.Rel(dir, here); err == nil && filepath.IsLocal(rel) {
			return here, rel
		}
	}
	return filepath.Join(d.Sysroot, filepath.Clean("/"+here)), here
}

// debugDirs returns the folders with separate debug files, those that were named
// first.
func (d Disk) debugDirs() []string {
	const usual = "/usr/lib/debug"
	var out []string
	for _, dir := range d.DebugDirs {
		if dir != "" {
			out = append(out, dir)
			if d.Sysroot != "" {
				out = append(out, filepath.Join(d.Sysroot, dir))
			}
		}
	}
	switch {
	case slices.Contains(d.DebugDirs, ""):
	case d.Sysroot != "":
		out = append(out, filepath.Join(d.Sysroot, usual))
	default:
		out = append(out, usual)
	}
	return out
}

// byBuildID returns the paths that a file with a build-id may have below dir.
func byBuildID(dir string, id []byte, suffix string) []string {
	if len(id) < 2 || dir == "" {
		return nil
	}
	h := hex.EncodeToString(id)
	name := filepath.Join(h[:2], h[2:]+suffix)
	return []string{filepath.Join(dir, ".build-id", name), filepath.Join(dir, name)}
}

// checkBuildID refuses what is no ELF file, and what has another build-id than
// the one that is wanted, if one is.
func checkBuildID(src core.Source, path string, want []byte) error {
	f, err := NewFile(src, path)
	if err != nil {
		return err
	}
	if len(want) == 0 {
		return nil
	}
	if have := f.BuildID(); !bytes.Equal(have, want) {
		return &MismatchError{Path: path, Have: bytes.Clone(have), Was: want}
	}
	return nil
}

func checkCRC(src core.Source, path string, want uint32) error {
	h := crc32.NewIEEE()
	for off := int64(0); off < src.Size(); {
		w, err := src.Window(off)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		h.Write(w)
		off += int64(len(w))
	}
	if got := h.Sum32(); got != want {
		return fmt.Errorf("%s: another debug file: its checksum is %08x, the debug link wants %08x", path, got, want)
	}
	return nil
}
