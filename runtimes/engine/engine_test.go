package engine

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestProbe: an engine is known by its image, and its version by the image's text, as for Bun 1.2.23.
func TestProbe(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"/opt/bun", "x\x00Bun v1.2.23 (Linux x64)\x00", "JavaScriptCore (Bun 1.2.23)"},
		{"/opt/bun", "nothing", "JavaScriptCore (Bun)"},
		{"/usr/lib/libmozjs-102.so.102.15.1", "\x00JavaScript-C102.15.1\x00", "SpiderMonkey (102.15.1)"},
		{"/usr/lib/libhermes.so", "\x00", "Hermes"},
		{"/usr/lib/libhermes.so", "0.12.0\x00OSS Release Version\x00", "Hermes (0.12.0)"},
		{"/usr/lib/libquickjs.so.0", "QuickJS memory usage -- 2025-04-26 version, %d-bit, malloc limit: %ld\x00",
			"QuickJS (2025-04-26)"},
		{"/opt/js102", "\x00JavaScript-C102.15.1\x00", "SpiderMonkey (102.15.1)"},
		{"/opt/js", "another program of that name", ""},
		{"/opt/duk", "\x00((o) Duktape%s %d.%d.%d (%s)\x00", "Duktape"},
		{"/opt/mujs", "\x00Welcome to MuJS %d.%d.%d.\n\x00", "MuJS"},
		{"/usr/lib/libduktape.so.207", "\x00", "Duktape"},
		{"/usr/bin/bundle", "Bun v1.2.23 (Linux x64)", ""},
	} {
		text := append([]byte(c.text), make([]byte, 4096)...)
		p := coretest.New(core.AMD64).Map(0x10000, text).Process()
		m := &core.Module{Path: c.path, Start: 0x10000, End: 0x11000, Exe: c.path[:5] != "/usr/"}
		p.Modules = []*core.Module{m}
		r, err := Probe(t.Context(), runtimes.Target{Process: p})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e, ok := r.(*Engine); ok {
			got = e.String()
			if !e.Holds(p, 0x10010) || e.Module() != m {
				t.Errorf("%s: its own code is not its", c.path)
			}
		}
		if r != nil && strings.Contains(runtimes.Title(r), "unknown") != (strings.HasSuffix(runtimes.Title(r),
			" (version unknown)")) {
			t.Errorf("%s: %q", c.path, runtimes.Title(r))
		}
		if got != c.want {
			t.Errorf("%s is %q, want %q", c.path, got, c.want)
		}
	}
}
