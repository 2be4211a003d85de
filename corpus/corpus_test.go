package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func text(changes []Change) string {
	var all []string
	for _, c := range changes {
		s := c.In
		if c.Was != "" {
			s += " -" + c.Was
		}
		if c.Is != "" {
			s += " +" + c.Is
		}
		all = append(all, s)
	}
	return strings.Join(all, "\n")
}

// TestDiff: a frame that is new, gone or another one is a line, and no other is.
func TestDiff(t *testing.T) {
	base := func() *Case {
		return &Case{Verdict: CaseVerdict{Cause: "abort", Confidence: "likely", Title: "t"}, Threads: []Thread{
			{TID: 1, Name: "main", Signal: "SIGABRT", Frames: []string{"raise", "abort", "die", "main"}, Stop: "root"},
			{TID: 2, Name: "idle", Frames: []string{"wait", "main"}}}}
	}
	for want, change := range map[string]func(*Case){
		"":                   func(*Case) {},
		"thread 1 -#1 abort": func(c *Case) { c.Threads[0].Frames = []string{"raise", "die", "main"} },
		"thread 1 +#2 inlined": func(c *Case) {
			c.Threads[0].Frames = []string{"raise", "abort",
				"inlined", "die", "main"}
		},
		"thread 1 -#2 die\nthread 1 +#2 dye": func(c *Case) {
			c.Threads[0].Frames = []string{"raise", "abort",
				"dye", "main"}
		},
		"thread 1, end -root +limit":                   func(c *Case) { c.Threads[0].Stop = "limit" },
		"thread -2 idle +2 busy":                       func(c *Case) { c.Threads[1].Name = "busy" },
		"threads -2 idle":                              func(c *Case) { c.Threads = c.Threads[:1] },
		"threads +3":                                   func(c *Case) { c.Threads = append(c.Threads, Thread{TID: 3}) },
		"verdict -abort, likely: t +abort, certain: t": func(c *Case) { c.Verdict.Confidence = "certain" },
		"missing +#0 libc.so.6":                        func(c *Case) { c.Missing = []string{"libc.so.6"} },
		"further threads +4":                           func(c *Case) { c.More = 4 },
	} {
		now := base()
		change(now)
		if got := text(base().Diff(now)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDiffLong: lists as no case has, but a file may, are compared in no more memory than
// they take.
func TestDiffLong(t *testing.T) {
	long := func(first int) *Case {
		c := &Case{Missing: make([]string, 100_000)}
		for i := range c.Missing {
			c.Missing[i] = strconv.Itoa(first + i)
		}
		c.Missing[0], c.Missing[len(c.Missing)-1] = "the first", "the last"
		return c
	}
	if all := long(1).Diff(long(2)); len(all) != 2*100_000-4 || all[0] != (Change{"missing", "#1 2", ""}) {
		t.Errorf("%d changes, the first is %v", len(all), all[0])
	}
	one := long(1)
	one.Missing[500] = "another"
	if got := text(long(1).Diff(one)); got != "missing -#500 501\nmissing +#500 another" {
		t.Error(got)
	}
}

// TestStore: bundles are found next to their cases, in folders and on a server. Another file is neither
// taken nor kept.
func TestStore(t *testing.T) {
	good, bad := []byte("a bundle"), []byte("a bungle")
	h := sha256.Sum256(good)
	c := &Case{Name: "one", Bundle: Bundle{hex.EncodeToString(h[:]), int64(len(good))}}
	serve := map[string][]byte{"/good/" + c.Bundle.SHA256 + ".cdb": good, "/bad/one.cdb": bad,
		"/long/one.cdb": append(good, "and more"...)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, ok := serve[r.URL.Path]; ok {
			w.Write(b)
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	for _, x := range []struct {
		dir, folder []byte // of files called one.cdb; nil for none
		url, want   string
	}{
		{good, nil, "", "dir"},
		{bad, good, "", "folder"},
		{bad, bad, "/bad", "another file"},
		{nil, nil, "/long", "another file"},
		{nil, nil, "/none", "404"},
		{nil, nil, "", ErrNoBundle.Error()},
		{nil, nil, "/good", "cache"},
	} {
		root := t.TempDir()
		s := &Store{Dir: filepath.Join(root, "dir"), Places: []string{filepath.Join(root, "folder")},
			Cache: filepath.Join(root, "cache")}
		for name, data := range map[string][]byte{s.Dir: x.dir, s.Places[0]: x.folder} {
			os.Mkdir(name, 0o700)
			if data != nil {
				os.WriteFile(filepath.Join(name, "one.cdb"), data, 0o600)
			}
		}
		if x.url != "" {
			s.Places = append(s.Places, server.URL+x.url)
		}
		path, err := s.Find(t.Context(), c)
		if got := fmt.Sprint(path, err); !strings.Contains(got, x.want) || (err != nil) != errors.Is(err, ErrNoBundle) {
			t.Errorf("%+v: %s", x, got)
		}
		kept, _ := os.ReadDir(s.Cache)
		if want := 0; x.want != "cache" && len(kept) != want {
			t.Errorf("%s: %v is kept", x.url, kept)
		}
		if x.want == "cache" {
			server.Close() // fetched once
			if again, err := s.Find(t.Context(), c); err != nil || again != path {
				t.Errorf("%s, %v", again, err)
			}
			if n, size, err := s.Clean([]*Case{c, c}); n != 1 || size != c.Bundle.Size || err != nil {
				t.Errorf("%d, %d, %v", n, size, err)
			}
		}
	}
}

// TestLoad: cases are written and read again; other files are left alone, and a case's file must match
// it.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	c := &Case{Name: "b.1", Bundle: Bundle{strings.Repeat("ab", 32), 3},
		Threads: []Thread{{TID: 1, Frames: []string{"std::vector<int>"}}}}
	if err := c.Write(t.Context(), dir, false); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`[{"type":"case"}]`), 0o600)
	all, err := Load(dir)
	if err != nil || len(all) != 1 || len(all[0].Diff(c)) != 0 || all[0].Name != "b.1" {
		t.Errorf("%+v, %v", all, err)
	}
	if some, err := Named(all, []string{"b.1.json"}); err != nil || len(some) != 1 {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := Named(all, []string{"c"}); err == nil {
		t.Error("there is a case that is not there")
	}
	for _, name := range []string{"", "../x", "a/b", ".x", "a b", strings.Repeat("x", 200)} {
		if (&Case{Name: name}).Write(t.Context(), dir, false) == nil {
			t.Errorf("%q is a name", name)
		}
	}
	os.WriteFile(filepath.Join(dir, "odd.json"), []byte(`{"type":"case","bundle":{"sha256":"../../x"}}`), 0o600)
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "odd.json") {
		t.Error(err)
	}
}
