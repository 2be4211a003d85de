package elf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/file"
	"coredbg/core/find"
)

// A MismatchError says that a file is not the one that the process had loaded.
type MismatchError struct {
	Path      string
	Have, Was []byte // build-ids; Have is nil if the file does not have one
}

// Error names the file and both build-ids.
func (e *MismatchError) Error() string {
	have := "none"
	if len(e.Have) > 0 {
		have = core.BuildIDString(e.Have)
	}
	return fmt.Sprintf("%s: another file: its build-id is %s, the process had %s", e.Path, have,
		core.BuildIDString(e.Was))
}

// Disk finds ELF files on this machine, and files without code.
type Disk struct{ find.Disk }

// usualDebugDir is where distributions have separate debug files.
const usualDebugDir = "/usr/lib/debug"

// Find implements find.Finder.
func (d Disk) Find(ctx context.Context, w find.Want) find.Found {
	switch w.Kind {
	case find.Image:
		return d.image(w)
	case find.Debug:
		return d.debug(w)
	}
	return d.Disk.Find(ctx, w)
}

// image finds the file that the process had at a path: below Sysroot, in Search, at
// the path itself if there is no Sysroot, where the dynamic linker looks if the path is a
// name alone, and by build-id in Search, as debug packages lay files out
// (.build-id/xx/yyyy), and in DebugDirs.
func (d Disk) image(w find.Want) find.Found {
	name := strings.TrimSuffix(w.Path, " (deleted)")
	tries := d.InSysroot(name)
	for _, dir := range d.Search {
		tries = append(append(tries, find.Ends(dir, name)...), byBuildID(dir, w.ID, "")...)
	}
	tries = append(tries, d.Itself(name)...)
	bare := isBareName(w)
	if bare {
		tries = append(tries, d.libraryPlaces(name, w.Near)...)
	}
	for _, dir := range d.debugDirs() {
		tries = append(tries, byBuildID(dir, w.ID, "")...)
	}
	got := d.First(tries, func(src core.Source, p string) error { return CheckBuildID(src, p, w.ID) })
	switch {
	case bare && got.Source != nil:
		got.Refused = nil // they were guesses
	case len(d.Search) > 0:
		// A folder of that name, as symbol stores have, is not worth a word.
		got.Refused = slices.DeleteFunc(got.Refused, func(err error) bool { return errors.Is(err, file.ErrNotRegular) })
	}
	return got
}

// debug finds the separate debug file with a build-id, or else the one that a .gnu_debuglink section
// names and that has its CRC. It looks in the folder of the image's file, in its subfolder .debug, in
// DebugDirs and below them (GDB manual, "Debugging Information in Separate Files"). In DebugDirs and
// Search a file with the build-id counts if its name is the image's, with or without ".debug".
func (d Disk) debug(w find.Want) find.Found {
	var tries []string
	for _, dir := range append(d.debugDirs(), d.Search...) {
		tries = append(tries, byBuildID(dir, w.ID, ".debug")...)
	}
	got := d.First(tries, func(src core.Source, p string) error { return CheckBuildID(src, p, w.ID) })
	if got.Source != nil {
		return got
	}
	refused := got.Refused
	got = d.First(d.debugNamed(w.Near, w.ID), func(src core.Source, p string) error {
		if err := CheckBuildID(src, p, w.ID); err != nil {
			return err
		}
		f, err := NewFile(src, p)
		if err == nil && !f.hasDebug() {
			err = fmt.Errorf("%s: no debug file: it has neither symbols nor lines", p)
		}
		return err
	})
	if refused = append(refused, got.Refused...); got.Source == nil {
		// A file with another build-id may be the one that the link names.
		got = d.First(d.debugLinked(w.Link, w.Near), func(src core.Source, p string) error {
			// A build-id proves more than a checksum, and costs less.
			if len(w.ID) > 0 {
				if f, err := NewFile(src, p); err == nil && bytes.Equal(f.BuildID(), w.ID) {
					return nil
				}
			}
			return checkCRC(src, p, w.CRC)
		})
		refused = append(refused, got.Refused...)
	}
	if got.Source == nil {
		got = breakpad.Find(&d.Disk, cmp.Or(w.DebugName, w.Near), cmp.Or(w.DebugID, breakpad.DebugID(w.ID, false)))
		refused = append(refused, got.Refused...)
	}
	got.Refused = refused
	return got
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

// folderOf returns the folder of a file on this machine, and the folder where the process had it. A
// file outside Sysroot is taken for the one at its path in Sysroot.
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

// debugDirs returns the folders with separate debug files, named folders first.
func (d Disk) debugDirs() []string {
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
		out = append(out, filepath.Join(d.Sysroot, usualDebugDir))
	default:
		out = append(out, usualDebugDir)
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

// CheckBuildID returns an error if src is not an ELF file, or if its build-id differs from want. An
// empty want matches any file.
func CheckBuildID(src core.Source, path string, want []byte) error {
	f, err := NewFile(src, path)
	if err != nil {
		return err
	}
	if len(want) == 0 {
		return nil
	}
	if have := f.BuildID(); !SameBuildID(have, want) {
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
