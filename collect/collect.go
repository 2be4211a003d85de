// Package collect keeps cores as they arrive from the kernel or a pipe: a bundle and a line of
// triage for each, within bounds of size and time.
//
// A kept file appears whole or not at all, and only its owner can read it. The core itself is kept
// until its bundle exists, and for good if no bundle can be made of it, so that no failure on the way
// loses it.
//
// LIMITATIONS: the oldest go when there are too many; there is no bound on how often a core
// may come.
package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"coredbg/commands/out"
	"coredbg/core/file"
	"coredbg/triage"
)

// A Collector keeps cores in a folder.
type Collector struct {
	Dir string
	// Host goes into the lines; it may be empty.
	Host string
	// MaxSize is the most bytes of a core that are read; what comes after is cut off.
	MaxSize int64
	// Keep is how many cores are kept, and MaxTotal how many bytes the files of all may have;
	// the oldest go. 0 is no bound.
	Keep     int
	MaxTotal int64
	// Bundle makes the bundle of a core. Its context ends when that takes too long.
	Bundle func(ctx context.Context, core, bundle string) error
	// Timeout bounds Bundle; 0 does not.
	Timeout time.Duration
	// Runner makes the line of a bundle.
	Runner *triage.Runner
}

// unfit matches what names of files here have not.
var unfit = regexp.MustCompile(`[^A-Za-z0-9_.+-]+`)

// Name is what the files of a core are called: by the command's name, which the process has
// given itself and may be anything, its process id and the time.
func Name(command string, pid int, at time.Time) string {
	command = strings.Trim(unfit.ReplaceAllString(command, "_"), ".")
	return fmt.Sprintf("core.%.64s.%d.%s", cmp.Or(command, "unknown"), pid, at.UTC().Format("20060102T150405"))
}

// The extensions of kept files.
const (
	coreExt   = ".core"
	bundleExt = ".cdb"
	lineExt   = ".json"
)

// Take reads a core of a process that died at a time to its end and keeps it under a name. The
// line says what became of it, whatever that is; the error, that not even the line could be
// kept.
func (c *Collector) Take(ctx context.Context, in io.Reader, name string, at time.Time) (*triage.Line, error) {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, err
	}
	name, release, err := c.reserve(name)
	if err != nil {
		return nil, err
	}
	defer release()
	core, bundle := filepath.Join(c.Dir, name+coreExt), filepath.Join(c.Dir, name+bundleExt)
	cut, err := spool(ctx, in, core, c.MaxSize)
	if err != nil {
		return nil, err
	}
	l := c.line(ctx, core, bundle)
	l.At(at)
	l.Died = cmp.Or(l.Died, l.Modified) // the kernel has said it
	l.Host = c.Host
	if cut {
		l.Missing = append(l.Missing, fmt.Sprintf("what came after the first %d bytes of the core (-max-size)",
			c.MaxSize))
	}
	var text bytes.Buffer
	if err := out.NewWriter(&text).JSON(l); err != nil {
		return l, err
	}
	if err := file.WriteFile(ctx, filepath.Join(c.Dir, name+lineExt), text.Bytes(), true); err != nil {
		return l, err
	}
	return l, c.prune(name)
}

// maxSame bounds how many cores may share a name and differ by a number.
const maxSame = 1000

// reserve returns a name that no core has yet, nor one that is being taken: process ids are used
// again, and containers have the same. Release gives the reservation back.
func (c *Collector) reserve(name string) (free string, release func(), err error) {
	for n := 1; n <= maxSame; n++ {
		if free = name; n > 1 {
			free = fmt.Sprintf("%s-%d", name, n)
		}
		lock := filepath.Join(c.Dir, "."+free+".taken")
		err := os.Mkdir(lock, 0o700) // one process makes it
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		if !c.has(free) {
			return free, func() { os.Remove(lock) }, nil
		}
		os.Remove(lock)
	}
	return "", nil, fmt.Errorf("%d cores are called %s", maxSame, name)
}

// has reports whether a core of a name is kept.
func (c *Collector) has(name string) bool {
	for _, ext := range []string{coreExt, bundleExt, lineExt} {
		if _, err := os.Lstat(filepath.Join(c.Dir, name+ext)); err == nil {
			return true
		}
	}
	return false
}

// line makes the bundle and its line; without a bundle the line is that of the core.
func (c *Collector) line(ctx context.Context, core, bundle string) *triage.Line {
	err := c.bundle(ctx, core, bundle)
	kept := bundle
	if err == nil {
		err = os.Remove(core)
	} else {
		kept = core
	}
	l := &triage.Line{Core: kept, Status: triage.Failed}
	ran := c.Runner.Run(ctx, []string{kept}, func(got *triage.Result) error {
		l = got.Line
		return nil
	})
	if ran != nil {
		l.Error = ran.Error()
	}
	if err != nil {
		l.Missing = append(l.Missing, "a bundle: "+err.Error())
	}
	return l
}

func (c *Collector) bundle(ctx context.Context, core, bundle string) error {
	if c.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.Timeout)
		defer stop()
	}
	err := c.Bundle(ctx, core, bundle)
	if ctx.Err() != nil {
		err = fmt.Errorf("making it took more than %v", c.Timeout)
	}
	return err
}

// block is how much of zeros in a row is left out as a hole, in bytes.
const block = 64 << 10

// spool writes its input to a file, up to most bytes, and reports whether there was more.
func spool(ctx context.Context, in io.Reader, path string, most int64) (cut bool, err error) {
	to, err := file.Create(ctx, path, false)
	if err != nil {
		return false, err
	}
	defer to.Close()
	buf, zeros := make([]byte, block), make([]byte, block)
	for total := int64(0); ; {
		n, err := io.ReadFull(in, buf)
		if over := total + int64(n) - most; over > 0 {
			n, cut = n-int(over), true
		}
		total += int64(n)
		write := to.Skip
		if !bytes.Equal(buf[:n], zeros[:n]) {
			write = func(n int64) error { _, err := to.Write(buf[:n]); return err }
		}
		if e := write(int64(n)); e != nil {
			return cut, e
		}
		switch {
		case cut, err == io.EOF, err == io.ErrUnexpectedEOF:
			return cut, to.Commit()
		case err != nil:
			return cut, err
		}
	}
}

// A kept is the files kept for one core.
type kept struct {
	name  string
	bytes int64
	at    time.Time
}

// prune removes the oldest cores, but not the one that came last.
func (c *Collector) prune(last string) error {
	all, err := c.list()
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b *kept) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.name, a.name)) })
	if i := slices.IndexFunc(all, func(k *kept) bool { return k.name == last }); i > 0 { // whatever the clock says
		came := all[i]
		copy(all[1:], all[:i])
		all[0] = came
	}
	total := int64(0)
	var errs []error
	for i, k := range all {
		total += k.bytes
		if i > 0 && (c.Keep > 0 && i >= c.Keep || c.MaxTotal > 0 && total > c.MaxTotal) {
			for _, ext := range []string{lineExt, bundleExt, coreExt} {
				if err := os.Remove(filepath.Join(c.Dir, k.name+ext)); !errors.Is(err, fs.ErrNotExist) {
					errs = append(errs, err)
				}
			}
		}
	}
	return errors.Join(errs...)
}

// list returns what is kept. Files that are called otherwise are not this package's.
func (c *Collector) list() ([]*kept, error) {
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, err
	}
	byName := map[string]*kept{}
	var all []*kept
	for _, f := range files {
		ext := filepath.Ext(f.Name())
		name := strings.TrimSuffix(f.Name(), ext)
		st, err := f.Info()
		if err != nil || !st.Mode().IsRegular() || !strings.HasPrefix(name, "core.") ||
			!slices.Contains([]string{lineExt, bundleExt, coreExt}, ext) {
			continue
		}
		k := byName[name]
		if k == nil {
			k = &kept{name: name}
			byName[name] = k
			all = append(all, k)
		}
		k.bytes += st.Size()
		if st.ModTime().After(k.at) {
			k.at = st.ModTime()
		}
	}
	return all, nil
}
