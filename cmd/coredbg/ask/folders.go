package ask

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Folders are the folders and files that cores may be opened in, with links resolved.
type Folders struct {
	dirs  []string
	files []string
}

// ErrOutside is the error of a path that is in none of the folders.
var ErrOutside = errors.New("it is outside the folders that were given to coredbg")

// NewFolders resolves folders and files.
func NewFolders(dirs, files []string) (*Folders, error) {
	f := &Folders{}
	for _, list := range []struct {
		paths []string
		to    *[]string
		dir   bool
	}{{dirs, &f.dirs, true}, {files, &f.files, false}} {
		for _, p := range list.paths {
			real, st, err := resolve(p)
			switch {
			case err != nil:
				return nil, err
			case list.dir && !st.IsDir():
				return nil, fmt.Errorf("%s is not a folder", p)
			case !list.dir && !st.Mode().IsRegular():
				return nil, fmt.Errorf("%s is not a regular file", p)
			}
			*list.to = append(*list.to, real)
		}
	}
	return f, nil
}

// resolve returns where a path leads.
func resolve(path string) (string, os.FileInfo, error) {
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", nil, err
	}
	st, err := os.Stat(real)
	return real, st, err
}

// Dirs returns the folders.
func (f *Folders) Dirs() []string { return f.dirs }

// Open opens the regular file that a path leads to, if it is in one of the folders. It opens the file that it
// checked, whatever happens to the path meanwhile. A path that is not absolute is tried below each folder, too.
func (f *Folders) Open(path string) (file *os.File, real string, err error) {
	real, err = f.find(path, false)
	if err != nil {
		return nil, "", err
	}
	for _, listed := range f.files {
		if listed == real {
			file, err = openIn(filepath.Dir(real), filepath.Base(real))
			return file, real, err
		}
	}
	for _, dir := range f.dirs {
		if rel, e := filepath.Rel(dir, real); e == nil && filepath.IsLocal(rel) {
			file, err = openIn(dir, rel)
			return file, real, err
		}
	}
	return nil, "", ErrOutside
}

// openIn opens a regular file below a folder.
func openIn(dir, rel string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	st, err := root.Lstat(rel)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	file, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	if now, err := file.Stat(); err != nil || !os.SameFile(st, now) {
		file.Close()
		return nil, errors.Join(errors.New("the file was replaced while it was opened"), err)
	}
	return file, nil
}

// Folder returns where a folder in one of the folders is.
func (f *Folders) Folder(path string) (string, error) {
	return f.find(path, true)
}

// find resolves a path and checks that it is inside. It does not tell what is outside.
func (f *Folders) find(path string, dir bool) (string, error) {
	tries := []string{path}
	if !filepath.IsAbs(path) {
		for _, d := range f.dirs {
			tries = append(tries, filepath.Join(d, path))
		}
	}
	err := error(nil)
	for _, p := range tries {
		real, st, e := resolve(p)
		switch {
		case e == nil && f.holds(real) && dir && !st.IsDir():
			err = errors.New("it is not a folder")
		case e == nil && f.holds(real) && !dir && !st.Mode().IsRegular():
			err = errors.New("it is not a regular file")
		case e == nil && f.holds(real):
			return real, nil
		case e == nil && f.inside(p):
			err = ErrOutside // by a link
		case err == nil && f.inside(p):
			err = errors.New("there is no such file")
		}
	}
	if err == nil {
		err = ErrOutside
	}
	return "", err
}

// holds reports whether a resolved path is one of the files or in a folder.
func (f *Folders) holds(real string) bool {
	for _, p := range f.files {
		if p == real {
			return true
		}
	}
	return f.inside(real)
}

// inside reports whether a path is below one of the folders by its name.
func (f *Folders) inside(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for _, d := range f.dirs {
		if rel, err := filepath.Rel(d, abs); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
