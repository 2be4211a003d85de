package pe

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/find"
)

// Disk finds images of Windows on this machine, their symbol files, and files without
// code.
type Disk struct{ find.Disk }

// Find implements find.Finder.
func (d Disk) Find(ctx context.Context, w find.Want) find.Found {
	switch w.Kind {
	case find.Image:
		return d.image(w)
	case find.Debug:
		return breakpad.Find(&d.Disk, cmp.Or(w.DebugName, w.Near), w.DebugID)
	}
	return d.Disk.Find(ctx, w)
}

// image finds the file that the process had at a path of Windows: below Sysroot, in Search
// by any end of the path, and where symbol servers have it, as name/STAMPsize/name. Only a file
// that passes Check counts.
func (d Disk) image(w find.Want) find.Found {
	path := strings.ReplaceAll(w.Path, `\`, "/")
	if len(path) > 2 && path[1] == ':' {
		path = path[2:]
	}
	if w.Check == nil || core.BaseName(w.Path) == "" {
		return find.Found{}
	}
	tries := d.Places(path)
	name := filepath.Base(filepath.Clean("/" + path))
	for _, dir := range d.Search {
		tries = append(tries, filepath.Join(dir, name, w.Link, name))
	}
	return d.First(tries, func(src core.Source, p string) error {
		if err := w.Check(src); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return nil
	})
}

// Want asks for the file of a module: its debug id is the proof, or else the stamp and the size
// of its header.
func Want(path, debugID string, stamp, size uint32) find.Want {
	return find.Want{Kind: find.Image, Path: path, Link: fmt.Sprintf("%08X%x", stamp, size),
		Check: func(src core.Source) error {
			f, err := NewFile(src, "")
			switch {
			case err != nil:
				return err
			case debugID != "" && f.DebugID() != "" && f.DebugID() != debugID:
				return fmt.Errorf("another file: its debug id is %s, the process had %s", f.DebugID(), debugID)
			case (debugID == "" || f.DebugID() == "") && (f.stamp != stamp || f.size != size):
				return fmt.Errorf("another file: its stamp and size are %08X and %#x, the process had %08X and %#x",
					f.stamp, f.size, stamp, size)
			}
			return nil
		}}
}
