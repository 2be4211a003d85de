package find

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
)

// Disk finds files on this machine. It knows no file format: it finds Data, which proves itself.
type Disk struct {
	// Sysroot is a folder that stands for "/" of the machine, container or
	// chroot where the process ran; "" for none. With it, nothing is opened
	// outside of it and of the folders below, and links in each of them lead to
	// places in it.
	Sysroot string
	// Search lists folders that hold files by their whole path or by any end of
	// it; core/elf and core/macho find them there by build-id and UUID, too.
	Search []string
	// DebugDirs lists folders with separate debug files. They come before the format's usual place,
	// which is in Sysroot if that is set; "" leaves that out.
	DebugDirs []string
	// Beside is another folder that Data may be in: the core's.
	Beside string
	// Named leaves out every place that the folders above do not name: the path itself and
	// the usual places. Lent files take their place.
	Named bool
}

// Bounds say what may be opened.
func (d *Disk) Bounds() file.Bounds {
	if d.Sysroot == "" && !d.Named {
		return file.Bounds{}
	}
	return file.Bounds{Roots: slices.Concat([]string{d.Sysroot}, d.Search, d.DebugDirs)}
}

// Find implements Finder, for Data: below Sysroot, in Search, and without a Sysroot
// in Beside and at the path itself.
func (d *Disk) Find(_ context.Context, w Want) Found {
	if w.Kind != Data {
		return Found{}
	}
	at := *d
	if d.Beside != "" && d.Sysroot == "" {
		at.Search = append(slices.Clone(d.Search), d.Beside)
	}
	name := strings.TrimSuffix(w.Path, " (deleted)")
	check := func(src core.Source, p string) error {
		if w.Check == nil {
			return nil
		}
		if err := w.Check(src); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return nil
	}
	if w.Within == nil {
		return at.First(append(at.Places(name), at.Itself(name)...), check)
	}
	got := at.First(at.Places(name), check)
	for _, p := range at.Itself(name) {
		if got.Source == nil {
			more := within(p, w.Within, check)
			more.Refused = append(got.Refused, more.Refused...)
			got = more
		}
	}
	return got
}

// within opens the file at a path if it is in one of the folders. A path that is not absolute
// is in none.
func within(path string, folders []string, check func(core.Source, string) error) (f Found) {
	inside := !filepath.IsAbs(path)
	for _, dir := range folders {
		rel, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsAbs(dir) || filepath.Dir(dir) == dir || !filepath.IsLocal(rel) {
			continue
		}
		inside = true
		b := file.Bounds{Roots: []string{dir}}
		var refused []error
		f.Source, f.From, refused = b.FirstOf([]string{path}, check)
		f.Refused = append(f.Refused, refused...)
		if f.Source != nil {
			return f
		}
	}
	if !inside {
		f.Refused = append(f.Refused, fmt.Errorf("%s: outside the folders of the program and of its compilation; -search FOLDER names others", strconv.Quote(path)))
	}
	return f
}

// First opens the first of paths that is there and passes check.
func (d *Disk) First(paths []string, check func(src core.Source, path string) error) (f Found) {
	f.Source, f.From, f.Refused = d.Bounds().FirstOf(paths, check)
	return f
}

// Places returns where a file that the process had at a path may be below Sysroot and
// in Search, the likeliest first.
func (d *Disk) Places(path string) []string {
	out := d.InSysroot(path)
	for _, dir := range d.Search {
		out = append(out, Ends(dir, path)...)
	}
	return out
}

// InSysroot returns where a path of the process leads below Sysroot, if there is one.
func (d *Disk) InSysroot(path string) []string {
	if d.Sysroot == "" {
		return nil
	}
	return []string{filepath.Join(d.Sysroot, rooted(path))}
}

// Ends returns the paths below a folder that are a path of the process, or an end of
// it.
func Ends(dir, path string) (out []string) {
	for rest := rooted(path); rest != ""; {
		out = append(out, filepath.Join(dir, rest))
		i := strings.IndexByte(rest[1:], '/')
		if i < 0 {
			break
		}
		rest = rest[1+i:]
	}
	return out
}

// Itself returns where the path of a file leads on this machine; nothing if a Sysroot
// stands for the other one.
func (d *Disk) Itself(path string) []string {
	switch {
	case path == "" || d.Sysroot != "" || d.Named:
		return nil
	case strings.HasPrefix(path, "/"):
		return []string{filepath.FromSlash(rooted(path))}
	}
	return []string{path}
}

// rooted returns a path that no ".." leads out of.
func rooted(path string) string { return filepath.Clean("/" + path) }
