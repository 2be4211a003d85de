package blink

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// kurl is a KURL as Chromium 156 has it, with its own parser's parts: the flags, the protocol, the
// parts with flags and the address of an inner URL's parts, the text, and an inner URL.
func kurl(text core.Addr, parts ...int32) []byte {
	var b []byte
	for i := range 16 {
		n := int32(-1 * (i % 2)) // absent: 0, -1
		if i < len(parts) {
			n = parts[i]
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, make([]byte, 16)...)
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, uint64(text)), 0)
}

// stringImpl is a WTF::StringImpl.
func stringImpl(text string, wide bool) []byte {
	b := make([]byte, textHeader)
	binary.LittleEndian.PutUint32(b, 2)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(text)))
	for _, c := range []byte(text) {
		if b = append(b, c); wide {
			b = append(b, 0)
		}
	}
	return b
}

func TestURL(t *testing.T) {
	const at, text = 0x10000, 0x20000
	whole := []int32{0, 4, 0, -1, 0, -1, 7, 1, 9, 2, 11, 2, 14, 1, 16, 1}
	for name, c := range map[string]struct {
		text  string
		wide  bool
		parts []int32
		ok    bool
	}{
		"all parts":            {"http://h:80/p?q#f", false, whole, true},
		"in UTF-16":            {"http://h:80/p?q#f", true, whole, true},
		"of no host":           {"about:blank", false, []int32{0, 5, 0, -1, 0, -1, 0, -1, 0, -1, 6, 5}, true},
		"the text is longer":   {"http://h:80/p?q#ff", false, whole, false},
		"the text is shorter":  {"http://h:80/p?q#", false, whole, false},
		"no colon":             {"httpx//h:80/p?q#f", false, whole, false},
		"no question mark":     {"http://h:80/p!q#f", false, whole, false},
		"no number sign":       {"http://h:80/p?q!f", false, whole, false},
		"a scheme in capitals": {"HTTP://h:80/p?q#f", false, whole, false},
		"not ASCII":            {"http://h:80/\xff?q#f", false, whole, false},
		"parts out of order": {"http://h:80/p?q#f", false, []int32{0, 4, 0, -1, 0, -1, 11, 2, 9, 2, 7, 1, 14, 1,
			16, 1}, false},
		"no scheme": {"http://h:80/p?q#f", false, []int32{0, -1, 0, -1, 0, -1, 7, 1, 9, 2, 11, 2, 14, 1,
			16, 1}, false},
		"a part beyond the text": {"about:blank", false, []int32{0, 5, 0, -1, 0, -1, 0, -1, 0, -1, 6, 1 << 30}, false},
		"a length below absent":  {"about:blank", false, []int32{0, 5, 0, -2, 0, -1, 0, -1, 0, -1, 6, 5}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := coretest.New(core.AMD64).Map(at, kurl(text, c.parts...)).Map(text,
				stringImpl(c.text, c.wide)).Process()
			r := &Reader{Memory: &layout.Memory{Process: p, Space: p.Space, Order: p.Arch.Order}}
			if got, ok := r.url(at); ok != c.ok || ok && got != c.text {
				t.Errorf("%q, %v, want %q, %v", got, ok, c.text, c.ok)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		url, origin     string
		within, against bool
	}{
		{"http://h:80/p", "http://h:80", true, false},
		{"blob:http://h:80/1-2", "http://h:80", true, false},
		{"file:///p", "file://", true, false},
		{"http://h:801/p", "http://h:80", false, true},
		{"http://other/p", "http://h", false, true},
		{"about:blank", "http://h", false, false},
		{"data:text/html,http://h/", "http://h", false, false},
		{"http://h/", "", false, false},
	} {
		if got := within(c.url, c.origin); got != c.within {
			t.Errorf("within(%q, %q) is %v", c.url, c.origin, got)
		}
		if got := contradicts(c.url, c.origin); got != c.against {
			t.Errorf("contradicts(%q, %q) is %v", c.url, c.origin, got)
		}
	}
}
