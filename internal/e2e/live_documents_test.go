package e2e

import (
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveDocuments: each document and worker of a browser has the address and the kind that it printed
// itself. The page has frames and workers of many kinds, with pushed addresses, opaque origins, and
// addresses that others share. Each realm has a script with a name of its own, which tells them apart.
func TestLiveDocuments(t *testing.T) {
	kinds := map[string]string{"main": "main frame", "frame": "child frame", "worker": "worker",
		"detached": "detached frame"}
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Documents map[string]struct{ Href, Kind, Origin string } // by the name of the script
				Worlds    []struct {
					Of, Origin string
					Isolated   bool
				}
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			if len(truth.Documents) < 14 {
				t.Fatalf("%d documents", len(truth.Documents))
			}
			type realm struct {
				Kind, URL, Origin, Global string
				Likely, Isolated          bool
				World                     string
				Why                       string `json:"url_unknown"`
				Scripts                   []struct{ Name string }
			}
			found := map[string]bool{}
			s := openLive(t, path)
			workers := 0
			for _, d := range truth.Documents {
				if d.Kind == "worker" {
					workers++
				}
			}
			// Each worker has an isolate of its own, which in V8 8.7 has a cage of its own.
			type isolate struct{ Heap string }
			if list := records[isolate](t, s, "::isolates"); len(list) != 1+workers {
				t.Errorf("%d isolates, want %d: %v", len(list), 1+workers, list)
			}
			all := records[realm](t, s, "::realms")
			if len(truth.Worlds) != 3 {
				t.Errorf("%d worlds say that they are", len(truth.Worlds))
			}
			for _, w := range truth.Worlds { // of the worlds beyond the documents
				d, n := truth.Documents[w.Of], 0
				for _, r := range all {
					if r.Isolated && r.URL == d.Href && r.Kind == kinds[d.Kind] && r.World == w.Origin &&
						(r.Origin == "" || r.Origin == d.Origin) {
						n++
					}
				}
				if n != 1 || !w.Isolated {
					t.Errorf("%d worlds of %q are beside %s: %+v", n, w.Origin, w.Of, all)
				}
			}
			for _, r := range all {
				mark, own := "", false
				for _, s := range r.Scripts {
					if _, ok := truth.Documents[s.Name]; ok {
						mark = s.Name
					}
					own = own || s.Name == "content.js"
				}
				if own != r.Isolated && r.Kind != "detached frame" {
					t.Errorf("the world of content.js: %v, isolated: %v: %+v", own, r.Isolated, r)
				}
				want, ok := truth.Documents[mark]
				if !ok && own {
					continue
				}
				if !ok {
					if r.URL != "" || r.Kind != "" {
						t.Errorf("a realm that said nothing has the address %q and is a %q: %+v", r.URL, r.Kind, r)
					}
					continue
				}
				found[mark] = true
				if r.Kind != kinds[want.Kind] {
					t.Errorf("%s is a %q, want %q", mark, r.Kind, kinds[want.Kind])
				}
				switch {
				case want.Kind == "detached" && r.URL == "" && r.Why != "": // location.href had this value before
				case r.URL != want.Href || r.Likely || r.Why != "":
					t.Errorf("%s is at %q (likely: %v, %s), want %q", mark, r.URL, r.Likely, r.Why, want.Href)
				}
				if r.Origin != "" && r.Origin != want.Origin {
					t.Errorf("%s has the origin %q, want %q", mark, r.Origin, want.Origin)
				}
			}
			for mark := range truth.Documents {
				if !found[mark] {
					t.Errorf("no realm has the script %s", mark)
				}
			}
		})
	}
}

// TestLiveRemoteParent: the frame of a document in another process is a child frame whose parent is there,
// as it finds that it is not the top window, and must not look into that; the frame that it has itself is
// one whose parent is here.
func TestLiveRemoteParent(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Documents map[string]struct{ Href, Kind string }
				Apart     bool
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			type realm struct {
				Kind, URL string
				Remote    bool `json:"parent_remote"`
				Isolated  bool
			}
			got := map[realm]int{}
			for _, r := range records[realm](t, openLive(t, path), "::realms") {
				got[r]++
			}
			inner, within := truth.Documents["inner"], truth.Documents["within"]
			if inner.Kind != "frame" || within.Kind != "frame" || !truth.Apart {
				t.Fatalf("the page says %+v", truth)
			}
			for _, isolated := range []bool{false, true} { // with the script of an extension or of the browser
				if got[realm{"child frame", inner.Href, true, isolated}] != 1 ||
					got[realm{"child frame", within.Href, false, isolated}] != 1 {
					t.Errorf("got %v, want a child frame of another process at %s, and one at %s", got,
						inner.Href, within.Href)
				}
			}
			if got[realm{}] != 1 || len(got) != 5 { // including the realm without a document
				t.Errorf("realms of other processes: %v", got)
			}
		})
	}
}

// TestLiveOnlyDocument: the only document of a process, which has no other to be compared with, is known as well.
func TestLiveOnlyDocument(t *testing.T) {
	for _, pattern := range []string{"embedded-chromium/core", "embedded-qt*/core", "crashpad-chromium*/core"} {
		t.Run(filepath.Dir(pattern), func(t *testing.T) {
			for _, path := range coretest.Live(t, pattern) {
				type realm struct {
					Kind, URL, Global string
					Likely            bool
				}
				n := 0
				for _, r := range records[realm](t, openLive(t, path), "::realms") {
					if r.Global != "Window" {
						continue
					}
					n++
					// The page was opened from the folder that the core was made in, which may have been moved.
					if want := "/" + filepath.Base(filepath.Dir(path)) + "/page.html"; r.Kind != "main frame" ||
						r.Likely || len(r.URL) < len("file://")+len(want) ||
						r.URL[:7] != "file://" || r.URL[len(r.URL)-len(want):] != want {
						t.Errorf("%s: %+v, want the main frame at file://...%s", path, r, want)
					}
				}
				if n != 1 {
					t.Errorf("%s: %d windows, want 1", path, n)
				}
			}
		})
	}
}
