package file

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"coredbg/core"
)

// A Cache is a folder of files that can be made anew, for any later process of its owner. The folder is
// made on demand. A file that cannot be read or written counts as missing, which costs only time. A
// Cache is safe for concurrent use, also by several processes: a file appears whole, and one that is
// removed stays readable for processes that have opened it.
type Cache struct {
	// Dir is the folder. Files of a Cache in it end in ".cached"; others are left alone.
	Dir string
	// Max is the most bytes of all files: the files unused for longest are removed for a new one.
	// MaxFile is the most bytes of one file; a larger one is not kept.
	Max, MaxFile int64
	// Now returns the time, to record when files were last used. If it is nil, files have the time of
	// their writing.
	Now func() time.Time

	mu      sync.Mutex
	opened  []core.Source
	writing sync.WaitGroup
}

// The bounds of a Cache whose owner says no others, in bytes.
const (
	DefaultCacheMax     = 2 << 30
	DefaultCacheMaxFile = 512 << 20
)

// cached is how the names of a Cache's files end.
const cached = ".cached"

// path returns where a name's file is; ok is false if it cannot be the name of a file, or if the folder is
// another user's or others may write into it.
func (c *Cache) path(name string) (path string, ok bool) {
	if name == "" || name[0] == '.' || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return "", false
	}
	st, err := os.Stat(c.Dir)
	return filepath.Join(c.Dir, name+cached), err == nil && st.IsDir() && oursAlone(st)
}

// oursAlone reports whether a file or folder is this process's user's and no other user may write to it, as
// far as the system can say.
func oursAlone(st fs.FileInfo) bool {
	return runtime.GOOS == "windows" || st.Mode().Perm()&0o022 == 0 && ours(st, os.Geteuid())
}

// Get returns the bytes of a name, nil if there are none. They are valid until Close, and an input
// like any other.
func (c *Cache) Get(name string) []byte {
	path, ok := c.path(name)
	if !ok {
		return nil
	}
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() || !oursAlone(st) || st.Size() == 0 ||
		st.Size() > cmp.Or(c.MaxFile, DefaultCacheMaxFile) {
		return nil
	}
	src, err := Map(path)
	if err != nil {
		return nil
	}
	data, err := core.SourceSlice(src, 0, int(src.Size()))
	if err != nil {
		src.Close()
		return nil
	}
	if c.Now != nil {
		now := c.Now()
		os.Chtimes(path, now, now) // where it fails, the file goes earlier than it might
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = append(c.opened, src)
	return data
}

// Put writes the pieces, one after another, as the file name, and replaces an existing file. The pieces
// must not change until Close, which waits for the writing.
func (c *Cache) Put(name string, pieces ...[]byte) {
	size := int64(0)
	for _, p := range pieces {
		size += int64(len(p))
	}
	if size > cmp.Or(c.MaxFile, DefaultCacheMaxFile) || size > cmp.Or(c.Max, DefaultCacheMax) ||
		os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	path, ok := c.path(name)
	if !ok {
		return
	}
	c.writing.Go(func() {
		c.makeRoom(size)
		writePieces(path, pieces) // what fails is made anew the next time
	})
}

func writePieces(path string, pieces [][]byte) error {
	o, err := Create(context.Background(), path, true)
	if err != nil {
		return err
	}
	defer o.Close()
	for _, p := range pieces {
		if _, err := o.Write(p); err != nil {
			return err
		}
	}
	return o.CommitSoon()
}

// stale is the age of an unfinished file that is removed: its writer has died.
const stale = time.Hour

// makeRoom removes files so that one of that size fits.
func (c *Cache) makeRoom(size int64) {
	list, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range list {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		switch name := e.Name(); {
		case strings.HasSuffix(name, cached) && name[0] != '.':
			files = append(files, st)
			size += st.Size()
		case name[0] == '.' && strings.Contains(name, cached) && c.Now != nil && c.Now().Sub(st.ModTime()) > stale:
			os.Remove(filepath.Join(c.Dir, name))
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, st := range files {
		if size <= cmp.Or(c.Max, DefaultCacheMax) {
			return
		}
		if os.Remove(filepath.Join(c.Dir, st.Name())) == nil {
			size -= st.Size()
		}
	}
}

// Close waits for writes to end and closes the files that Get has returned.
func (c *Cache) Close() error {
	c.writing.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, src := range c.opened {
		errs = append(errs, src.Close())
	}
	c.opened = nil
	return errors.Join(errs...)
}
