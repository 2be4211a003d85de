package sym

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The readable forms come from c++filt 2.40 and rustfilt, except for blanks between closing angle
// brackets.
func TestDemangle(t *testing.T) {
	for _, c := range []struct{ name, long, short string }{
		{"main", "main", "main"},
		{"_start", "_start", "_start"},
		{"_ZN2v88internal7Isolate4InitEv", "v8::internal::Isolate::Init()", "v8::internal::Isolate::Init"},
		{"_ZN3FooC2Ei", "Foo::Foo(int)", "Foo::Foo"},
		{"_ZL4workPKc.part.0", "work(char const*) [clone .part.0]", "work"},
		{"__ZN3FooC2Ei", "Foo::Foo(int)", "Foo::Foo"},
		{"_ZN4core9panicking5panic17h0123456789abcdefE", "core::panicking::panic", "core::panicking::panic"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo"},
		{"_ZN", "_ZN", "_ZN"},
		{"_Z" + strings.Repeat("P", 20000) + "i", "_Z" + strings.Repeat("P", 20000) + "i",
			"_Z" + strings.Repeat("P", 20000) + "i"},
	} {
		if got := Demangle(c.name, false); got != c.long {
			t.Errorf("Demangle(%.40q) = %q, want %q", c.name, got, c.long)
		}
		if got := Demangle(c.name, true); got != c.short {
			t.Errorf("Demangle(%.40q, short) = %q, want %q", c.name, got, c.short)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"operator<<(std::ostream&)", "operator<<(std::ostream&)"}, {"naïve::größe", "naïve::größe"},
		{"a\x1b[31mb", `a\x1b[31mb`}, {"tab\tline\ncr\r", `tab\tline\ncr\r`}, {"\x00\x7f", `\x00\x7f`},
		{"\xff\xc3(", `\xff\xc3(`}, {"evil\u202etxt.exe", `evil\u202etxt.exe`}, {"\u0085\u009b31m", `\u0085\u009b31m`},
		{"a\u200bb\u2028c\ufeff", `a\u200bb\u2028c\ufeff`}, {"\U000e0041", `\U000e0041`}, {"日本", "日本"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzDemangle(f *testing.F) {
	for _, s := range []string{"_ZN3FooC2Ei", "_RNvCs1234_7mycrate3foo", "_ZN4core9panicking5panic17h0123456789abcdefE",
		"_ZSt4moveIRSt10unique_ptrIiSt14default_deleteIiEEEONSt16remove_referenceIT_E4typeEOS6_", "_GLOBAL__I__Z3foov",
		"_ZN1aIJS_S_S_S_EE1bIS0_S0_S0_EEvT_", "_RINvC1a1bINtB2_1cRShEE", "___Z3foov_block_invoke_2",
		"_ZN\x1b[31m3fooE"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, short := range []bool{false, true} {
			s := Demangle(name, short)
			if len(s) > max(len(name), 2<<maxDemangled) {
				t.Fatalf("%d bytes from %d", len(s), len(name))
			}
			for _, r := range Clean(s) {
				if r == utf8.RuneError && !strings.ContainsRune(s, utf8.RuneError) || unicode.IsControl(r) {
					t.Fatalf("Clean left %q", r)
				}
			}
		}
	})
}
