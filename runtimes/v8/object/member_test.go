package object

import (
	"math"
	"testing"
)

func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 1: 0x1p-24,
		0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := float16(bits); got != want {
			t.Errorf("float16(%#x) = %v, want %v", bits, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	for in, want := range map[string]int{"a.b[0]": 3, `["x y"].z`: 2, "a[Symbol(d)]": 2, "a..b": -1, "a[": -1,
		"a[]": -1, "": 0} {
		got, err := Path(in)
		if (err != nil) != (want < 0) || err == nil && len(got) != want {
			t.Errorf("Path(%q) = %q, %v", in, got, err)
		}
	}
}
