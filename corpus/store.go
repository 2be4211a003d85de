package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"coredbg/core/file"
)

// A Store is where the bundles of cases are.
type Store struct {
	// Dir is the folder of the cases, which may also contain their bundles.
	Dir string
	// Places are further folders, and prefixes of URLs of http and https, below which
	// bundles are called by their name or by their checksum, with .cdb.
	Places []string
	// Cache is the folder that fetched bundles are kept in.
	Cache string
	// Client fetches; nil stands for one that follows a few redirections.
	Client *http.Client
}

// bundleExt is how the files of bundles end.
const bundleExt = ".cdb"

// ErrNoBundle is returned for a case whose bundle is nowhere.
var ErrNoBundle = errors.New("its bundle was not found")

// Find returns the path of a case's bundle, whose checksum has been compared. It downloads a bundle
// that is on a server.
func (s *Store) Find(ctx context.Context, c *Case) (string, error) {
	var refused []error
	names := []string{c.Name + bundleExt, c.Bundle.SHA256 + bundleExt}
	folders := []string{s.Dir}
	for _, p := range s.Places {
		if !isURL(p) {
			folders = append(folders, p)
		}
	}
	if s.Cache != "" {
		folders = append(folders, s.Cache)
	}
	for _, dir := range folders {
		for _, name := range names {
			path := filepath.Join(dir, name)
			err := verify(path, c.Bundle)
			if err == nil {
				return path, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				refused = append(refused, err)
			}
		}
	}
	for _, p := range s.Places {
		if !isURL(p) {
			continue
		}
		for _, name := range []string{names[1], names[0]} {
			path, err := s.fetch(ctx, p, name, c.Bundle)
			if err == nil {
				return path, nil
			}
			refused = append(refused, err)
		}
	}
	return "", errors.Join(append([]error{ErrNoBundle}, refused...)...)
}

func isURL(place string) bool {
	return strings.HasPrefix(place, "http://") || strings.HasPrefix(place, "https://")
}

// verify reports whether a file is a bundle that is wanted.
func verify(path string, want Bundle) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, file.ErrNotRegular)
	case st.Size() != want.Size:
		return fmt.Errorf("%s has %d bytes, the case's bundle %d", path, st.Size(), want.Size)
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want.SHA256 {
		return fmt.Errorf("%s is another file: its SHA-256 is %s", path, got)
	}
	return nil
}

// fetch gets a bundle from below a URL into the cache. It reads no more than the case says
// that there is, and keeps nothing that is another file.
func (s *Store) fetch(ctx context.Context, prefix, name string, want Bundle) (string, error) {
	at, err := url.JoinPath(prefix, name)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", err
	}
	client := s.Client
	if client == nil {
		client = http.DefaultClient
	}
	got, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", at, got.Status)
	}
	if err := os.MkdirAll(s.Cache, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(s.Cache, want.SHA256+bundleExt)
	to, err := file.Create(ctx, path, true)
	if err != nil {
		return "", err
	}
	defer to.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, h), io.LimitReader(got.Body, want.Size+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", at, err)
	}
	if n != want.Size || hex.EncodeToString(h.Sum(nil)) != want.SHA256 {
		return "", fmt.Errorf("%s is another file than the case's bundle", at)
	}
	return path, to.Commit()
}

// Clean removes from the cache what was fetched for cases, and returns how many files and
// bytes these were.
func (s *Store) Clean(cases []*Case) (files int, bytes int64, err error) {
	for _, c := range cases {
		path := filepath.Join(s.Cache, c.Bundle.SHA256+bundleExt)
		st, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return files, bytes, err
		}
		files, bytes = files+1, bytes+st.Size()
	}
	return files, bytes, nil
}
