//go:build linux

package lend

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"
)

// borrow starts a conversation.
func borrow(t *testing.T, l *Lender) *Borrower {
	t.Helper()
	theirs, stop, err := l.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	b, ok := Borrow(theirs, func() {})
	if !ok {
		t.Fatal("no conversation")
	}
	return b
}

// program returns the path of an ELF file and its build-id: this test.
func program(t *testing.T) (path string, id []byte) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := elf.NewFile(src, path)
	if err != nil {
		t.Fatal(err)
	}
	return path, bytes.Clone(f.BuildID())
}

// TestLent: what is lent is a regular file of the kind that was asked for, with the identity that
// was asked for.
func TestLent(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, data, 0o600)); err != nil {
			t.Fatal(err)
		}
		return at
	}
	exe, id := program(t)
	var archive bytes.Buffer
	if err := zip.NewWriter(&archive).Close(); err != nil {
		t.Fatal(err)
	}
	archived := append([]byte("PK\x03\x04"), archive.Bytes()...)
	chunk := []byte("packed bytes")
	sum := sha256.Sum256(chunk)
	name := hex.EncodeToString(sum[:]) + ".zst"
	put("files/"+name, chunk)
	put("files/"+strings.Repeat("00", 32)+".zst", chunk)
	secret := put("secret", []byte("root:x:0:0:\n"))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	other := append([]byte{1}, bytes.Repeat([]byte{2}, 19)...)
	for _, c := range []struct {
		what string
		w    find.Want
		want bool
	}{
		{"an image", find.Want{Kind: find.Image, Path: exe, ID: id}, true},
		{"an image whose build-id is not known", find.Want{Kind: find.Image, Path: exe}, true},
		{"an image with another build-id", find.Want{Kind: find.Image, Path: exe, ID: other}, false},
		{"text as an image", find.Want{Kind: find.Image, Path: secret}, false},
		{"a link to text as an image", find.Want{Kind: find.Image, Path: link}, false},
		{"a folder as an image", find.Want{Kind: find.Image, Path: "/etc"}, false},
		{"the root as data", find.Want{Kind: find.Data, Path: "/"}, false},
		{"text as data", find.Want{Kind: find.Data, Path: secret}, false},
		{"text as an object file", find.Want{Kind: find.Object, Path: secret}, false},
		{"text as the file of a debug link", find.Want{Kind: find.Debug, Near: exe, Link: secret}, false},
		{"a device", find.Want{Kind: find.Data, Path: "/dev/zero"}, false},
		{"what the kernel makes", find.Want{Kind: find.Data, Path: "/proc/self/maps"}, false},
		{"code as data", find.Want{Kind: find.Data, Path: exe}, true},
		{"an archive", find.Want{Kind: find.Data, Path: put("app.apk", archived)}, true},
		{"a source map", find.Want{Kind: find.Data, Path: put("a.js.map", []byte(`{"version":3,"mappings":""}`))},
			true},
		{"a source map behind a guard", find.Want{Kind: find.Data,
			Path: put("b.js.map", []byte(")]}'\n{\"sections\":[],\"version\":3}"))}, true},
		{"other JSON", find.Want{Kind: find.Data, Path: put("token.json", []byte(`{"version":3,"token":"x"}`))}, false},
		{"names of code made at run time", find.Want{Kind: find.Data, Path: put("perf-1.map", []byte("7f0010 2c f\n"))},
			true},
		{"a chunk", find.Want{Kind: find.Data, Path: "files/" + name}, true},
		{"a chunk of other bytes", find.Want{Kind: find.Data, Path: "files/" + strings.Repeat("00", 32) + ".zst"},
			false},
		{"a chunk elsewhere", find.Want{Kind: find.Data, Path: "../" + filepath.Base(dir) + "/files/" + name}, false},
		{"a long path", find.Want{Kind: find.Data, Path: "/" + strings.Repeat("x", maxPath)}, false},
	} {
		got := borrow(t, &Lender{Beside: dir, System: true}).Find(t.Context(), c.w)
		if (got.Source != nil) != c.want {
			t.Errorf("%s: lent %v, want %v: %v", c.what, got.Source != nil, c.want, got.Refused)
		}
		if got.Source != nil {
			got.Source.Close()
		}
		// With a sysroot only chunks are lent.
		got = borrow(t, &Lender{Beside: dir}).Find(t.Context(), c.w)
		if want := c.want && c.what == "a chunk"; (got.Source != nil) != want {
			t.Errorf("%s, with a sysroot: lent %v", c.what, got.Source != nil)
		}
	}
}

// TestAskAgain: of several files with the right content the asker's own check decides.
func TestAskAgain(t *testing.T) {
	beside, dir := t.TempDir(), t.TempDir()
	for at, data := range map[string]string{filepath.Join(beside, "a.dex"): "dex\n1",
		filepath.Join(dir, "a.dex"): "dex\n2"} {
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := borrow(t, &Lender{Beside: beside, System: true})
	wrong := errors.New("another dex file")
	got := b.Find(t.Context(), find.Want{Kind: find.Data, Path: filepath.Join(dir, "a.dex"),
		Check: func(src core.Source) error {
			if data, err := core.SourceSlice(src, 0, 5); err != nil || string(data) != "dex\n2" {
				return wrong
			}
			return nil
		}})
	if got.Source == nil || got.From != filepath.Join(dir, "a.dex") || len(got.Refused) != 1 ||
		!errors.Is(got.Refused[0], wrong) {
		t.Errorf("%+v", got)
	}
	got = b.Find(t.Context(), find.Want{Kind: find.Data, Path: filepath.Join(dir, "a.dex"),
		Check: func(core.Source) error { return wrong }})
	if got.Source != nil || len(got.Refused) != 2 {
		t.Errorf("%+v", got)
	}
}
