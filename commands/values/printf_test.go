package values

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
)

// TestPrintf checks ::printf, ::array and ::sizeof against the help of MDB's (mdb(1),
// mdb_print.c) and to C.
func TestPrintf(t *testing.T) {
	p := coretest.New(core.AMD64).
		Words(0x1000, 0xfffffffffffffff6, 0x2000, 0x7f000001, 0x600, 0).
		Map(0x2000, []byte("text\x00")).
		Thread(7, map[string]uint64{"rip": 0x1008, "rsp": 0x1010}).Process()
	for line, want := range map[string]string{
		`1000::printf "%d %u %x\n" 'long [1]' [0] [0] [0]`:                       "-10 18446744073709551606 fffffffffffffff6\n",
		`1000::printf "%d|%u|%X\n" 'int [2]' [0] [1] [1]`:                        "-10|4294967295|FFFFFFFF\n",
		`1000::printf "%d %d\n" 'unsigned char [8]' [0] [7]`:                     "246 255\n",
		`1000::printf "[%6d] [%-6d] [%06d] [%?p]%%\n" 'short [1]' [0] [0] [0] .`: "[   -10] [-10   ] [-00010] [            1000]%\n",
		`1008::printf "%s %p\n" 'char * [1]' [0] [0]`:                            "text 2000\n",
		`1008::printf "%d\n" 'char *' [1]`:                                       "101\n",
		`1010::printf "%o %q %r %R\n" 'int [1]' [0] [0] [0] [0]`:                 "17700000001 17700000001 7f000001 7f000001\n",
		`1018::printf "%H %Y\n" 'time_t [1]' [0] [0]`:                            "1.50K 1970 Jan  1 00:25:36\n",
		`1000::printf "%d\n" int`:                                                "coredbg: ::printf: at least one member must be specified\n",
		`1000::printf "%d %d\n" 'int [1]' [0]`:                                   "coredbg: extra format specifiers (found 2, expected 1)\n",
		`1000::printf "%d\n" 'int [1]' [0] [0]`:                                  "coredbg: missing format specifiers (found 1, expected 2)\n",
		`1000::printf "%d\n" 'int [1]' [1]`:                                      "coredbg: failed to print member \"[1]\": int [1] has no element [1]\n",
		`1000::printf "%s\n" 'int * [1]' [0]`:                                    "coredbg: failed to print member \"[0]\": expected a pointer to characters, not int *\n",
		`1000::printf "%f\n" 'double [1]' [0]`:                                   "coredbg: illegal format string at or near 'f' (position 2)\n",
		`1000::printf "%ä\n" 'int [1]' [0]`:                                      "coredbg: illegal format string at or near 'ä' (position 2)\n",
		`1000::printf "%d\n" proc_t p_pid`:                                       "coredbg: failed to look up type proc_t: what a program defines is not known, only the types of C itself\n",
		`9000::printf "%d\n" 'int [1]' [0]`:                                      "coredbg: failed to print member \"[0]\": failed to read 4 bytes at 0x9000: 0x9000: not mapped\n",
		`1000::array uint32_t 3`:                                                 "0x1000\n0x1004\n0x1008\n",
		`::sizeof unsigned long`:                                                 "sizeof (unsigned long) = 0x8\n",
		`::sizeof const short int`:                                               "sizeof (short int) = 0x2\n",
		`::sizeof char **`:                                                       "sizeof (char **) = 0x8\n",
		`::sizeof 'size_t [3]'`:                                                  "sizeof (size_t [3]) = 0x18\n",
	} {
		r := commands.NewRegistry(Commands())
		var b bytes.Buffer
		s := commands.NewSession(p, r, &b, &b)
		s.Live = true
		s.Run(t.Context(), line)
		if got := b.String(); want != "" && !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for size, arch := range map[int]*core.Arch{4: core.ARM, 8: core.ARM64} {
		for _, name := range []string{"long", "size_t", "char *", "uintptr_t", "unsigned long int"} {
			if c, _, err := parseType(strings.Fields(name), arch); err != nil || c.size != size {
				t.Errorf("%s of %d bits: %+v, %v", name, 8*size, c, err)
			}
		}
	}
}

// TestHumanSize holds %H to nicenum of mdb_stdlib.c.
func TestHumanSize(t *testing.T) {
	for v, want := range map[uint64]string{0: "0", 1023: "1023", 1024: "1K", 1536: "1.50K", 10 << 20: "10M",
		10<<20 + 5<<10:  "10.0M",
		123 << 30 / 100: "1.23G", 1<<64 - 1: "16.0E", 1234567: "1.18M"} {
		if got := humanSize(v); got != want {
			t.Errorf("%d: %s, want %s", v, got, want)
		}
	}
}
