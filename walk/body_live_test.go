package walk

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/file"
	"coredbg/core/macho"
	"coredbg/walk/cfi"
	"coredbg/walk/compact"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
)

// TestBodies analyses functions of real images up to calls that they make, and
// holds the frames that their instructions lead to against compact unwind
// information, which the compiler has written and which is right there: where both
// are sure, they must agree.
func TestBodies(t *testing.T) {
	eachMachO(t, checkBodies)
}

func checkBodies(t *testing.T, path string) {
	arch, f := openMachO(t, path)
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
			s, ok := sets.For(arch).Prologue(code, pc, isa.MaxInsns)
			if !ok || !s.Sure {
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
	call := sets.For(arch).Call
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
func agrees(arch *core.Arch, s *isa.Shape, row *cfi.Row) bool {
	base := arch.SP
	if s.FromFP {
		base = arch.FP
	}
	if int(row.CFAReg) == base && s.CFAOff != row.CFAOff {
		return false
	}
	for slot, below := range s.Saved {
		rule := row.Rule(slot)
		if kept := rule.Kind == cfi.Offset; kept != (below != 0) || kept && rule.Off != -int64(below) {
			return false
		}
	}
	return true
}

func describe(s *isa.Shape) string {
	text := fmt.Sprintf("fp %v cfa %d", s.FromFP, s.CFAOff)
	for slot, below := range s.Saved {
		if below != 0 {
			text += fmt.Sprintf(" r%d@-%d", slot, below)
		}
	}
	return text
}

// TestReturnsWhole stops at each return of real images, with the caller where the
// processor will find it and stale return addresses around it. Unwind information
// is not there, and of every second one neither is where functions begin.
func TestReturnsWhole(t *testing.T) {
	eachMachO(t, checkReturns)
}

func checkReturns(t *testing.T, path string) {
	arch, f := openMachO(t, path)
	text, err := f.Section("__text")
	if err != nil {
		t.Fatal(err)
	}
	const stackAt, sp = 0x7fff00000000, 0x7fff00000400
	stack := make([]byte, 0x1000)
	p := coretest.New(arch).MapProt(core.Addr(text.Addr), text.Data, core.Read|core.Exec).Map(stackAt, stack).
		Module("/bin/fake", core.Addr(text.Addr), core.Addr(text.Addr+uint64(len(text.Data))),
			core.ModuleFacts{}).Process()
	starts := f.FuncStarts()
	find := func(a core.Addr) (core.Addr, bool) {
		i, found := slices.BinarySearch(starts, uint64(a))
		if !found {
			i--
		}
		return core.Addr(starts[max(i, 0)]), i >= 0
	}
	var calls []uint64 // addresses after calls
	for i := 1; i < len(starts) && len(calls) < 64; i += 1 + len(starts)/100 {
		if at := starts[i-1]; at >= text.Addr && starts[i]-text.Addr <= uint64(len(text.Data)) {
			for _, pc := range callSites(arch, text.Data[at-text.Addr:starts[i]-text.Addr], at, starts) {
				size := map[*core.Arch]int{core.AMD64: 5, core.ARM64: 4}[arch]
				calls = append(calls, at+uint64(pc+size))
			}
		}
	}
	if len(calls) < 2 {
		t.Fatal("no calls")
	}
	for i := range 0x100 {
		core.AMD64.Order.PutUint64(stack[sp-stackAt+8*i:], calls[i%len(calls)])
	}
	ra := calls[0]
	var regs core.Regs
	regs.Set(arch.SP, sp)
	regs.Set(arch.FP, sp+0x200)
	if arch.LR >= 0 {
		regs.Set(arch.LR, ra)
	}
	targets := []*Target{NewTarget(p, Options{FuncStart: find}), NewTarget(p, Options{})}
	n, right := 0, 0
	for i := range starts[:len(starts)-1] {
		if starts[i] < text.Addr || starts[i+1]-text.Addr > uint64(len(text.Data)) {
			continue
		}
		for _, pc := range returnsOf(arch, text.Data[starts[i]-text.Addr:starts[i+1]-text.Addr]) {
			regs.Set(arch.PC, starts[i]+uint64(pc))
			frames := 0
			for fr, err := range targets[n%2].Walk(t.Context(), &core.Thread{Regs: regs}) {
				if frames++; frames == 2 || err != nil {
					if err == nil && fr.PC == core.Addr(ra) {
						right++
					}
					break
				}
			}
			n++
		}
	}
	if t.Logf("%d of %d", right, n); n == 0 || right != n {
		t.Errorf("at %d of %d returns the caller is found", right, n)
	}
}

// returnsOf returns the offsets of the returns in a function. Compilers for x86-64
// have no ret n: what looks like one is a jump table.
func returnsOf(arch *core.Arch, code []byte) (out []int) {
	set := sets.For(arch)
	for at := 0; at < len(code); {
		c := set.Control(arch, code[at:])
		if c.Kind == isa.Unknown {
			break
		}
		if c.Kind == isa.Returns && (arch.LR >= 0 || c.Pop == int64(arch.PtrSize)) {
			out = append(out, at)
		}
		at += c.Size
	}
	return out
}

// eachMachO runs a check on each Mach-O file that the live set has.
func eachMachO(t *testing.T, check func(t *testing.T, path string)) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { check(t, path) })
	}
}

// openMachO reads an image and returns it with its architecture.
func openMachO(t *testing.T, path string) (*core.Arch, *macho.File) {
	t.Helper()
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	f, err := macho.NewFile(src, path, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	head, _ := core.SourceSlice(src, 0, 8)
	if core.AMD64.Order.Uint32(head[4:]) == macho.CPUType(core.AMD64) {
		return core.AMD64, f
	}
	return core.ARM64, f
}
