package elf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
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
	// chroot where the process ran; "" for none.
	Sysroot string
	// Search lists folders that hold files by their whole path, by any end of
	// it, or by build-id (.build-id/xx/yyyy, as debug packages lay them out).
	Search []string
	// DebugDirs lists folders with separate debug files, where "" stands for
	// nothing; none means /usr/lib/debug.
	DebugDirs []string
}

// Lookup implements FileProvider: below Sysroot, in Search, at the path itself,
// and by build-id in DebugDirs, in this order.
func (d Disk) Lookup(path string, buildID []byte) (core.Source, string, []error) {
	tries := d.places(path, buildID)
	for _, dir := range d.debugDirs() {
		tries = append(tries, byBuildID(dir, buildID, "")...)
	}
	return firstOf(tries, func(src core.Source, p string) error { return checkBuildID(src, p, buildID) })
}

// Data returns the first file of any kind that the process may have had at path
// and that prove accepts; nil if there is none. It says where the bytes come
// from and which files were refused. The caller closes src.
func (d Disk) Data(path string, prove func(core.Source) error) (src core.Source, from string, refused []error) {
	return firstOf(d.places(path, nil), func(src core.Source, p string) error {
		if err := prove(src); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return nil
	})
}

// places returns where the file that the process had at path may be: below
// Sysroot, in Search, and at the path itself.
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
	if strings.HasPrefix(path, "/") {
		tries = append(tries, filepath.FromSlash(rooted))
	} else if path != "" {
		tries = append(tries, path)
	}
	return tries
}

// Debug returns the separate debug file with a build-id, or else the one of the
// name in a .gnu_debuglink section with that CRC: beside the file at path near,
// in .debug beside it, or below DebugDirs; nil if there is none (GDB manual,
// "Debugging Information in Separate Files"). The caller closes src.
func (d Disk) Debug(buildID []byte, link string, crc uint32, near string) (src core.Source, from string, refused []error) {
	var tries []string
	for _, dir := range append(d.debugDirs(), d.Search...) {
		tries = append(tries, byBuildID(dir, buildID, ".debug")...)
	}
	src, from, refused = firstOf(tries, func(src core.Source, p string) error { return checkBuildID(src, p, buildID) })
	link = filepath.Base(filepath.FromSlash(link))
	if src != nil || link == "." || link == string(filepath.Separator) || link == ".." {
		return src, from, refused
	}
	dir := filepath.Dir(near)
	tries = []string{filepath.Join(dir, link), filepath.Join(dir, ".debug", link)}
	for _, root := range d.debugDirs() {
		tries = append(tries, filepath.Join(root, dir, link))
		if d.Sysroot != "" {
			tries = append(tries, filepath.Join(d.Sysroot, root, dir, link))
		}
	}
	for _, s := range d.Search {
		tries = append(tries, filepath.Join(s, link))
	}
	src, from, more := firstOf(tries, func(src core.Source, p string) error {
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

func (d Disk) debugDirs() []string {
	if len(d.DebugDirs) == 0 {
		return []string{"/usr/lib/debug"}
	}
	var out []string
	for _, dir := range d.DebugDirs {
		if dir != "" {
			out = append(out, dir)
		}
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

// firstOf opens the first of paths that is there and passes check. A path that
// is tried twice is opened once.
func firstOf(paths []string, check func(core.Source, string) error) (core.Source, string, []error) {
	var refused []error
	seen := map[string]bool{}
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		src, err := file.Map(p)
		if err != nil {
			if !errors.Is(err, os.ErrNotExist) && !strings.Contains(err.Error(), "not a directory") {
				refused = append(refused, err)
			}
			continue
		}
		if err := check(src, p); err != nil {
			refused = append(refused, err)
			src.Close()
			continue
		}
		return src, p, refused
	}
	return nil, "", refused
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
