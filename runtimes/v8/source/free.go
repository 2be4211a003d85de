package source

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// FreeNames returns the names that a function refers to and does not declare, including names in its inner
// functions: rather one too many than one too few. It fails if they are not certain: its text is not in the
// core or cannot be parsed, or it may call eval.
func FreeNames(objects *object.Reader, shared layout.Tagged) ([]string, error) {
	info, ok := objects.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return nil, fmt.Errorf("v8: function %v has no text", core.Addr(shared))
	}
	start, end := objects.Extent(shared)
	text, err := objects.Source(info.Script, start, end, syntax.MaxText)
	if err != nil {
		return nil, err
	}
	units := 0
	for _, r := range text {
		if units++; r > 0xffff {
			units++
		}
	}
	if units != end-start || !utf8.ValidString(text) {
		return nil, fmt.Errorf("v8: the text of function %v is not all known", core.Addr(shared))
	}
	n, err := syntax.ParseExtent(text)
	if err != nil {
		return nil, err
	}
	names, ok := syntax.FreeNames(n)
	if !ok {
		return nil, errEval
	}
	return names, nil
}

// Parameters returns the names of a function's parameters, in order: variables that live where the caller has put
// the arguments. It returns nil if they are not certain: the text is not in the core, or a parameter is more than
// a name.
func Parameters(objects *object.Reader, shared layout.Tagged) []string {
	t := textOf(objects, shared)
	if t == nil {
		return nil
	}
	return syntax.Parameters(t.fn)
}

var errEval = errors.New("v8: what eval refers to is not known")
