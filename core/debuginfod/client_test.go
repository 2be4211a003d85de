package debuginfod

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/find"
)

var wanted = bytes.Repeat([]byte{0xab, 0x12}, 10)

// image returns an ELF file with a build-id, and nothing else but zeros.
func image(id []byte, pad int) []byte {
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64,
		Phentsize: 56, Phnum: 1}
	copy(h.Ident[:], "\x7fELF\x02\x01\x01")
	note := append(binary.LittleEndian.AppendUint32(nil, 4), 0, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0)
	binary.LittleEndian.PutUint32(note[4:], uint32(len(id)))
	note = append(note, id...)
	binary.Write(&b, binary.LittleEndian, h)
	binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(elf.PT_NOTE), Off: 120, Filesz: uint64(len(note)),
		Memsz: uint64(len(note))})
	b.Write(note)
	b.Write(make([]byte, pad))
	return b.Bytes()
}

// serve starts a server and returns its URL.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// counted counts the requests of a handler.
func counted(n *atomic.Int32, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { n.Add(1); h(w, r) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }
}

func send(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { w.Write(b) }
}

// hang sends the beginning of a file and no more, until the client goes.
func hang(w http.ResponseWriter, r *http.Request) {
	w.Write(image(wanted, 0))
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// endless sends zeros until the client closes the connection.
func endless(w http.ResponseWriter, r *http.Request) {
	for zeros := make([]byte, 1<<16); ; {
		if _, err := w.Write(zeros); err != nil {
			return
		}
	}
}

var debug = find.Want{Kind: find.Debug, ID: wanted, AllowRemote: true}

func tried(c *Client) string {
	var words []string
	for _, x := range c.Tried(wanted) {
		words = append(words, fmt.Sprint(x.Kind, " ", x.Err))
	}
	return strings.Join(words, "; ")
}

// content reads the whole file.
func content(t *testing.T, f find.Found) []byte {
	t.Helper()
	if f.Source == nil {
		return nil
	}
	defer f.Source.Close()
	b, err := core.SourceSlice(f.Source, 0, int(f.Source.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(b)
}

// left returns the files of a folder that have bytes.
func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if st, e := os.Stat(path); e == nil && st.Mode().IsRegular() && st.Size() > 0 {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// TestBadServers asks servers that do what they should not.
func TestBadServers(t *testing.T) {
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }
	for _, c := range []struct {
		name     string
		serve    http.HandlerFunc
		says     string
		requests int32
	}{
		{"another", send(image(bytes.Repeat([]byte{7}, 20), 10)), "the server sent another file: its build-id is 0707",
			1},
		{"no build-id", send(image(nil, 10)), "the server sent another file: it has no build-id", 1},
		{"page", send([]byte("<html>log in</html>")), "the server sent another file", 1},
		{"empty", send(nil), "the server sent another file: an empty one", 1},
		{"hang", hang, "no answer in time: less than 100 KiB in 100ms", 1},
		{"no header", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer in time", 1},
		{"endless", endless, "too large: cut at 1 MiB", 1},
		{"announced", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "10737418240") },
			"too large: 10 GiB are more than 1 MiB", 1},
		{"said", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-DEBUGINFOD-SIZE", "10737418240")
			w.(http.Flusher).Flush()
			endless(w, r)
		}, "too large: 10 GiB are more than 1 MiB", 1},
		{"404", status(404), "it does not have it", 1},
		{"406", status(406), "too large: it has more than 1 MiB", 1},
		{"500", status(500), "500 Internal Server Error", 3},
		{"403", status(403), "403 Forbidden", 1},
		{"loop", loop, "more than 5 redirects", 18},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		}, `"file" is not http or https`, 3},
		{"short", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(image(wanted, 0))
		}, "EOF", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int32
			dir, timeout := t.TempDir(), time.Minute
			if strings.Contains(c.says, "in time") {
				timeout = 100 * time.Millisecond
			}
			client := New(Options{URLs: []string{serve(t, counted(&n, c.serve))}, Cache: dir, MaxSize: 1 << 20,
				Timeout: timeout, Retries: 2})
			got := client.Find(t.Context(), debug)
			if got.Source != nil || !strings.Contains(tried(client), c.says) || n.Load() != c.requests {
				t.Errorf("%+v after %d requests: %s", got, n.Load(), tried(client))
			}
			if files := left(t, dir); files != nil {
				t.Errorf("the cache keeps %q", files)
			}
			if client.Find(t.Context(), debug); n.Load() != c.requests {
				t.Errorf("it was asked again: %d requests", n.Load())
			}
		})
	}
}

// TestFind takes a file from the second server, and then from the cache.
func TestFind(t *testing.T) {
	dir, file := t.TempDir(), image(wanted, 300_000)
	var asked *http.Request
	good := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Write(file)
	})
	told := int64(0)
	o := Options{URLs: []string{serve(t, status(404)), "ftp://x/", "http:///", good + "/sub"}, Cache: dir,
		MaxTime: time.Hour, MaxSize: 1 << 20, Timeout: -1,
		Progress: func(_ string, done, total int64) { told = done }}
	near := debug
	near.AllowRemote = false
	if got := New(o).Find(t.Context(), near); got.Source != nil || asked != nil {
		t.Error("a server was asked that should not be")
	}
	got := New(o).Find(t.Context(), debug)
	at := filepath.Join(dir, hex.EncodeToString(wanted), "debuginfo")
	if !bytes.Equal(content(t, got), file) || got.From != at || told != int64(len(file)) {
		t.Fatalf("%+v, %d bytes told", got, told)
	}
	if asked.URL.Path != "/sub/buildid/"+hex.EncodeToString(wanted)+"/debuginfo" ||
		asked.Header.Get("X-DEBUGINFOD-MAXSIZE") != "1048576" || asked.Header.Get("X-DEBUGINFOD-MAXTIME") != "3600" {
		t.Errorf("asked for %s with %v", asked.URL, asked.Header)
	}
	asked = nil
	if got := New(o).Find(t.Context(), near); !bytes.Equal(content(t, got), file) || asked != nil {
		t.Errorf("not from the cache: %+v", got)
	}
	if err := os.WriteFile(at, image([]byte("some other build-id!"), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := New(o).Find(t.Context(), near); got.Source != nil || len(got.Refused) != 1 {
		t.Errorf("another file of the cache: %+v", got)
	}
}

// TestNowhere remembers for some time that no server has a file.
func TestNowhere(t *testing.T) {
	var n atomic.Int32
	dir, now := t.TempDir(), time.Now()
	o := Options{URLs: []string{serve(t, counted(&n, status(404)))}, Cache: dir, Now: func() time.Time { return now }}
	for range 2 {
		if New(o).Find(t.Context(), debug); n.Load() != 1 {
			t.Fatalf("%d requests", n.Load())
		}
	}
	now = now.Add(11 * time.Minute)
	if New(o).Find(t.Context(), debug); n.Load() != 2 {
		t.Errorf("%d requests after 11 minutes", n.Load())
	}
	if err := os.WriteFile(filepath.Join(dir, "cache_miss_s"), []byte("36000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(11 * time.Minute)
	if New(o).Find(t.Context(), debug); n.Load() != 2 {
		t.Errorf("%d requests though the cache says that it knows for hours", n.Load())
	}
}

// TestDead asks a server that is dead no second time, for whatever.
func TestDead(t *testing.T) {
	warned := 0
	var n atomic.Int32
	for name, u := range map[string]string{"closed": "http://127.0.0.1:1/", "hanging": serve(t, counted(&n, hang))} {
		c := New(Options{URLs: []string{u}, Cache: t.TempDir(), Timeout: 50 * time.Millisecond,
			Warn: func(error) { warned++ }})
		c.Find(t.Context(), debug)
		c.Find(t.Context(), find.Want{Kind: find.Image, ID: wanted, AllowRemote: true})
		if !strings.Contains(tried(c), "not asked: ") || n.Load() > 1 {
			t.Errorf("%s: %s", name, tried(c))
		}
	}
	if warned != 2 {
		t.Errorf("%d warnings", warned)
	}
}

// TestInterrupt ends a download with the context of the command; the next one may have it.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	began := make(chan struct{}, 1)
	var n atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) > 1 {
			w.Write(image(wanted, 0))
			return
		}
		began <- struct{}{}
		hang(w, r)
	})
	c := New(Options{URLs: []string{url}, Cache: dir, Timeout: -1})
	ctx, cancel := context.WithCancel(t.Context())
	end := c.Within(ctx)
	go func() { <-began; cancel() }()
	got := c.Find(t.Context(), debug)
	if got.Source != nil || !errors.Is(errors.Join(got.Refused...), context.Canceled) || left(t, dir) != nil {
		t.Errorf("%+v", got)
	}
	end()
	if got := c.Find(t.Context(), debug); content(t, got) == nil {
		t.Errorf("not had afterwards: %+v", got)
	}
}

// TestSource has a file of source under the names that clients look for.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	var path string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		io.WriteString(w, "int main;\n")
	})
	c := New(Options{URLs: []string{url}, Cache: dir})
	w := find.Want{Kind: find.Data, ID: wanted, Path: "/src/lib/../a#b.c", AllowRemote: true}
	if got := content(t, c.Find(t.Context(), w)); string(got) != "int main;\n" ||
		!strings.HasSuffix(path, "/source/src/lib/../a%23b.c") {
		t.Errorf("%q of %s", got, path)
	}
	for _, name := range []string{"source-" + hashedName(w.Path), "source##src##lib##..##a#_b.c"} {
		if _, err := os.Stat(filepath.Join(dir, hex.EncodeToString(wanted), name)); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []find.Want{{Kind: find.Data, Path: "/x.c", AllowRemote: true},
		{Kind: find.Data, ID: wanted, Path: "x.c", AllowRemote: true}, {Kind: find.Data, ID: wanted, AllowRemote: true},
		{Kind: find.Object, ID: wanted, Path: "/x", AllowRemote: true},
		{Kind: find.Debug, ID: []byte{1}, AllowRemote: true}} {
		if got := c.Find(t.Context(), bad); got.Source != nil || got.Refused != nil {
			t.Errorf("%+v: %+v", bad, got)
		}
	}
}

// TestHashedName has names that path_escape of elfutils makes, by its text: djb2 of the path, and its last
// 117 characters.
func TestHashedName(t *testing.T) {
	long := "/" + strings.Repeat("é/long", 40) + "/end.c"
	if got := hashedName(long); len(got) != 126 || !strings.HasSuffix(got, "##long#end.c") {
		t.Errorf("%q has %d", got, len(got))
	}
	if got := hashedName("/a"); got != fmt.Sprintf("%08x-#a", (5381*33+'/')*33+'a') {
		t.Error(got)
	}
}

// TestFromEnviron reads the variables of the standard client.
func TestFromEnviron(t *testing.T) {
	home := t.TempDir()
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	if FromEnviron(env()) != nil || FromEnviron(env("DEBUGINFOD_URLS", "  ")) != nil {
		t.Error("on without a server")
	}
	o := FromEnviron(env("DEBUGINFOD_URLS", "http://a https://b", "HOME", home, "DEBUGINFOD_TIMEOUT", "5",
		"DEBUGINFOD_MAXTIME", "7", "DEBUGINFOD_MAXSIZE", "11", "DEBUGINFOD_RETRY_LIMIT", "0"))
	if len(o.URLs) != 2 || o.Timeout != 5*time.Second || o.MaxTime != 7*time.Second || o.MaxSize != 11 ||
		o.Retries != 0 || o.Cache != filepath.Join(home, ".cache/debuginfod_client") {
		t.Errorf("%+v", o)
	}
	o = FromEnviron(env("DEBUGINFOD_URLS", "http://a", "HOME", home, "XDG_CACHE_HOME", "/xdg", "DEBUGINFOD_TIMEOUT",
		"0", "DEBUGINFOD_MAXTIME", "99999999999999", "DEBUGINFOD_MAXSIZE", "-3"))
	if o.Cache != "/xdg/debuginfod_client" || o.Timeout >= 0 || o.MaxTime <= 0 || o.MaxSize != 0 ||
		o.Retries != DefaultRetries {
		t.Errorf("%+v", o)
	}
	if err := os.Mkdir(filepath.Join(home, ".debuginfod_client_cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	if o := FromEnviron(env("DEBUGINFOD_URLS", "http://a", "HOME", home, "XDG_CACHE_HOME",
		"/xdg")); o.Cache != filepath.Join(home, ".debuginfod_client_cache") {
		t.Errorf("%+v", o)
	}
	if o := FromEnviron(env("DEBUGINFOD_URLS", "http://a", "HOME", home, "DEBUGINFOD_CACHE_PATH",
		"/c")); o.Cache != "/c" {
		t.Errorf("%+v", o)
	}
}
