package bundle

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
)

// Find implements find.Finder for the files that the bundle holds. Their build-ids
// were checked when it was made.
func (b *Bundle) Find(_ context.Context, w find.Want) find.Found {
	switch w.Kind {
	case find.Image:
		return b.image(w)
	case find.Debug:
		return b.debug(w)
	case find.Object:
		return b.object(w)
	case find.Data:
		return b.data(w)
	}
	return find.Found{}
}

// image finds the file that was mapped under a path in the dead process. With a
// build-id, a file of the bundle that has it is found under any path, and one of the
// path that has another is refused. Without one, a path that the bundle does not have
// stands for the only file of its base name: an executable that the core does not list
// was packed under the name that the user gave it.
func (b *Bundle) image(w find.Want) (f find.Found) {
	for _, p := range b.parts {
		if p.kind == Module && len(w.ID) > 0 && bytes.Equal(p.buildID, w.ID) {
			return p.found()
		}
	}
	var named []*part
	for _, p := range b.parts {
		if p.kind == Module && path.Base(p.path) == path.Base(w.Path) {
			named = append(named, p)
		}
		if p.kind != Module || p.path != w.Path {
			continue
		}
		if len(w.ID) == 0 || len(p.buildID) == 0 {
			return p.found()
		}
		f.Refused = append(f.Refused, fmt.Errorf("%s: the bundle has build-id %s, the process had %s", w.Path,
			core.BuildIDString(p.buildID), core.BuildIDString(w.ID)))
	}
	switch {
	case len(f.Refused) > 0:
	case len(named) == 1 && (len(w.ID) == 0 || len(named[0].buildID) == 0):
		return named[0].found()
	default:
		f.Refused = append(f.Refused, fmt.Errorf("%s: not in the bundle", w.Path))
	}
	return f
}

// found is the answer that the part is.
func (p *part) found() find.Found { return find.Found{Source: p, From: p.path} }

// data finds the file that the process had at a path, or else one of the same base
// name, that proves to be the right one.
func (b *Bundle) data(w find.Want) find.Found {
	var refused []error
	for _, same := range []func(p *part) bool{
		func(p *part) bool { return p.path == w.Path },
		func(p *part) bool { return p.path != w.Path && path.Base(p.path) == path.Base(w.Path) },
	} {
		for _, p := range b.parts {
			if p.kind != Module || len(p.buildID) > 0 || !same(p) {
				continue
			}
			if w.Check != nil {
				if err := w.Check(p); err != nil {
					refused = append(refused, fmt.Errorf("%s of the bundle: %w", p.path, err))
					continue
				}
			}
			return find.Found{Source: p, From: p.path, Refused: refused}
		}
	}
	return find.Found{Refused: refused}
}

// debug finds a separate debug file: the one with the build-id, or else the one that
// was found under the name of the link.
func (b *Bundle) debug(w find.Want) find.Found {
	for _, p := range b.parts {
		if p.kind == DebugFile && len(w.ID) > 0 && bytes.Equal(p.buildID, w.ID) {
			return p.found()
		}
	}
	for _, p := range b.parts {
		if p.kind == DebugFile && len(p.buildID) == 0 && w.Link != "" && path.Base(p.path) == w.Link {
			return p.found()
		}
	}
	return find.Found{}
}

// object finds an object file of a debug map, or the archive that it is in.
func (b *Bundle) object(w find.Want) find.Found {
	name := ObjectPath(w.Path)
	for _, p := range b.parts {
		if p.kind == DebugFile && p.path == name && len(p.buildID) == 8 {
			return find.Found{Source: p, From: p.path, Modified: binary.LittleEndian.Uint64(p.buildID)}
		}
	}
	return find.Found{}
}

// ObjectPath returns the path of an object file in a debug map. For a member of an archive, as in
// "/x/lib.a(a.o)", it returns the archive's path.
func ObjectPath(path string) string {
	if i := strings.LastIndexByte(path, '('); i > 0 && strings.HasSuffix(path, ")") {
		return path[:i]
	}
	return path
}
