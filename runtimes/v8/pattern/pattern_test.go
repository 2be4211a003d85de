package pattern

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// find returns what the groups of the first match are, as JSON.stringify writes the result of exec.
func find(source, flags, text string, steps int) (string, error) {
	r, err := Compile(source, flags)
	if err != nil {
		return "", err
	}
	u := utf16.Encode([]rune(text))
	for at := 0; at <= len(u); at++ {
		caps, err := r.Match(u, at, &steps)
		if err != nil {
			return "", err
		}
		if caps == nil {
			continue
		}
		var parts []string
		for i := 0; i < len(caps); i += 2 {
			if caps[i] < 0 {
				parts = append(parts, "null")
				continue
			}
			parts = append(parts, fmt.Sprintf("%q", string(utf16.Decode(u[caps[i]:caps[i+1]]))))
		}
		return "[" + strings.Join(parts, ",") + "]", nil
	}
	return "null", nil
}

// TestExec: what JSON.stringify(new RegExp(source, flags).exec(text)) is in Node 26.12.1.
func TestExec(t *testing.T) {
	for _, test := range [][4]string{
		{`a|ab`, "", "abc", `["a"]`},
		{`((a)|(ab))((c)|(bc))`, "", "abc", `["abc","a","a",null,"bc",null,"bc"]`},
		{`a[a-z]{2,4}?`, "", "abcdefghi", `["abc"]`},
		{`(z)((a+)?(b+)?(c))*`, "", "zaacbbbcac", `["zaacbbbcac","z","ac","a",null,"c"]`},
		{`(?=(a+))a*b\1`, "", "baaabac", `["aba","a"]`},
		{`(.*?)a(?!(a+)b\2c)\2(.*)`, "", "baaabaac", `["baaabaac","ba",null,"abaac"]`},
		{`(a*)*`, "", "b", `["",null]`},
		{`(?<=^(\w{3}))def$`, "", "abcdef", `["def","abc"]`},
		{`(?<=\1(a))a`, "", "aaa", `["a","a"]`},
		{`(?<y>\d{4})-(?<m>\d\d)`, "", "in 2026-01", `["2026-01","2026","01"]`},
		{`\k<q>(?<q>x)`, "", "x", `["x","x"]`},
		{`^\w+$`, "m", "--\nab\n", `["ab"]`},
		{`[\d-x]+`, "", "1-x2", `["1-x2"]`},
		{`[^]`, "", "\n", `["\n"]`},
		{`\bis\b`, "", "this is", `["is"]`},
		{`\u{61}`, "", "a", "null"},
		{`\u{61}`, "u", "a", `["a"]`},
		{`^[^x]$`, "u", "😀", `["😀"]`},
		{`\p{Script=Greek}+`, "u", "aβγ", `["βγ"]`},
		{`[\p{L}--[a-z]]`, "v", "aB", `["B"]`},
		{`\u212a`, "i", "k", "null"},
		{`\u212a`, "iu", "k", `["k"]`},
		{`a{,2}`, "", "a{,2}", `["a{,2}"]`},
		{`x{2}`, "", "xxx", `["xx"]`},
		{`(?:)`, "", "", `[""]`},
		{`a.b`, "", "a\u2028b", "null"},
		{`a.b`, "s", "a\nb", `["a\nb"]`},
		{`(?i:A)b`, "", "ab", `["ab"]`},
		{`\101`, "", "A", `["A"]`},
	} {
		got, err := find(test[0], test[1], test[2], 1<<16)
		if err != nil || got != test[3] {
			t.Errorf("/%s/%s on %q: %s, %v, want %s", test[0], test[1], test[2], got, err, test[3])
		}
	}
}

// TestWrong: V8's reasons for expressions that it refuses.
func TestWrong(t *testing.T) {
	for source, want := range map[string]string{
		"(":      "Invalid regular expression: /(/: Unterminated group",
		"a)":     "Invalid regular expression: /a)/: Unmatched ')'",
		"*":      "Invalid regular expression: /*/: Nothing to repeat",
		"[b-a]":  "Invalid regular expression: /[b-a]/: Range out of order in character class",
		"[a":     "Invalid regular expression: /[a/: Unterminated character class",
		"a{2,1}": "Invalid regular expression: /a{2,1}/: numbers out of order in {} quantifier",
		`\`:      `Invalid regular expression: /\/: \ at end of pattern`,
		"(?<a":   "Invalid regular expression: /(?<a/: Invalid capture group name",
	} {
		if _, err := Compile(source, ""); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
	if _, err := Compile("a", "gg"); err == nil {
		t.Error("a flag that is there twice passes")
	}
	if _, err := Compile(strings.Repeat("(", 1<<10), ""); err == nil {
		t.Error("brackets nest without end")
	}
}

// TestSteps: an expression that takes exponential time ends.
func TestSteps(t *testing.T) {
	if got, err := find(`(a*)*b`, "", strings.Repeat("a", 40), 1<<16); !errors.Is(err, ErrSteps) {
		t.Error(got, err)
	}
}

// FuzzMatch looks for expressions that end in a panic or never.
func FuzzMatch(f *testing.F) {
	f.Add(`(?<a>x+?|[^\d-z]{2,})\k<a>(?<!b)\1*$`, "iu", "xx--xx")
	f.Add(`(?=(a*)+)\2|\p{L}[\w&&[a-z]]`, "v", "aé")
	f.Fuzz(func(t *testing.T, source, flags, text string) {
		if len(source) < 1<<8 && len(text) < 1<<8 {
			_, _ = find(source, flags, text, 1<<12)
		}
	})
}
