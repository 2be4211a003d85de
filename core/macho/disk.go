package macho

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho/format"
)

// A MismatchError says that a file is not the one that the process had loaded.
type MismatchError struct {
	Path      string
	Have, Was []byte // UUIDs; Have is nil if the file does not have one
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

// Disk finds Mach-O files on this machine, and files without code. Its Search and
// DebugDirs are looked at by UUID at any depth, for images and for dSYM bundles.
type Disk struct {
	find.Disk

	once  sync.Once
	found *index
}

// Find implements find.Finder.
func (d *Disk) Find(ctx context.Context, w find.Want) find.Found {
	switch w.Kind {
	case find.Image:
		return d.image(w)
	case find.Debug:
		return d.debug(w)
	case find.Object:
		return d.object(w)
	}
	return d.Disk.Find(ctx, w)
}

// image finds the file that the process had at a path: below Sysroot, in Search, at
// the path itself if there is no Sysroot, and by UUID in the trees of Search.
func (d *Disk) image(w find.Want) find.Found {
	tries := d.places(w.Path)
	if w.Path != "" && d.Sysroot == "" {
		tries = append(tries, w.Path)
	}
	ok := func(src core.Source, p string) error { return named(p, w.Check(src)) }
	if w.Check == nil {
		ok = func(src core.Source, p string) error { return checkUUID(src, p, w.ID) }
	}
	got := d.firstOf(tries, ok)
	if got.Source == nil && len(w.ID) > 0 {
		refused := got.Refused
		if got = d.firstOf(d.index().images[string(w.ID)], ok); got.Source == nil {
			refused = append(refused, d.index().limit()...)
		}
		got.Refused = refused
	}
	return got
}

// places returns where a path of the process may be, below Sysroot and in Search.
func (d *Disk) places(path string) []string {
	if path == "" || filepath.Clean("/"+path) == "/" {
		return nil
	}
	return d.Places(path)
}

// firstOf opens the first of paths that is there and passes check. A folder is where a
// search for an end of a path may well lead, and not worth a word.
func (d *Disk) firstOf(paths []string, check func(core.Source, string) error) find.Found {
	got := d.First(paths, check)
	got.Refused = slices.DeleteFunc(got.Refused, func(err error) bool { return errors.Is(err, file.ErrNotRegular) })
	return got
}

// Want asks for the file that the process had at path. With a UUID, only a file
// counts that has it for the processor.
func Want(path string, cputype uint32, uuid []byte) find.Want {
	return find.Want{Kind: find.Image, Path: path, ID: uuid,
		Check: func(src core.Source) error { return Check(src, "", cputype, uuid) }}
}

// named returns what is wrong with the file at path.
func named(path string, err error) error {
	switch e := err.(type) {
	case nil:
		return nil
	case *MismatchError:
		e.Path = path
		return e
	case *core.FormatError:
		e.File = path
		return e
	}
	return fmt.Errorf("%s: %w", path, err)
}

// checkUUID returns an error if src is not a Mach-O file, or if its UUID differs from uuid. An empty
// uuid matches any file.
func checkUUID(src core.Source, path string, uuid []byte) error {
	f, err := NewFile(src, path, 0, uuid)
	if err == nil && len(uuid) > 0 && !bytes.Equal(f.uuid, uuid) {
		err = &MismatchError{Path: path, Have: bytes.Clone(f.uuid), Was: uuid}
	}
	return err
}

// Check returns an error if src is not a Mach-O file for the processor, or if its UUID differs from
// uuid. An empty uuid matches any file.
func Check(src core.Source, path string, cputype uint32, uuid []byte) error {
	f, err := NewFile(src, path, cputype, uuid)
	if err != nil {
		return err
	}
	if f.head.CPUType != cputype {
		return fmt.Errorf("%s: another file: it is for %s, the core for %s", path, format.CPUName(f.head.CPUType),
			format.CPUName(cputype))
	}
	if f.head.FileType == format.MHDSYM || f.head.FileType == format.MHObject {
		return fmt.Errorf("%s: not an image that can be loaded", path)
	}
	if len(uuid) > 0 && !bytes.Equal(f.uuid, uuid) {
		return &MismatchError{Path: path, Have: bytes.Clone(f.uuid), Was: uuid}
	}
	return nil
}
