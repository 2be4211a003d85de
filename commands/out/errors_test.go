package out

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
)

// TestErrorLines: only errors.Join makes lines; a newline in a name never does.
func TestErrorLines(t *testing.T) {
	open := &fs.PathError{Op: "open", Path: "no\nsuch\x1b[31m", Err: fs.ErrNotExist}
	other := errors.New("b")
	for _, test := range []struct {
		err  error
		want []string
	}{
		{open, []string{`open no\nsuch\x1b[31m: file does not exist`}},
		{errors.Join(open, other), []string{`open no\nsuch\x1b[31m: file does not exist`, "b"}},
		{fmt.Errorf("reading: %w", errors.Join(errors.New("a"), errors.Join(other, open))),
			[]string{`reading: a; b; open no\nsuch\x1b[31m: file does not exist`}},
		{fmt.Errorf("%w, then %w", other, errors.Join(other, other)), []string{"b, then b; b"}},
		{errors.Join(other), []string{"b"}},
		{errors.New("with an end\n"), []string{"with an end"}},
	} {
		if got := ErrorLines(test.err); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, not %q", test.err, got, test.want)
		}
	}
}
