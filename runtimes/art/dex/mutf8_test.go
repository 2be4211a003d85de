package dex

import (
	"errors"
	"testing"
	"unicode/utf8"
)

func TestDecodeMUTF8(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		want  string
		units int
		bad   bool
	}{
		{"empty", "", "", 0, false},
		{"ASCII", "java", "java", 4, false},
		{"NUL in two bytes", "a\xc0\x80b", "a\x00b", 3, false},
		{"two bytes", "\xc3\xa9", "é", 1, false},
		{"three bytes", "\xe2\x82\xac", "€", 1, false},
		{"pair of surrogates", "x\xed\xa0\xbd\xed\xb8\x80y", "x😀y", 4, false},
		{"high surrogate alone", "\xed\xa0\xbdx", "\xed\xa0\xbdx", 2, false},
		{"low surrogate alone", "\xed\xb8\x80", "\xed\xb8\x80", 1, false},
		{"high surrogate at the end", "\xed\xa0\xbd", "\xed\xa0\xbd", 1, false},
		{"two high surrogates", "\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80", "\xed\xa0\xbd😀", 3, false},
		{"U+FFFD itself", "\xef\xbf\xbd", "\ufffd", 1, false},
		{"continuation alone", "a\x80", "a\ufffd", 2, true},
		{"two bytes cut", "\xc3", "\ufffd", 1, true},
		{"three bytes cut", "\xe2\x82", "\ufffd\ufffd", 2, true},
		{"UTF-8 of four bytes", "\xf0\x9f\x98\x80", "\ufffd\ufffd\ufffd\ufffd", 4, true},
		{"bad continuation", "\xc3a", "\ufffda", 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, units, err := DecodeMUTF8([]byte(tt.in))
			if got != tt.want || units != tt.units || errors.Is(err, ErrMUTF8) != tt.bad {
				t.Errorf("DecodeMUTF8(%q) = %q, %d, %v; want %q, %d, malformed %v", tt.in, got, units, err, tt.want,
					tt.units, tt.bad)
			}
		})
	}
}

func FuzzMUTF8(f *testing.F) {
	f.Add([]byte("a\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xf0\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text, units, err := DecodeMUTF8(b)
		if units > len(b) || len(text) > 3*len(b) {
			t.Fatalf("%d bytes became %d units in %d bytes", len(b), units, len(text))
		}
		if utf8.Valid(b) && err == nil && len(text) > len(b) {
			t.Fatalf("%q became longer: %q", b, text)
		}
	})
}
