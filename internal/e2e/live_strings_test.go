package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
)

// TestLiveStrings: strings that Blink and V8 share, as values, names of properties and sources of
// scripts, equal the page's own strings.
func TestLiveStrings(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Strings, Functions []struct {
					Name, Before, Part, After string
					Times                     int
				}
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			if len(truth.Strings) < 330 || len(truth.Functions) != 6 {
				t.Fatalf("%d strings, %d functions", len(truth.Strings), len(truth.Functions))
			}
			s := openLive(t, path)
			type value struct{ Value string }
			for _, x := range truth.Strings {
				want := strings.Repeat(x.Part, x.Times)
				if got := records[value](t, s, "::jsprint -s 50000 globalThis.T."+x.Name); len(got) != 1 ||
					got[0].Value != want {
					t.Errorf("%s: got %.90v, want %d of %q", x.Name, got, x.Times, x.Part)
				}
			}
			type source struct{ Source string }
			for _, x := range truth.Functions {
				want := x.Before + strings.Repeat(x.Part, x.Times) + x.After
				if got := records[source](t, s, "::jsprint -b globalThis.T."+x.Name+" | ::jssource"); len(got) != 1 ||
					got[0].Source != want {
					t.Errorf("%s: got %.90v, want %.90s", x.Name, got, want)
				}
			}
			v, err := v8.Among(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			checkExternal(t, v)
		})
	}
}

// checkExternal: the heap has external strings of one byte and of two; some have the address of their
// characters, others are too small or have characters that may move. All can be read.
func checkExternal(t *testing.T, v *v8.V8) {
	t.Helper()
	h, err := v.Heaps.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := &v.Layout.String
	count := map[[2]int]int{}
	for typ := range l.FirstNonstringType {
		if typ&l.RepresentationMask != l.ExternalTag {
			continue
		}
		list, err := h.OfType(t.Context(), typ)
		if err != nil {
			t.Fatal(err)
		}
		count[[2]int{typ & l.OneByteTag, typ & l.UncachedTag}] += len(list)
		for _, s := range list {
			info, err := v.Objects.StringInfo(s)
			if err == nil {
				_, err = v.Objects.String(s, int(info.Length))
			}
			if err != nil {
				t.Errorf("%v, an external string of type %d: %v", s, typ, err)
			}
		}
	}
	for _, one := range []int{0, l.OneByteTag} {
		for _, uncached := range []int{0, l.UncachedTag} {
			if count[[2]int{one, uncached}] == 0 {
				t.Errorf("no external strings of type %d: %v", one|uncached, count)
			}
		}
	}
}
