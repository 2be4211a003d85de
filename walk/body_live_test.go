package walk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/macho"
	"coredbg/walk/cfi"
	"coredbg/walk/compact"
)

// TestBodies analyses functions of real images up to calls that they make, and
// holds the frames that their instructions lead to against compact unwind
// information, which the compiler has written and which is right there: where both
// are sure, they must agree.
func TestBodies(t *testing.T) {
	live := os.Getenv("COREDBG_LIVE")
	files, _ := filepath.Glob(filepath.Join(live, "macho-files", "*"))
	if live == "" || len(files) == 0 {
		t.Skip("COREDBG_LIVE names no Mach-O files (testdata/cores/make live fetches them)")
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) { checkBodies(t, path) })
	}
}

func checkBodies(t *testing.T, path string) {
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := macho.NewFile(src, path, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	arch := core.ARM64
	if head, _ := core.SourceSlice(src, 0, 8); core.AMD64.Order.Uint32(head[4:]) == macho.CPUType(core.AMD64) {
		arch = core.AMD64
	}
	info, err := f.Section("__unwind_info")
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Section("__text")
	if err != nil {
		t.Fatal(err)
	}
	table := compact.New(arch, info.Data, f.Base(), text)
	starts := f.FuncStarts()
	var calls, sure, right int
	for i, start := range starts {
		if i+1 == len(starts) || start < text.Addr || starts[i+1]-text.Addr > uint64(len(text.Data)) {
			continue
		}
		code := text.Data[start-text.Addr : starts[i+1]-text.Addr]
		for _, pc := range callSites(arch, code, start, starts) {
			row, err := table.Row(start + uint64(pc))
			if err != nil {
				continue
			}
			calls++
			s, ok := abiOf(arch).prologue(code, pc, maxInsns)
			if !ok || !s.sure {
				continue
			}
			sure++
			if agrees(arch, &s, row) {
				right++
			} else if sure-right <= 10 {
				t.Logf("%#x: function %#x: %s; the table: %+v", start+uint64(pc), start, describe(&s), row.Rules)
			}
		}
	}
	t.Logf("%d calls, %d sure, %d agree", calls, sure, right)
	if calls == 0 || right != sure || sure < calls/2 {
		t.Errorf("of %d calls %d are sure, %d agree", calls, sure, right)
	}
}

// callSites returns up to four direct calls of functions, from the start of code and
// from its end.
func callSites(arch *core.Arch, code []byte, start uint64, starts []uint64) (out []int) {
	step, size := 1, 5
	if arch == core.ARM64 {
		step, size = 4, 4
	}
	call := abiOf(arch).call
	for pc := size; pc <= len(code); pc += step {
		to, direct, ok := call(code[pc-size : pc])
		if !ok || !direct {
			continue
		}
		if _, is := slices.BinarySearch(starts, start+uint64(pc)+uint64(to)); is {
			out = append(out, pc-size)
		}
	}
	if len(out) > 4 {
		out = append(out[:2:2], out[len(out)-2:]...)
	}
	return out
}

// agrees reports whether a shape says what a row does. Where the one is relative to
// the stack pointer and the other to the frame pointer, where the latter was saved
// must be the same.
func agrees(arch *core.Arch, s *frameShape, row *cfi.Row) bool {
	base := arch.SP
	if s.fromFP {
		base = arch.FP
	}
	if int(row.CFAReg) == base && s.cfaOff != row.CFAOff {
		return false
	}
	for slot, below := range s.saved {
		rule := row.Rule(slot)
		if kept := rule.Kind == cfi.Offset; kept != (below != 0) || kept && rule.Off != -int64(below) {
			return false
		}
	}
	return true
}

func describe(s *frameShape) string {
	text := fmt.Sprintf("fp %v cfa %d", s.fromFP, s.cfaOff)
	for slot, below := range s.saved {
		if below != 0 {
			text += fmt.Sprintf(" r%d@-%d", slot, below)
		}
	}
	return text
}
