package coredbg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/jit"
)

// A namedMap finds the perf map that a user named.
type namedMap string

// Find implements find.Finder.
func (n namedMap) Find(_ context.Context, w find.Want) (f find.Found) {
	if w.Kind == find.Data {
		f.Source, f.From, f.Refused = file.Named(string(n), w.Check)
	}
	return f
}

// maps finds perf maps, which nothing proves but their name: in a bundle, in folders that the options name, and beside
// the core, unless anyone may put files there.
func (o *Options) maps(f format, b *bundle.Bundle, beside string) find.Finder {
	if o.PerfMap != "" {
		return namedMap(o.PerfMap)
	}
	if st, err := os.Stat(beside); err == nil && st.Mode().Perm()&0o002 == 0 {
		return o.data(f, b, beside)
	}
	return find.Chain{o.data(f, b, ""), sharedFolder(beside)}
}

// A sharedFolder is one that anyone may write to: it has no perf map, but says so.
type sharedFolder string

// Find implements find.Finder.
func (d sharedFolder) Find(_ context.Context, w find.Want) (f find.Found) {
	path := filepath.Join(string(d), filepath.Base(w.Path))
	if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
		f.Refused = []error{fmt.Errorf("%s: anyone may write to its folder; -perf-map takes it all the same", path)}
	}
	return f
}

var errOtherCode = errors.New("a perf map of another process: none of its functions is where this one made code")

// perfMap returns the perf map of a process, nil if there is none. Its file is added to opened.
func perfMap(p *core.Process, maps find.Finder, opened *file.Set) (m *jit.Map, err error) {
	_, named := maps.(namedMap)
	if p.PID <= 0 && !named {
		return nil, nil
	}
	name := fmt.Sprintf("/perf-%d.map", p.PID)
	got := maps.Find(context.Background(), find.Want{Kind: find.Data, Path: name,
		Check: func(src core.Source) (err error) {
			if m, err = jit.ReadMap(src, name[1:]); err == nil && !m.Fits(p) {
				m, err = nil, errOtherCode
			}
			return err
		}})
	if got.Source == nil {
		return nil, errors.Join(got.Refused...)
	}
	opened.Add(got.Source)
	m.SetPath(got.From)
	return m, errors.Join(got.Refused...)
}

// checkPerfMap reports an error if a user named a perf map that is none, and warns if it is another process's.
func checkPerfMap(s *commands.Session, path string) error {
	if path == "" {
		return nil
	}
	src, err := file.Map(path)
	if err != nil {
		return fmt.Errorf("perf map: %w", err)
	}
	defer src.Close()
	m, err := jit.ReadMap(src, path)
	if err == nil && !m.Fits(s.Process) {
		s.Warn(fmt.Errorf("%s: %w", path, errOtherCode))
	}
	return err
}
