package layout

import "testing"

// TestFormatNumber: ECMA-262, Number::toString.
func TestFormatNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1.5: "1.5", -7: "-7", 1e21: "1e+21", 123456789012345680000: "123456789012345680000",
		1e-7: "1e-7", 1.5e-10: "1.5e-10", 1e-6: "0.000001", 1e300: "1e+300",
	} {
		if got := FormatNumber(f); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
