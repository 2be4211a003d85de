package pack

import (
	"bytes"
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
)

// TestData packs two files without code that have the same base name, and finds each by its contents,
// whatever its path. It finds no file if the contents do not match.
func TestData(t *testing.T) {
	p := &core.Process{Space: core.NewSpace(nil, nil)}
	first, second := []byte("first"), bytes.Repeat([]byte("second"), 1000)
	data := pack(t, p, core.Bytes(bytes.Repeat([]byte{1}, 100)), Options{Data: []DataFile{
		{"/app/base.apk", core.Bytes(first)}, {"/lib/base.apk", core.Bytes(second)},
	}})
	b := unpack(t, data)
	other := errors.New("another file")
	is := func(want []byte) func(core.Source) error {
		return func(src core.Source) error {
			got, err := core.SourceSlice(src, 0, int(src.Size()))
			if err == nil && !bytes.Equal(got, want) {
				err = other
			}
			return err
		}
	}
	for _, c := range []struct {
		path, from string
		want       []byte
		refused    int
	}{
		{"/app/base.apk", "/app/base.apk", first, 0},
		{"/lib/base.apk", "/lib/base.apk", second, 0},
		{"/app/base.apk", "/lib/base.apk", second, 1},
		{"base.apk", "/app/base.apk", first, 0},
		{"/elsewhere/base.apk", "/lib/base.apk", second, 1},
		{"base.apk", "", []byte("third"), 2},
		{"/app/other.apk", "", first, 0},
	} {
		got := b.Find(t.Context(), find.Want{Kind: find.Data, Path: c.path, Check: is(c.want)})
		src, from, refused := got.Source, got.From, got.Refused
		if from != c.from || (src != nil) != (c.from != "") || len(refused) != c.refused {
			t.Errorf("Data(%q): from %q, refused %v; want %q and %d refused", c.path, from, refused, c.from, c.refused)
		}
		for _, err := range refused {
			if !errors.Is(err, other) {
				t.Error(err)
			}
		}
	}
	if b.Find(t.Context(), find.Want{Kind: find.Image, Path: "/app/base.apk"}).Source == nil {
		t.Error("Find as an image does not find a file without code")
	}
}
