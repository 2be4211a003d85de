package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"coredbg/core"
)

// An Output is a file that is being written. Until Commit nothing exists under its name; after it the
// file is whole and on the disk. Only its owner can read it: data from a core may be secret. All files
// that coredbg writes are Outputs, or come from Append.
//
// Where the system can do that (O_TMPFILE of Linux), the file has no name before Commit, and disappears
// if the process is killed. Elsewhere it has a temporary name in the same folder, which is removed when
// the context ends.
type Output struct {
	path  string
	force bool
	keep  []string
	ctx   context.Context
	stop  func() bool // of the context's AfterFunc

	mu   sync.Mutex
	f    *os.File // nil after Commit or Close
	name string   // what the file is called for now; "" if it has no name
}

// Create begins to write the file at path. If force is set, Commit replaces an existing file; otherwise
// Create refuses it. It always refuses a file that is not regular, or that is one of the files keep by
// this or another name. A symbolic link at path is replaced, not followed. When ctx ends, the file is
// removed at once, and Write and Commit fail.
func Create(ctx context.Context, path string, force bool, keep ...string) (*Output, error) {
	o := &Output{path: path, force: force, keep: keep, ctx: ctx}
	if err := o.refuse(); err != nil {
		return nil, err
	}
	var err error
	if o.f, o.name, err = unnamed(filepath.Dir(path), filepath.Base(path)); err != nil {
		if beside := (*fs.PathError)(nil); errors.As(err, &beside) {
			err = &fs.PathError{Op: "write", Path: path, Err: beside.Err}
		}
		return nil, err
	}
	o.stop = context.AfterFunc(ctx, func() { o.discard() })
	return o, nil
}

// Keep adds files that the output may not replace, and returns an error if it
// would.
func (o *Output) Keep(paths ...string) error {
	o.keep = append(o.keep, paths...)
	return o.refuse()
}

// refuse says why nothing may be written under the name.
func (o *Output) refuse() error {
	if err := Distinct(o.path, o.keep...); err != nil {
		return err
	}
	st, err := os.Stat(o.path)
	_, linkErr := os.Lstat(o.path)
	switch {
	case err == nil && !st.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: o.path, Err: ErrNotRegular}
	case linkErr == nil && !o.force:
		return o.exists()
	}
	return nil
}

func (o *Output) exists() error {
	return &fs.PathError{Op: "write", Path: o.path, Err: syscall.EEXIST}
}

// ErrInput is returned for an output that is a file which is being read.
var ErrInput = errors.New("it is being read from")

// Distinct returns an error that wraps ErrInput if path is one of the files
// keep, by whatever name or link. Files that are not there are distinct.
func Distinct(path string, keep ...string) error {
	st, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, k := range keep {
		if other, err := os.Stat(k); err == nil && os.SameFile(st, other) {
			return &fs.PathError{Op: "write", Path: path, Err: ErrInput}
		}
	}
	return nil
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		return 0, o.gone()
	}
	return o.f.Write(p)
}

// Source returns what has been written so far, to be read before Commit or Close.
func (o *Output) Source() (core.Source, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		return nil, o.gone()
	}
	st, err := o.f.Stat()
	if err != nil {
		return nil, err
	}
	return newBlocks(written{o}, st.Size()), nil
}

// written reads an Output back. Its Close does not close the Output.
type written struct{ o *Output }

func (w written) ReadAt(p []byte, off int64) (int, error) {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	if w.o.f == nil {
		return 0, w.o.gone()
	}
	return w.o.f.ReadAt(p, off)
}

func (written) Close() error { return nil }

// Skip writes n bytes of zero, which take no room where the system can do that.
func (o *Output) Skip(n int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		return o.gone()
	}
	at, err := o.f.Seek(n, io.SeekCurrent)
	if err == nil {
		err = o.f.Truncate(at)
	}
	return err
}

// gone is why the file is no longer there.
func (o *Output) gone() error {
	if err := context.Cause(o.ctx); err != nil {
		return err
	}
	return fs.ErrClosed
}

// Commit brings the file to the disk and gives it its name. If it fails, the file does not exist, and
// an earlier file still does.
func (o *Output) Commit() error { return o.commit(true) }

// CommitSoon is Commit for a file that can be made anew: it does not wait for the disk, so that the file may hold
// anything if the system breaks down.
func (o *Output) CommitSoon() error { return o.commit(false) }

func (o *Output) commit(sync bool) (err error) {
	o.stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil || o.ctx.Err() != nil {
		return errors.Join(o.gone(), o.drop())
	}
	if sync {
		err = o.f.Sync()
	}
	if err == nil {
		err = o.refuse()
	}
	if o.name != "" { // some systems rename no open file
		err = errors.Join(err, o.f.Close())
		o.f = nil
	}
	if err == nil {
		err = o.place()
	}
	if err != nil {
		o.drop()
		return err
	}
	o.name = ""
	err = o.drop()
	if sync {
		syncFolder(filepath.Dir(o.path))
	}
	return err
}

// place gives the file its name.
func (o *Output) place() (err error) {
	if o.name == "" {
		name := o.path
		if o.force { // a link replaces nothing, a name does
			if name, err = freeName(o.path); err != nil {
				return err
			}
		}
		err = o.linked(link(o.f, name))
		switch {
		case errors.Is(err, fs.ErrExist) || err == nil && !o.force:
			return err
		case err != nil:
			err = o.copy() // as where /proc is not what it should be
		default:
			o.name = name
		}
		if err != nil {
			return err
		}
	}
	if !o.force {
		// Unlike a rename, a link fails if another process was faster.
		err := o.linked(os.Link(o.name, o.path))
		if err == nil {
			return os.Remove(o.name)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Rename(o.name, o.path)
}

// copy copies the file to one that has a name.
func (o *Output) copy() error {
	f, name, err := named(filepath.Dir(o.path), filepath.Base(o.path))
	if err != nil {
		return err
	}
	o.name = name
	if _, err = o.f.Seek(0, io.SeekStart); err == nil {
		_, err = io.Copy(f, o.f)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// linked names the file that is where a link was to be.
func (o *Output) linked(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return o.exists()
	}
	return err
}

// freeName returns a name beside path that nothing has.
func freeName(path string) (string, error) {
	f, name, err := named(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return "", err
	}
	return name, errors.Join(f.Close(), os.Remove(name))
}

// Close drops the file if it was not committed.
func (o *Output) Close() error {
	o.stop()
	return o.discard()
}

func (o *Output) discard() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.drop()
}

// drop ends the file under whatever name it has for now.
func (o *Output) drop() (err error) {
	if o.f != nil {
		err = o.f.Close()
		o.f = nil
	}
	if o.name != "" {
		err = errors.Join(err, os.Remove(o.name))
		o.name = ""
	}
	return err
}

// WriteFile writes a whole file; see Create.
func WriteFile(ctx context.Context, path string, data []byte, force bool, keep ...string) error {
	o, err := Create(ctx, path, force, keep...)
	if err != nil {
		return err
	}
	defer o.Close()
	if _, err := o.Write(data); err != nil {
		return err
	}
	return o.Commit()
}

// syncFolder brings a new name to the disk. Not every system can; the file
// itself is there.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// Append opens the text file at path for writing at its end, and makes it if it does not exist. It
// refuses a file that is not regular, a file that holds a zero byte and so is not text, and the files
// keep.
func Append(path string, keep ...string) (*os.File, error) {
	if err := Distinct(path, keep...); err != nil {
		return nil, err
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if err := isText(f); err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return f, nil
}

// isText looks at the beginning of a regular file.
func isText(f *os.File) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return ErrNotRegular
	}
	head := make([]byte, min(st.Size(), 4096))
	n, _ := f.ReadAt(head, 0)
	for i, b := range head[:n] {
		if b == 0 {
			return fmt.Errorf("not a text file: byte %d is zero", i)
		}
	}
	return nil
}

// A Scratch is a temporary file for this process alone. Where the system can do that, it has no name
// and disappears however the process ends.
type Scratch struct {
	*os.File
	name string // "" if it has no name
}

// NewScratch makes an empty temporary file in the system's folder for them.
func NewScratch() (*Scratch, error) {
	f, name, err := unnamed(os.TempDir(), "coredbg")
	if err != nil {
		return nil, err
	}
	if name != "" && os.Remove(name) == nil {
		name = ""
	}
	return &Scratch{f, name}, nil
}

// Close drops the file.
func (s *Scratch) Close() error {
	return errors.Join(s.File.Close(), s.remove())
}

// remove removes the name of a file that has one.
func (s *Scratch) remove() error {
	if s.name == "" {
		return nil
	}
	return os.Remove(s.name)
}

// named makes a temporary file in dir that has a name, which starts with base.
func named(dir, base string) (*os.File, string, error) {
	f, err := os.CreateTemp(dir, "."+base[:min(len(base), 200)]+".*") // names have 255 bytes
	if err != nil {
		return nil, "", err
	}
	return f, f.Name(), nil
}
