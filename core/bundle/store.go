package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
)

// Bundles of processes that ran the same files can share the chunks of these files. Such chunks are in
// a folder next to the bundles, each in a file named by the SHA-256 of its bytes. Files in the folder
// never change, so that it can be copied, added to and merged with other such folders while it is in
// use.

// leastShared is the least bytes of a packed chunk that is worth a file.
const leastShared = 4 << 10

// A sum is the SHA-256 of a packed chunk.
type sum [sha256.Size]byte

// file returns the name of the file that a shared chunk is in.
func (s sum) file() string { return hex.EncodeToString(s[:]) + ".zst" }

// ValidShare reports whether a name is valid for a folder of shared chunks.
func ValidShare(name string) bool {
	return name != "" && name != "." && name != ".." && filepath.Base(name) == name && filepath.IsLocal(name)
}

// share puts a packed chunk into the folder that is shared.
func (k *packer) share(packed []byte) (sum, error) {
	s := sum(sha256.Sum256(packed))
	to := filepath.Join(k.shared, s.file())
	if have, err := readShared(to, int64(len(packed)), s); err == nil && have != nil {
		return s, nil
	}
	if err := os.MkdirAll(k.shared, 0o777); err != nil {
		return s, err
	}
	out, err := file.Create(context.WithoutCancel(k.ctx), to, true)
	if err != nil {
		return s, err
	}
	defer out.Close()
	if _, err := out.Write(packed); err != nil {
		return s, err
	}
	return s, out.Commit()
}

// readShared returns a packed chunk from a file; nil if it is not there.
func readShared(path string, size int64, want sum) ([]byte, error) {
	src, err := file.Map(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return checkedChunk(src, path, size, want)
}

// checkedChunk returns the bytes of a chunk's file if they are the ones that are wanted.
func checkedChunk(src core.Source, path string, size int64, want sum) ([]byte, error) {
	if src.Size() != size {
		return nil, fmt.Errorf("%s has %d bytes, not %d", path, src.Size(), size)
	}
	mapped, err := core.SourceSlice(src, 0, int(size))
	if err != nil {
		return nil, err
	}
	packed := append([]byte(nil), mapped...)
	if sha256.Sum256(packed) != want {
		return nil, fmt.Errorf("%s is damaged: its SHA-256 differs", path)
	}
	return packed, nil
}

// Shared returns the files that the bundle shares with others, each once: the name
// of their folder, a slash, and their own.
func (b *Bundle) Shared() (names []string) {
	for _, p := range b.parts {
		for _, c := range p.chunks {
			if c.sum != nil {
				names = append(names, b.shared+"/"+c.sum.file())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Lacking returns how many of the files that the bundle shares are in none of the folders, how many
// it shares, and where they should be. It returns 0 if they are lent.
func (b *Bundle) Lacking() (lacking, all int, where string) {
	names := b.Shared()
	if b.lent != nil || len(names) == 0 {
		return 0, len(names), ""
	}
	for _, name := range names {
		if !slices.ContainsFunc(b.folders, func(dir string) bool {
			st, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			return err == nil && st.Mode().IsRegular()
		}) {
			lacking++
		}
	}
	if len(b.folders) > 0 {
		where = filepath.Join(b.folders[0], b.shared)
	}
	return lacking, len(names), where
}

// From has shared chunks asked for, before the folders are looked at.
func (b *Bundle) From(f find.Finder) { b.lent = f }

// lentChunk asks a finder for a packed chunk. It returns nil if the chunk was not found.
func lentChunk(from find.Finder, name string, c chunk) (packed []byte, err error) {
	got := from.Find(context.Background(), find.Want{Kind: find.Data, Path: name, Check: func(src core.Source) error {
		packed, err = checkedChunk(src, name, c.size, *c.sum)
		return err
	}})
	if got.Source == nil {
		return nil, errors.Join(got.Refused...)
	}
	return packed, got.Source.Close()
}

// stateOf says when the files of a shared chunk were changed: who writes the bundle again mends them.
func (b *Bundle) stateOf(c chunk) (state string) {
	if c.sum == nil || b.lent != nil {
		return ""
	}
	for _, dir := range b.folders {
		if st, err := os.Stat(filepath.Join(dir, b.shared, c.sum.file())); err == nil {
			state += fmt.Sprint(st.ModTime().UnixNano(), " ", st.Size(), " ")
		}
	}
	return state
}

// sharedChunk returns a packed chunk from the folder that the bundle shares.
func (b *Bundle) sharedChunk(c chunk) ([]byte, error) {
	var errs []error
	if b.lent != nil {
		packed, err := lentChunk(b.lent, path.Join(b.shared, c.sum.file()), c)
		if packed != nil {
			return packed, nil
		}
		errs = append(errs, err)
	}
	for _, dir := range b.folders {
		packed, err := readShared(filepath.Join(dir, b.shared, c.sum.file()), c.size, *c.sum)
		if packed != nil {
			return packed, nil
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, &core.GapError{Gap: core.Unreadable, Detail: err.Error()}
	}
	return nil, &core.GapError{Gap: core.Unreadable, Detail: "it is in the folder " + b.shared +
		", which is not next to the bundle, or lacks it"}
}
