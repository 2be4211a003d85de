package values

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
)

// TestArithmetic holds numbers to C17, 6.3.1.8 and 6.5, for an int of 4 bytes and a long of 8.
func TestArithmetic(t *testing.T) {
	p := coretest.New(core.AMD64).Thread(7, map[string]uint64{"rip": 0x1008, "rsp": 0x1010}).Process()
	for text, want := range map[string]string{
		"-1 == 0xffffffffu":               "1",
		"(long)-1 < 1u":                   "1",
		"-1 > 1u":                         "1",
		"-1 > 1ul":                        "1",
		"-1 < 1":                          "1",
		"4294967295 == -1":                "0",
		"-1 / 2u":                         "2147483647",
		"-8 % 3u":                         "2",
		"-8 % 3":                          "-2",
		"-8 / 3":                          "-2",
		"-8 >> 1":                         "-4",
		"~0u >> 4":                        "268435455",
		"1 << 100":                        "0",
		"-1 >> 100":                       "-1",
		"(-9223372036854775807 - 1) / -1": "-9223372036854775808",
		"(-9223372036854775807 - 1) % -1": "0",
		"(unsigned long)1e19":             "10000000000000000000",
		"1 / 0":                           "a division by zero",
		"1 % 0":                           "a division by zero",
		"1.5 % 2":                         "% is for integers",
		`"abc"[1.5]`:                      "1.5 is not an index",
		"1@1000000000":                    "only what is in memory can be the first of several",
		"*(char *)$sp@1000000000":         "1000000000 is not a number of elements",
		"*(char *)$sp@-1":                 "-1 is not a number of elements",
	} {
		r := commands.NewRegistry(Commands())
		var b bytes.Buffer
		s := commands.NewSession(p, r, &b, &b)
		s.Live = true
		s.Run(t.Context(), "::print -- '"+text+"'")
		got := strings.TrimSpace(b.String())
		if got != text+" = "+want && !strings.Contains(got, ": "+want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
