package sets

import (
	"debug/elf"
	"os"
	"testing"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/isa"
)

// TestPrologueAgainstCFI analyses functions of real libraries instruction by instruction and compares
// the results with the compilers' .eh_frame. The analysis cannot follow jumps through tables nor know
// which calls do not return, and the compiler's rows for padding do not matter; the test bounds how
// often they may differ.
func TestPrologueAgainstCFI(t *testing.T) {
	if testing.Short() {
		t.Skip("it walks every function of large libraries")
	}
	for _, c := range []struct {
		file string
		arch *core.Arch
		good float64 // share of places with the right frame
	}{
		{"/lib/x86_64-linux-gnu/libc.so.6", core.AMD64, 0.98},
		{"/lib/x86_64-linux-gnu/libstdc++.so.6", core.AMD64, 0.98},
		{"/usr/lib/x86_64-linux-gnu/libcrypto.so.3", core.AMD64, 0.98},
		{"/usr/aarch64-linux-gnu/lib/libc.so.6", core.ARM64, 0.999},
		{"/usr/aarch64-linux-gnu/lib/libstdc++.so.6", core.ARM64, 0.999},
		{"/usr/lib32/libc.so.6", core.I386, 0.96},
		{"/libx32/libc.so.6", core.X32, 0.98},
		{"/usr/loongarch64-linux-gnu/lib/libc.so.6", core.LOONGARCH64, 0.95},
	} {
		t.Run(c.file, func(t *testing.T) { prologuesOf(t, c.file, c.arch, c.good) })
	}
}

func prologuesOf(t *testing.T, file string, arch *core.Arch, good float64) {
	if _, err := os.Stat(file); err != nil {
		t.Skip(err)
	}
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	section := func(name string) core.Section {
		s := f.Section(name)
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return core.Section{Addr: s.Addr, Data: data}
	}
	text := section(".text")
	table := cfi.New(arch, cfi.Sections{EHFrame: section(".eh_frame"), EHFrameHdr: section(".eh_frame_hdr")})
	syms, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	set := For(arch)
	sites, right, shown := 0, 0, 0
	calls, rightCalls := 0, 0
	for _, s := range syms {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Value < text.Addr || s.Value+s.Size > text.Addr+
			uint64(len(text.Data)) {
			continue
		}
		begin, end, err := table.Range(s.Value)
		if err != nil || begin != s.Value || end < s.Value+s.Size {
			continue
		}
		code := text.Data[s.Value-text.Addr:][:s.Size]
		for pc := range places(set, arch, code) {
			row, err := table.Row(s.Value + uint64(pc.at) - uint64(pc.back))
			if err != nil || row.CFAExpr != nil {
				continue
			}
			shape, ok := set.Prologue(code, pc.at, isa.MaxInsns)
			sites++
			calls += pc.back
			if ok && agree(arch, &shape, row) {
				right++
				rightCalls += pc.back
			} else if shown++; shown <= 8 && os.Getenv("COREDBG_VERBOSE") != "" {
				t.Logf("%s+%#x: %v fp %v cfa %d saved %v, CFI %v %d", s.Name, pc.at, ok, shape.FromFP, shape.CFAOff,
					shape.Saved[:17], row.CFAReg, row.CFAOff)
			}
		}
	}
	t.Logf("%d of %d places, %d of %d return addresses", right, sites, rightCalls, calls)
	const goodCalls = 0.97 // return addresses are where the analysis is needed most
	if sites == 0 || float64(right) < good*float64(sites) || float64(rightCalls) < max(goodCalls, good)*float64(calls) {
		t.Errorf("too few")
	}
}

// A place is an instruction of a function; back is 1 for return addresses.
type place struct{ at, back int }

// places yields where a function can be found: after each of its calls and,
// in small functions, at each instruction.
func places(set *isa.Set, arch *core.Arch, code []byte) func(func(place) bool) {
	const small = 300
	return func(yield func(place) bool) {
		for at := 0; at < len(code); {
			if len(code) < small && at > 0 && !yield(place{at, 0}) {
				return
			}
			size := 4
			if arch.LR < 0 {
				c := set.Control(arch, code[at:])
				if c.Kind == isa.Unknown {
					return
				}
				size = c.Size
			}
			at += size
			if at > len(code) {
				return
			}
			if _, _, ok := set.Call(code[at-size : at]); ok && !yield(place{at, 1}) {
				return
			}
		}
	}
}

// agree reports whether the analysis finds the frame of a CFI row: the same
// return address, by whichever register.
func agree(arch *core.Arch, s *isa.Shape, row *cfi.Row) bool {
	fp := int(row.CFAReg) == arch.FP
	if fp != s.FromFP {
		// Both may be right; the place of the frame pointer then says whether.
		return s.FromFP || s.Saved[arch.FP] != 0
	}
	return s.CFAOff == row.CFAOff
}
