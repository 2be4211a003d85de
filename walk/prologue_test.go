package walk

import (
	"debug/elf"
	"os"
	"testing"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// TestPrologueAgainstCFI analyses functions of real libraries instruction by
// instruction and compares with what their compilers wrote into .eh_frame. The
// analysis cannot follow jumps through tables nor know which calls do not
// return, and what the compiler says of padding does not matter; the test holds
// it to how often they may differ.
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
	abi := abiOf(arch)
	sites, right, shown := 0, 0, 0
	calls, rightCalls := 0, 0
	for _, s := range syms {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Value < text.Addr || s.Value+s.Size > text.Addr+uint64(len(text.Data)) {
			continue
		}
		begin, end, err := table.Range(s.Value)
		if err != nil || begin != s.Value || end < s.Value+s.Size {
			continue
		}
		code := text.Data[s.Value-text.Addr:][:s.Size]
		for pc := range places(abi, arch, code) {
			row, err := table.Row(s.Value + uint64(pc.at) - uint64(pc.back))
			if err != nil || row.CFAExpr != nil {
				continue
			}
			shape, ok := abi.prologue(code, pc.at, maxInsns)
			sites++
			calls += pc.back
			if ok && agree(arch, &shape, row) {
				right++
				rightCalls += pc.back
			} else if shown++; shown <= 8 && os.Getenv("COREDBG_VERBOSE") != "" {
				t.Logf("%s+%#x: %v fp %v cfa %d saved %v, CFI %v %d", s.Name, pc.at, ok, shape.fromFP, shape.cfaOff, shape.saved[:17], row.CFAReg, row.CFAOff)
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
func places(abi *abi, arch *core.Arch, code []byte) func(func(place) bool) {
	const small = 300
	return func(yield func(place) bool) {
		for at := 0; at < len(code); {
			if len(code) < small && at > 0 && !yield(place{at, 0}) {
				return
			}
			size := 4
			if arch.LR < 0 {
				in, ok := decodeX86(code[at:], arch.PtrSize == 8)
				if !ok {
					return
				}
				size = in.size
			}
			at += size
			if at > len(code) {
				return
			}
			if _, _, ok := abi.call(code[at-size : at]); ok && !yield(place{at, 1}) {
				return
			}
		}
	}
}

// agree reports whether the analysis finds the frame of a CFI row: the same
// return address, by whichever register.
func agree(arch *core.Arch, s *frameShape, row *cfi.Row) bool {
	fp := int(row.CFAReg) == arch.FP
	if fp != s.fromFP {
		// Both may be right; the place of the frame pointer then says whether.
		return s.fromFP || s.saved[arch.FP] != 0
	}
	return s.cfaOff == row.CFAOff
}

// TestStoredFramePointer: the frame pointer is stored with mov, by Go up to 1.20 at the
// start of a function, by all of Go around calls of duffzero.
func TestStoredFramePointer(t *testing.T) {
	const fp = 6 // slot
	at := 0
	var code []byte
	insns := []struct {
		code   []byte
		fromFP bool
		cfaOff int64 // before it
		saved  int32
	}{
		{[]byte{0x48, 0x83, 0xec, 0x18}, false, 8, 0},         // sub $0x18,%rsp
		{[]byte{0x48, 0x89, 0x6c, 0x24, 0x10}, false, 32, 0},  // mov %rbp,0x10(%rsp)
		{[]byte{0x48, 0x8d, 0x6c, 0x24, 0x10}, false, 32, 16}, // lea 0x10(%rsp),%rbp
		{[]byte{0x48, 0x89, 0x6c, 0x24, 0xf0}, true, 16, 16},  // mov %rbp,-0x10(%rsp)
		{[]byte{0x48, 0x8d, 0x6c, 0x24, 0xf0}, true, 16, 16},  // lea -0x10(%rsp),%rbp
		{[]byte{0xe8, 0, 0, 0, 0}, true, 48, 16},              // call duffzero
		{[]byte{0x48, 0x8b, 0x6d, 0x00}, true, 48, 16},        // mov 0(%rbp),%rbp
		{[]byte{0x85, 0xff}, true, 16, 16},                    // test %edi,%edi
		{[]byte{0x48, 0x8b, 0x6c, 0x24, 0x10}, true, 16, 16},  // mov 0x10(%rsp),%rbp
		{[]byte{0x48, 0x83, 0xc4, 0x18}, false, 32, 0},        // add $0x18,%rsp
		{[]byte{0xc3}, false, 8, 0},                           // ret
	}
	for _, in := range insns {
		code = append(code, in.code...)
	}
	for i, in := range insns {
		s, ok := prologueAMD64(code, at, maxInsns)
		if !ok || !s.sure || s.fromFP != in.fromFP || s.cfaOff != in.cfaOff || s.saved[fp] != in.saved {
			t.Errorf("instruction %d: %v: from the frame pointer %v, CFA %d, saved %d", i, ok, s.fromFP, s.cfaOff, s.saved[fp])
		}
		at += len(in.code)
	}
}
