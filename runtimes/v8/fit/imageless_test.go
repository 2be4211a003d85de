package fit

import (
	"context"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestStated: the version is what memory says, not what only looks like one, and unknown if there are two.
func TestStated(t *testing.T) {
	for _, c := range []struct{ name, memory, want string }{
		{"Node", "\x00v24.21.0\x0013.6.233.17-node.50\x00", "13.6.233.17-node.50"},
		{"an object after the text", "\x13\x00\x00\x0013.6.233.17-node.50\xe1\xc1", "13.6.233.17-node.50"},
		{"Deno", "{\"v8\":\"15.0.245.2-rusty\"}", "15.0.245.2-rusty"},
		{"no part of an embedder", "\x0014.8.178.31\x0010.0.2.15\x009.9.9.11\x00", "14.8.178.31"},
		{"its embedder's part first", "\x0012.4.254.21-node.33\x0010.1.100.12\x00", "12.4.254.21-node.33"},
		{"Chromium", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.33 Safari/537.36", "13.1"},
		{"its own before Chromium's", "Chrome/131.0.0.0 \x0013.1.201.8\x00", "13.1.201.8"},
		{"two of Node", "\x0013.6.233.17-node.50 12.4.254.21-node.33\x00", ""},
		{"two of Chromium", "Chrome/131.0.0.0 Chrome/130.0.0.0 ", ""},
		{"part of a longer number", "x1.13.6.233.17-node.50\x00", ""},
		{"a longer version", "\x0013.6.233.17.4\x00\x0013.6.233.17-nodes\x00", ""},
		{"cut", "\x0013.6.233.", ""},
		{"nothing", "", ""},
		{"over the end of a chunk", strings.Repeat("\x00", statedChunk-19) + "13.6.233.17-node.50\x00",
			"13.6.233.17-node.50"},
		{"at the end of what is searched of a chunk", strings.Repeat("\x00", statedChunk-statedLength-1) +
			"13.6.233.17-node.50\x00" + strings.Repeat("\x00", statedLength), "13.6.233.17-node.50"},
	} {
		p := coretest.New(core.AMD64).Map(0x10000, append([]byte{0}, c.memory...)).Process()
		if got := stated(context.Background(), p); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
