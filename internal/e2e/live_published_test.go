package e2e

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// The expectations of LLDB's tests (lldb/test/Shell/Register/Core), in the words of its commands.
var (
	lldbThread   = regexp.MustCompile(`^# CHECK\S*: .*thread #(\d+): tid = (\d+), (0x[0-9a-f]+),(?: name = '([^']*)',)?`)
	lldbSelect   = regexp.MustCompile(`^thread select (\d+)`)
	lldbLeft     = regexp.MustCompile(`^(mm\d|mxcsrmask)$`) // parts of st0 to st7; not shown
	lldbRegister = regexp.MustCompile(`^# CHECK\S*: (\w+) = (0x[0-9a-f]+|\{[^}]*\})`)
)

// TestLivePublished: threads and registers of cores of FreeBSD, NetBSD and Linux that LLDB's tests
// open are what those tests expect, which their program had set.
func TestLivePublished(t *testing.T) {
	files, compared := 0, 0
	for _, file := range coretest.Live(t) {
		files++
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { compared += checkPublished(t, file) })
	}
	if compared == 0 || coretest.OpenLive(t).Whole() && (files < 20 || compared < 600) {
		t.Errorf("%d tests of LLDB with %d values", files, compared)
	}
	t.Logf("%d values of %d tests", compared, files)
}

// checkPublished returns how many values of a test it has compared. If a system does not record the
// names of threads, LLDB gives the process' name to the first.
func checkPublished(t *testing.T, file string) (compared int) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := openValues(t, file)
	type thread struct {
		TID      int
		Name, PC string
	}
	threads := records[thread](t, s, "::threads")
	tids, at := map[string]int{}, threads[0].TID
	for line := range strings.Lines(string(text)) {
		if m := lldbThread.FindStringSubmatch(line); m != nil {
			tids[m[1]], _ = strconv.Atoi(m[2])
			pc, _ := strconv.ParseUint(m[3], 0, 64)
			i := slices.IndexFunc(threads, func(th thread) bool { return th.TID == tids[m[1]] })
			if compared++; i < 0 || threads[i].PC != fmt.Sprintf("%#x", pc) ||
				s.Process.OS == "freebsd" && threads[i].Name != m[4] {
				t.Errorf("%s: the threads are %+v", strings.TrimSpace(line), threads)
			}
		} else if m := lldbSelect.FindStringSubmatch(line); m != nil {
			at = tids[m[1]]
		} else if m := lldbRegister.FindStringSubmatch(line); m != nil && !lldbLeft.MatchString(m[1]) {
			regs := records[struct{ Regs map[string]string }](t, s, fmt.Sprintf("0t%d::regs -a", at))
			if compared++; len(regs) != 1 || !lldbEqual(regs[0].Regs, m[1], m[2]) {
				t.Errorf("thread %d: want %s = %s of %v", at, m[1], m[2], regs)
			}
		}
	}
	return compared
}

// lldbEqual reports whether a register has a value, which is a number or bytes.
func lldbEqual(have map[string]string, name, value string) bool {
	if strings.HasPrefix(value, "{") {
		bytes, err := hex.DecodeString(strings.NewReplacer("{", "", "}", "", "0x", "", " ", "").Replace(value))
		slices.Reverse(bytes)
		return err == nil && have[name] == fmt.Sprintf("0x%x", bytes)
	}
	want, err := strconv.ParseUint(value, 0, 64)
	got, ok := lldbPart(have, name)
	return err == nil && ok && got == want
}

// lldbPart returns a register, or the part of one that LLDB has a name for.
func lldbPart(have map[string]string, name string) (uint64, bool) {
	for _, p := range []struct {
		form, whole string
		shift, bits int
	}{
		{`^(.*)$`, "$1", 0, 64}, {`^rflags$`, "eflags", 0, 64}, {`^cpsr$`, "pstate", 0, 64},
		{`^fiseg$`, "fip", 32, 32}, {`^fioff$`, "fip", 0, 32}, {`^foseg$`, "fdp", 32, 32}, {`^fooff$`, "fdp", 0, 32},
		{`^w(\d+)$`, "x$1", 0, 32}, {`^(r\d+)d$`, "$1", 0, 32}, {`^(r\d+)w$`, "$1", 0, 16}, {`^(r\d+)l$`, "$1", 0, 8},
		{`^e(..|flags)$`, "r$1", 0, 32}, {`^([abcd])h$`, "r${1}x", 8, 8}, {`^([abcd])l$`, "r${1}x", 0, 8},
		{`^(..)l$`, "r$1", 0, 8}, {`^(..)$`, "r$1", 0, 16},
		{`^([abcd])h$`, "e${1}x", 8, 8}, {`^([abcd])l$`, "e${1}x", 0, 8}, {`^(..)l$`, "e$1", 0, 8},
		{`^(..)$`, "e$1", 0, 16},
	} {
		form := regexp.MustCompile(p.form)
		if text, ok := have[form.ReplaceAllString(name, p.whole)]; ok && form.MatchString(name) {
			v, err := strconv.ParseUint(text, 0, 64)
			return v >> p.shift & (1<<p.bits - 1), err == nil
		}
	}
	return 0, false
}
