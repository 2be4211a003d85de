package commands

import (
	"strings"
	"testing"
)

// TestExactly: lines of gdb, lldb and WinDbg whose operands are known are said here, and
// nothing is said of others.
func TestExactly(t *testing.T) {
	r := &Registry{}
	for line, want := range map[string]string{
		"x/20i $pc":           "<pc,0t20/i",
		"x/s 0x7fff0010":      "0x7fff0010/s",
		"x/4gx $sp":           "<sp,4/J",
		"x/4xg $sp":           "<sp,4/J",
		"x/2dh Table":         "Table,2/d",
		"x/8ub &buf":          "buf,0t8/V",
		"x Table":             "Table/X",
		"p $rip":              "<rip=K",
		"p/x $r10":            "<r10=K",
		"info registers rip":  "<rip=K",
		"register read r12":   "<r12=K",
		"info registers a b":  "",
		"info registers $rip": "<rip=K",
		"info symbol 0x401":   "0x401::whatis",
		"disas Main":          "Main::dis",
		"disas 4198400":       "0t4198400::dis",
		"u 401000":            "0x401000::dis",
		"u 7ff6`00001234":     "0x7ff600001234::dis",
		"u Main":              "Main::dis",
		"ln @rip":             "<rip::whatis",
		"bt 12":               "::stack 0t12",
		"k 20":                "::stack 0t32",
		"x/4x 010":            "", // octal
		"u 0n100":             "",
		"p $_siginfo":         "", // a variable of gdb's
		"p *current":          "",
		"p current->next":     "",
		"x/4gx $sp+8":         "",
		"x/f $sp":             "",
		"x/0x $sp":            "",
		"bt full":             "",
		"x/3i $1;quit":        "",
	} {
		f, ok := r.translate(line)
		_, here, exact := strings.Cut(f.Hint, "; here that is ")
		if !ok || exact != (want != "") || here != want {
			t.Errorf("%s: %q, want %q", line, f.Hint, want)
		}
	}
}

// TestMisspeltSecondWord: the first word alone would answer another question.
func TestMisspeltSecondWord(t *testing.T) {
	for line, like := range map[string]string{"info regsters": "info registers", "info treads": "info threads", "thread lst": "thread list", "info sharedlbrary": "info sharedlibrary"} {
		_, here, _ := meaning(strings.Fields(line))
		if _, want, _ := meaning(strings.Fields(like)); here != want {
			t.Errorf("%s: %q, want %q", line, here, want)
		}
	}
}
