package source

import (
	"slices"
	"testing"

	"coredbg/runtimes/v8/syntax"
)

// TestPairs: calls in the code are matched to calls in the text if all fit. Calls of an iterator are left out,
// and a call that may be either is unknown.
func TestPairs(t *testing.T) {
	site := func(args int, member bool) syntax.CallSite { return syntax.CallSite{Args: args, Member: member} }
	call := func(args int, member bool) codeCall { return codeCall{CallSite: site(args, member)} }
	for _, c := range []struct {
		name     string
		sites    []syntax.CallSite
		calls    []codeCall
		iterates bool
		want     []int
	}{
		{"the same", []syntax.CallSite{site(1, false), site(0, true)}, []codeCall{call(1, false), call(0, true)},
			false, []int{0, 1}},
		{"of another", []syntax.CallSite{site(1, false)}, []codeCall{call(2, false)}, false, nil},
		{"a function for a property", []syntax.CallSite{site(1, true)}, []codeCall{call(1, false)}, false, nil},
		{"any receiver", []syntax.CallSite{site(1, true)}, []codeCall{{CallSite: site(1, false), any: true}},
			false, []int{0}},
		{"one too many", []syntax.CallSite{site(1, false)}, []codeCall{call(1, false), call(0, true)}, false, nil},
		{"one too few", []syntax.CallSite{site(1, false), site(0, true)}, []codeCall{call(1, false)}, true, nil},
		{"an iterator's", []syntax.CallSite{site(1, false)}, []codeCall{call(0, true), call(1, false), call(0, true)},
			true, []int{-1, 0, -1}},
		{"either", []syntax.CallSite{site(0, true)}, []codeCall{call(0, true), call(0, true)}, true, []int{-1, -1}},
		{"wait", []syntax.CallSite{{Await: true}}, []codeCall{{CallSite: syntax.CallSite{Await: true}}},
			false, []int{0}},
	} {
		if got := pairs(c.sites, c.calls, c.iterates); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
