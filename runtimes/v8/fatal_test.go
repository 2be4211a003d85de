package v8

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/runtimes/v8/v8test"
)

// TestFailureMessage: the text between V8_Fatal's two marks, if both are there and it is a text.
func TestFailureMessage(t *testing.T) {
	const size = 8 + failureLength + 8
	message := func(text string, end uint64) []byte {
		b := make([]byte, size)
		binary.LittleEndian.PutUint64(b, failureStart)
		copy(b[8:], text)
		binary.LittleEndian.PutUint64(b[8+failureLength:], end)
		return b
	}
	v := &V8{Memory: v8test.NewHeap(t, v8test.Node24).Memory()}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a text":         {message("Check failed: !is_undefined.", failureEnd), "Check failed: !is_undefined."},
		"as long as any": {message(strings.Repeat("x", failureLength), failureEnd), strings.Repeat("x", failureLength)},
		"no second mark": {message("Check failed: !is_undefined.", failureEnd+1), ""},
		"cut":            {message("Check failed: !is_undefined.", failureEnd)[:size-1], ""},
		"escapes":        {message("Check \x1b[31mfailed", failureEnd), ""},
		"nothing":        {message("", failureEnd), ""},
	} {
		if got, ok := v.failureMessage(c.data); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, c.want)
		}
	}
}
