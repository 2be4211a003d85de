package debuginfod

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/core/file"
)

// A key is what servers are asked for.
type key struct {
	id     string // build-id in hexadecimal
	kind   string // debuginfo, executable or source
	source string // the path of a source as the compiler had it; "" else
}

// keyOf returns the key of a build-id. It returns false if id is not a build-id.
func keyOf(id []byte, kind, source string) (k key, ok bool) {
	return key{hex.EncodeToString(id), kind, source}, len(id) >= 2 && len(id) <= 64
}

// String describes the file for people.
func (k key) String() string {
	switch k.kind {
	case "debuginfo":
		return "the debug file of " + k.id
	case "source":
		return "the source " + k.source
	}
	return "the executable of " + k.id
}

// paths returns where a file is in the cache. Names of sources differ between versions of the
// standard client, the newest first.
func (c *Client) paths(k key) []string {
	dir := filepath.Join(c.o.Cache, k.id)
	if k.kind == "source" {
		return []string{filepath.Join(dir, "source-"+hashedName(k.source)),
			filepath.Join(dir, "source"+plainName(k.source))}
	}
	return []string{filepath.Join(dir, k.kind)}
}

// hashedName is path_escape of elfutils 0.192 and later: a hash of the path, and its end.
func hashedName(path string) string {
	const most = 127 - 1 // NAME_MAX/2, and a zero at the end
	hash := uint32(5381)
	for i := range len(path) {
		hash = hash*33 + uint32(int32(int8(path[i])))
	}
	escaped := []byte(path)
	for i, c := range escaped {
		if !isWord(c) {
			escaped[i] = '#'
		}
	}
	return fmt.Sprintf("%08x-%s", hash, escaped[max(0, len(escaped)-(most-9)):])
}

func isWord(c byte) bool {
	return c == '.' || c == '-' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// plainName is path_escape of elfutils up to 0.191.
func plainName(path string) string {
	return strings.NewReplacer("/", "##", "#", "#_").Replace(path)
}

// cached opens a file of the cache that passes check. Nowhere is set if the cache knows
// that no server has it.
func (c *Client) cached(k key, check func(core.Source,
	string) error) (src core.Source, from string, nowhere bool, refused error) {
	for _, path := range c.paths(k) {
		st, err := os.Stat(path)
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		if st.Size() == 0 {
			nowhere = nowhere || c.fresh(st.ModTime())
			continue
		}
		got, err := file.Map(path)
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		if err := check(got, path); err != nil {
			refused = errors.Join(refused, fmt.Errorf("%s: %w", path, err), got.Close())
			continue
		}
		return got, path, false, refused
	}
	return nil, "", nowhere, refused
}

// missSeconds is how long an empty file says that no server has a file, if cache_miss_s of
// the cache does not say.
const missSeconds = 600

// fresh reports whether an empty file of that time still counts.
func (c *Client) fresh(written time.Time) bool {
	if c.o.Now == nil {
		return false
	}
	seconds := int64(missSeconds)
	if b, err := os.ReadFile(filepath.Join(c.o.Cache, "cache_miss_s")); err == nil && len(b) < 32 {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n >= 0 {
			seconds = min(n, 1<<31)
		}
	}
	return c.o.Now().Sub(written) <= time.Duration(seconds)*time.Second
}

// nowhere notes in the cache that no server has a file, as the standard client does.
func (c *Client) nowhere(ctx context.Context, k key) {
	if c.o.Now == nil || os.MkdirAll(filepath.Join(c.o.Cache, k.id), 0o700) != nil {
		return
	}
	for _, path := range c.paths(k) {
		if st, err := os.Stat(path); err == nil && st.Size() > 0 {
			continue
		}
		file.WriteFile(ctx, path, nil, true) // without it servers are asked once more
	}
}

// create begins a file of the cache.
func (c *Client) create(ctx context.Context, k key) (*file.Output, error) {
	path := c.paths(k)[0]
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return file.Create(ctx, path, true)
}

// double links a cached file under the names that other versions of the standard client look for.
func (c *Client) double(k key) {
	paths := c.paths(k)
	for _, other := range paths[1:] {
		if st, err := os.Stat(other); err == nil && st.Size() == 0 {
			os.Remove(other)
		}
		if err := os.Link(paths[0], other); err != nil && !errors.Is(err, fs.ErrExist) {
			return
		}
	}
}
