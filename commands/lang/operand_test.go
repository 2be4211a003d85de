package lang

import "testing"

func TestFileLine(t *testing.T) {
	for text, want := range map[string]struct {
		file string
		line int
		ok   bool
	}{
		"srv.cc:17": {"srv.cc", 17, true}, ":17": {"", 17, true}, "a/b c.js:3": {"a/b c.js", 3, true},
		`C:\a.cc:9`: {`C:\a.cc`, 9, true}, "Pool::17": {}, "Pool::run": {}, "srv.cc": {}, "srv.cc:0": {},
		"srv.cc:-3": {}, "": {},
	} {
		file, line, ok := FileLine(text)
		if ok != want.ok || ok && (file != want.file || line != want.line) {
			t.Errorf("%q: %q, %d, %v", text, file, line, ok)
		}
	}
}
