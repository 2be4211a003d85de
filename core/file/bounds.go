package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"coredbg/core"
)

// Bounds say below which folders files may be opened. The zero value allows any path of this machine.
// With Roots, each is a root of its own, as for chroot(2): a link in it, absolute or not, leads to a
// place in it, and so does "..".
//
// Bounds always refuse files that are not regular, and files in /proc and /sys. These are regular by
// their mode, but reading one asks the system to do something.
type Bounds struct {
	// Roots are folders; the first that holds a path is the root for it.
	Roots []string
}

// Errors of Bounds.
var (
	errOutside = errors.New("outside the folders that were named")
	errSystem  = fmt.Errorf("%w of a disk: it is in /proc or /sys", ErrNotRegular)
	errFolder  = fmt.Errorf("%w: it is a directory", ErrNotRegular)
	errLinks   = errors.New("too many symbolic links")
)

// maxLinks is the number of symbolic links that are followed, as by Linux (path_resolution(7)).
const maxLinks = 40

// A tree is a folder that paths are resolved in, and the paths of this machine
// that name it.
type tree struct {
	*os.Root        // nil for this machine's "/"
	at       string // the folder's path
}

// Map opens the regular file at path without unpacking it. It never waits for a pipe's
// other end, so it may be given a path that was read from a core. The error is an
// *fs.PathError: of ErrNotRegular for folders, pipes and devices, and of fs.ErrNotExist
// where nothing is.
func (b Bounds) Map(path string) (core.Source, error) {
	f, err := b.Open(path)
	if err != nil {
		return nil, err
	}
	return mapRegular(f, path)
}

// Open opens the regular file at path, as Map does, for who passes it on.
func (b Bounds) Open(path string) (f *os.File, err error) {
	err = b.in(path, func(t tree, rel string) error {
		st, err := t.lstat(rel)
		if err != nil {
			return err
		}
		if err := regular(st); err != nil {
			return err
		}
		if f, err = t.open(rel); err != nil {
			return err
		}
		if st, err = f.Stat(); err == nil {
			err = regular(st)
		}
		if err != nil {
			f.Close()
			f = nil
		}
		return err
	})
	return f, err
}

// Stat describes the file at path.
func (b Bounds) Stat(path string) (st fs.FileInfo, err error) {
	err = b.in(path, func(t tree, rel string) error {
		st, err = t.lstat(rel)
		return err
	})
	return st, err
}

// ReadDir lists the folder at path by name.
func (b Bounds) ReadDir(path string) (list []fs.DirEntry, err error) {
	err = b.in(path, func(t tree, rel string) error {
		if t.Root == nil {
			list, err = os.ReadDir(rel)
			return err
		}
		list, err = fs.ReadDir(t.FS(), filepath.ToSlash(rel))
		return err
	})
	return list, err
}

// in calls do with the tree that path is in and the path in it, which has no links.
func (b Bounds) in(path string, do func(t tree, rel string) error) error {
	t, rel, err := b.tree(path)
	if err == nil && t.Root != nil {
		defer t.Close()
	}
	if err == nil && (t.Root != nil || runtime.GOOS != "windows") {
		rel, err = t.resolve(rel)
	}
	if err == nil {
		err = do(t, rel)
	}
	if err == nil {
		return nil
	}
	return pathError(path, err)
}

// tree returns the root that holds path, and where it is in it.
func (b Bounds) tree(path string) (t tree, rel string, err error) {
	if len(b.Roots) == 0 {
		return tree{}, path, nil
	}
	for _, root := range b.Roots {
		rel, err := filepath.Rel(root, path)
		if root == "" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		r, err := os.OpenRoot(root)
		return tree{r, root}, rel, err
	}
	return tree{}, "", errOutside
}

func (t tree) lstat(rel string) (fs.FileInfo, error) {
	if t.Root == nil {
		return os.Lstat(rel)
	}
	return t.Lstat(rel)
}

func (t tree) readlink(rel string) (string, error) {
	if t.Root == nil {
		return os.Readlink(rel)
	}
	return t.Readlink(rel)
}

func (t tree) open(rel string) (*os.File, error) {
	if t.Root == nil {
		return os.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	}
	return t.OpenFile(rel, os.O_RDONLY|nonblock, 0)
}

// resolve follows the links in path, and refuses what is in /proc and /sys.
func (t tree) resolve(path string) (string, error) {
	const slash = string(filepath.Separator)
	done := "."
	if t.Root == nil {
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		done, path = slash, abs
	}
	top := done
	left := strings.Split(path, slash)
	for links := 0; len(left) > 0; {
		name := left[0]
		left = left[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done) // of "/" and ".", itself
			continue
		}
		next := filepath.Join(done, name)
		if first := strings.TrimPrefix(next, slash); (first == "proc" || first == "sys") && runtime.GOOS != "windows" {
			return "", errSystem
		}
		st, err := t.lstat(next)
		if err != nil {
			return "", err
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", errLinks
		}
		to, err := t.readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) || strings.HasPrefix(to, "/") {
			done, to = top, strings.TrimPrefix(to, filepath.VolumeName(to))
		}
		left = append(strings.Split(filepath.FromSlash(to), slash), left...)
	}
	return done, nil
}

// FirstOf opens the first of paths that is there and passes check. A path that is
// tried twice is opened once. It says which path it was, and which were refused, and
// why; what is not there or outside the bounds is not worth a word.
func (b Bounds) FirstOf(paths []string, check func(src core.Source, path string) error) (core.Source, string, []error) {
	var refused []error
	seen := map[string]bool{}
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		src, err := b.Map(p)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errOutside) &&
				!strings.Contains(err.Error(), "not a directory") {
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

// Named opens the file that a user named, if it passes check. It returns what FirstOf
// does; a file that is not there is not worth a word.
func Named(path string, check func(core.Source) error) (core.Source, string, []error) {
	src, err := Map(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", []error{err}
	}
	if err := check(src); err != nil {
		src.Close()
		return nil, "", []error{err}
	}
	return src, path, nil
}
