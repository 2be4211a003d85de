package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Folder is a folder that is being written. Until Commit nothing exists under its name; after it the folder is whole.
type Folder struct {
	path, next string
	there      bool
}

// NewFolder begins to write the folder at path. An empty one that is there is replaced by Commit, and one
// with files if force is set and own reports true for the name of each.
func NewFolder(path string, force bool, own func(name string) bool) (*Folder, error) {
	f := &Folder{path: filepath.Clean(path)}
	old, err := os.ReadDir(f.path)
	f.there = err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range old {
		if !force {
			return nil, fmt.Errorf("%s is not empty: %w", f.path, fs.ErrExist)
		}
		if !own(e.Name()) {
			return nil, fmt.Errorf("%s holds %s: it is not replaced", f.path, e.Name())
		}
	}
	f.next, err = os.MkdirTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+"-")
	return f, err
}

// Join returns the path of a file in the folder, as long as it is not committed.
func (f *Folder) Join(name string) string { return filepath.Join(f.next, name) }

// Write writes a file of the folder, which only its owner can read. It is on the disk some time after Commit:
// one wait for each of ten thousand files takes minutes.
func (f *Folder) Write(name string, content func(io.Writer) error) (err error) {
	w, err := os.OpenFile(f.Join(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return content(w)
}

// Commit gives the folder its name.
func (f *Folder) Commit() error {
	if !f.there {
		return os.Rename(f.next, f.path)
	}
	was := f.next + ".old"
	if err := os.Rename(f.path, was); err != nil {
		return err
	}
	if err := os.Rename(f.next, f.path); err != nil {
		return errors.Join(err, os.Rename(was, f.path))
	}
	return os.RemoveAll(was)
}

// Close removes what was written if it was not committed.
func (f *Folder) Close() error { return os.RemoveAll(f.next) }
