package macho

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/file"
)

// A FileProvider finds the files of a process' images.
type FileProvider interface {
	// Lookup returns the file that the process had at path; nil if there is
	// none. With a UUID, only a file that has it for the processor is
	// returned. It says where the bytes come from and which files it refused,
	// and why. The caller closes src.
	Lookup(path string, cputype uint32, uuid []byte) (src core.Source, from string, refused []error)
}

// A MismatchError says that a file is not the one that the process had loaded.
type MismatchError struct {
	Path      string
	Have, Was []byte // UUIDs; Have is nil if the file has none
}

// Error names the file and both UUIDs.
func (e *MismatchError) Error() string {
	have := "none"
	if len(e.Have) > 0 {
		have = UUIDString(e.Have)
	}
	return fmt.Sprintf("%s: another file: its UUID is %s, the process had %s", e.Path, have, UUIDString(e.Was))
}

// UUIDString writes a UUID as Apple's tools do.
func UUIDString(id []byte) string {
	if len(id) != 16 {
		return core.BuildIDString(id)
	}
	return fmt.Sprintf("%X-%X-%X-%X-%X", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// Disk finds files on this machine.
type Disk struct {
	// Sysroot is a folder that stands for "/" of the machine where the process
	// ran; "" for none. With it, nothing is opened outside of it and of the
	// folders below, and links in each of them lead to places in it.
	Sysroot string
	// Search lists folders that hold files by their whole path, by any end of
	// it, or, anywhere below, by UUID.
	Search []string
	// DebugDirs lists folders with dSYM bundles, at any depth.
	DebugDirs []string

	once  sync.Once
	found *index
}

// bounds say what may be opened.
func (d *Disk) bounds() file.Bounds {
	if d.Sysroot == "" {
		return file.Bounds{}
	}
	return file.Bounds{Roots: slices.Concat([]string{d.Sysroot}, d.Search, d.DebugDirs)}
}

// Lookup implements FileProvider: below Sysroot, in Search, at the path itself if
// there is no Sysroot, and by UUID in the trees of Search.
func (d *Disk) Lookup(path string, cputype uint32, uuid []byte) (core.Source, string, []error) {
	tries := d.places(path)
	if path != "" && d.Sysroot == "" {
		tries = append(tries, path)
	}
	ok := func(src core.Source, p string) error { return check(src, p, cputype, uuid) }
	src, from, refused := d.firstOf(tries, ok)
	if src == nil && len(uuid) > 0 {
		if src, from, _ = d.firstOf(d.index().images[string(uuid)], ok); src == nil {
			refused = append(refused, d.index().limit()...)
		}
	}
	return src, from, refused
}

// places returns where a path of the process may be, below Sysroot and in Search.
func (d *Disk) places(path string) (out []string) {
	rooted := filepath.Clean("/" + path) // no ".." may lead out of a folder
	if path == "" || rooted == "/" {
		return nil
	}
	if d.Sysroot != "" {
		out = append(out, filepath.Join(d.Sysroot, rooted))
	}
	for _, dir := range d.Search {
		for rest := rooted; rest != ""; {
			out = append(out, filepath.Join(dir, rest))
			i := strings.IndexByte(rest[1:], '/')
			if i < 0 {
				break
			}
			rest = rest[1+i:]
		}
	}
	return out
}

// firstOf opens the first of paths that is there and passes check. A folder is where a
// search for an end of a path may well lead, and not worth a word.
func (d *Disk) firstOf(paths []string, check func(core.Source, string) error) (core.Source, string, []error) {
	src, from, refused := d.bounds().FirstOf(paths, check)
	return src, from, slices.DeleteFunc(refused, func(err error) bool { return errors.Is(err, file.ErrNotRegular) })
}

// check refuses what is no Mach-O file for the processor, and what has another
// UUID than the one that is wanted, if one is.
func check(src core.Source, path string, cputype uint32, uuid []byte) error {
	f, err := NewFile(src, path, cputype, uuid)
	if err != nil {
		return err
	}
	if f.cputype != cputype {
		return fmt.Errorf("%s: another file: it is for %s, the core for %s", path, cpuName(f.cputype), cpuName(cputype))
	}
	if f.filetype == mhDSYM || f.filetype == mhObject {
		return fmt.Errorf("%s: not an image that can be loaded", path)
	}
	if len(uuid) > 0 && !bytes.Equal(f.uuid, uuid) {
		return &MismatchError{Path: path, Have: bytes.Clone(f.uuid), Was: uuid}
	}
	return nil
}
