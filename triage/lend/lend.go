package lend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// A Lender says which files one process may be lent.
type Lender struct {
	// Scratch is a folder for the process's temporary files; "" for none.
	Scratch string
	// Beside is the folder of the core. Shared chunks of its bundle are lent from a
	// folder in it.
	Beside string
	// System lets the files of this machine be lent, too.
	System bool
	// NoUsualDebug leaves out the usual folder of debug files.
	NoUsualDebug bool
}

// The bounds of one conversation.
const (
	maxMessage = 32 << 10 // bytes
	maxAsked   = 1 << 17  // requests of one process
	maxPath    = 4096     // bytes, as PATH_MAX of Linux
	maxRefused = 8        // reasons in an answer
	maxReason  = 1024     // bytes of each
)

// A request is a find.Want without its check. Skip is how many files with the right content
// the asker has refused; only Data is asked again.
type request struct {
	Kind               find.Kind
	Path, Near, Link   string
	Within             []string
	ID                 []byte
	DebugID, DebugName string
	CRC                uint32
	Skip               int
}

// An answer says where a file comes from that is sent with it, if one is. The first answer of
// a conversation, which nothing asked for, has the folder for temporary files.
type answer struct {
	From     string
	Modified uint64
	Refused  []string
	Scratch  string
}

// errSkipped stands for a file that the asker has refused before.
var errSkipped = errors.New("refused before")

// Find implements find.Finder for who confines itself by asking for no other file.
func (l *Lender) Find(ctx context.Context, w find.Want) find.Found {
	r := &request{Kind: w.Kind, Path: w.Path, Near: w.Near, Link: w.Link, Within: w.Within, ID: w.ID,
		DebugID: w.DebugID, DebugName: w.DebugName, CRC: w.CRC}
	for ; ; r.Skip++ {
		got := l.find(ctx, r)
		if got.Source == nil {
			return got
		}
		err := r.proves(got.Source, got.From)
		if err == nil && w.Check != nil {
			err = w.Check(got.Source)
		}
		if err == nil {
			return got
		}
		got.Source.Close()
		got.Source = nil
		got.Refused = append(got.Refused, fmt.Errorf("%s: %w", got.From, err))
		if w.Kind != find.Data || r.Skip == maxTries || ctx.Err() != nil {
			return got
		}
	}
}

// maxTries is how many files with the right content are looked at until one passes the
// asker's own check.
const maxTries = 8

// find looks for the file that a request means.
func (l *Lender) find(ctx context.Context, r *request) find.Found {
	for _, s := range []string{r.Path, r.Near, r.Link, r.DebugID, r.DebugName} {
		if len(s) > maxPath {
			return find.Found{}
		}
	}
	if isChunk(r.Path) && r.Kind == find.Data {
		d := find.Disk{Beside: l.Beside}
		return d.Find(ctx, find.Want{Kind: find.Data, Path: r.Path,
			Check: func(src core.Source) error { return checkChunk(src, r.Path) }})
	}
	if !l.System {
		return find.Found{}
	}
	w := find.Want{Kind: r.Kind, Path: r.Path, Near: r.Near, Link: r.Link, Within: r.Within, ID: r.ID,
		DebugID: r.DebugID, DebugName: r.DebugName, CRC: r.CRC}
	d := elf.Disk{Disk: find.Disk{Beside: l.Beside}}
	if l.NoUsualDebug {
		d.DebugDirs = []string{""}
	}
	if r.Kind == find.Data {
		skip := r.Skip
		w.Check = func(src core.Source) error {
			if err := checkData(src); err != nil {
				return err
			}
			if skip--; skip >= 0 {
				return errSkipped
			}
			return nil
		}
	}
	return d.Find(ctx, w)
}

// reasons returns what was refused, in words.
func reasons(errs []error) (said []string) {
	for _, err := range errs {
		if errors.Is(err, errSkipped) || len(said) == maxRefused {
			continue
		}
		text := err.Error()
		said = append(said, text[:min(len(text), maxReason)])
	}
	return said
}

// isChunk reports whether a path names a shared chunk of a bundle: a folder's name and
// the SHA-256 of a file.
func isChunk(path string) bool {
	folder, file := filepath.Split(path)
	return filepath.IsLocal(path) && filepath.Dir(filepath.Clean(folder)) == "." && chunkSum(file) != nil
}
