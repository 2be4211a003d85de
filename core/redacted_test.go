package core_test

import (
	"strings"
	"testing"

	"coredbg/core"
)

// holes is a source where '#' stands for a redacted byte and '?' for one that cannot be read.
type holes struct{ core.Bytes }

func (h holes) Window(off int64) ([]byte, error) {
	w, err := h.Bytes.Window(off)
	if err != nil {
		return nil, err
	}
	switch i := strings.IndexAny(string(w), "#?"); {
	case i < 0:
		return w, nil
	case i > 0:
		return w[:i], nil
	case w[0] == '#':
		return nil, &core.GapError{Gap: core.Redacted}
	}
	return nil, &core.GapError{Gap: core.LeftOut}
}

// TestText: each run of redacted bytes is one mark; other gaps end a text.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"connect to ####, at ### port\x00": "connect to <redacted>, at <redacted> port", "####\x00x": "<redacted>",
		"plain\x00":       "plain",
		"a ## b ?? c\x00": "a <redacted> b |", "": "|", "#### and no end": "<redacted> and no end|",
		"x" + strings.Repeat("#", 5000) + "y\x00": "x|",
	} {
		sp := core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x1000 + core.Addr(len(text)), Kind: core.SegCore,
			Src: holes{core.Bytes(text)}}}, nil)
		got, err := core.Text(sp, 0x1000, 1<<16)
		if err != nil {
			got += "|"
		}
		if got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
		n := strings.IndexByte(text, 0)
		if n < 0 {
			continue
		}
		b, err := core.TextBytes(sp, 0x1000, uint64(n))
		if got = string(b); err != nil {
			got += "|"
		}
		if got != want {
			t.Errorf("%.20q, %d bytes: %q, want %q", text, n, got, want)
		}
	}
}
