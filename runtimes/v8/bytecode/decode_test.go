package bytecode

import (
	"fmt"
	"strings"
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestBytecodeSets: lengths as in Bytecodes::kBytecodeSizes of the builds of Node
// (nm and objdump of each), and how many bytecodes they have.
func TestBytecodeSets(t *testing.T) {
	want := map[layout.Version]int{layout.V(7, 8): 183, layout.V(8, 1): 183, layout.V(8, 4): 182, layout.V(9, 0): 200,
		layout.V(9, 4): 197, layout.V(10, 1): 198,
		layout.V(11, 3): 198, layout.V(11, 8): 199, layout.V(12, 4): 203, layout.V(12, 9): 204, layout.V(13, 6): 208,
		layout.V(14, 1): 212, layout.V(14, 6): 212}
	for _, s := range Sets() {
		if len(s.names) != want[s.Version] {
			t.Errorf("%v: %d bytecodes, want %d", s.Version, len(s.names), want[s.Version])
		}
		seen := map[string]bool{}
		for op, name := range s.names {
			if seen[name] || strings.Trim(string(s.kinds[op]), "FHNTXAEKVCBU#SRLPt") != "" {
				t.Errorf("%v: %s %s", s.Version, name, string(s.kinds[op]))
			}
			seen[name] = true
		}
		if s.names[0] != "Wide" || s.names[1] != "ExtraWide" || s.names[len(s.names)-1] != "Illegal" {
			t.Errorf("%v: begins %v, ends with %s", s.Version, s.names[:2], s.names[len(s.names)-1])
		}
	}
}

// setOf returns the bytecodes of a version.
func setOf(t testing.TB, ver layout.Version) *Set {
	t.Helper()
	for _, s := range Sets() {
		if s.Version == ver {
			return s
		}
	}
	t.Fatalf("no set for %v", ver)
	return nil
}

func decoderFor(set *Set, code []byte) *Decoder {
	return &Decoder{Set: set, Code: code, Registers: Registers{File: -7, Params: 3, ReceiverFirst: true},
		Constant: func(i int64) (layout.Tagged, bool) { return layout.Tagged(uint64(i) << 32), i >= 0 && i < 8 },
		Runtime:  func(id uint32) string { return "" }}
}

func line(b Bytecode) string {
	var parts []string
	for _, o := range b.Operands {
		parts = append(parts, o.Text)
	}
	s := fmt.Sprintf("%d %s %s", b.Offset, b.Name, strings.Join(parts, ", "))
	if len(b.Targets) > 0 {
		s += fmt.Sprint(b.Targets)
	}
	return s
}

// TestBytecodes: the bytes and the text come from node 24.21.0 --print-bytecode for a function.
func TestBytecodes(t *testing.T) {
	code := []byte{0x0b, 0x03, 0x75, 0xf8, 0x00, 0xa3, 0x0c, 0x1b, 0xff, 0xf4, 0x01, 0x0d, 0x40, 0x42, 0x0f, 0x00,
		0x70, 0xf2, 0xf1, 0x01, 0x08, 0x92, 0x15, 0x00, 0x10}
	want := []string{"0 Ldar a0", "2 TestLessThan r1, FBV[0]", "5 JumpIfFalse [12]", "7 Mov <context>, r5",
		"10 LdaSmi.ExtraWide [1000000]",
		"16 Construct r7, r8-r8, FBV[8]", "21 JumpLoop [21], [0], FBV[16][0]"}
	list, err := decoderFor(setOf(t, layout.V(13, 6)), code).All()
	if err != nil || len(list) != len(want) {
		t.Fatalf("%v, %v", list, err)
	}
	for i, b := range list {
		if got := line(b); strings.TrimSuffix(got, "[17]") != want[i] {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
	for _, bad := range [][]byte{{0x0d}, {0x00}, {0xfe}, {0x00, 0x00}, {0x01, 0x0d, 1, 2, 3}} {
		if list, err := decoderFor(setOf(t, layout.V(13, 6)), bad).All(); err == nil || len(list) != 0 {
			t.Errorf("% x: %v, %v", bad, list, err)
		}
	}
}

// FuzzBytecodes: any bytes decode, in full or up to an error; bytecodes follow each other without gaps, and
// targets are inside the function.
func FuzzBytecodes(f *testing.F) {
	f.Add(byte(10), []byte{0x0b, 0x03, 0x75, 0xf8, 0x00, 0xa3, 0x78, 0xb3})
	f.Add(byte(12), []byte{0x01, 0x0d, 0x40, 0x42, 0x0f, 0x00, 0xae, 0x00, 0x0a, 0x01, 0xb7})
	f.Add(byte(0), []byte{0xa7, 0x0b, 0x26, 0xfb, 0x9a, 0x86})
	f.Add(byte(6), []byte{0x00, 0x00, 0x02, 0x01})
	f.Fuzz(func(t *testing.T, version byte, code []byte) {
		sets := Sets()
		list, err := decoderFor(sets[int(version)%len(sets)], code).All()
		at := 0
		for _, b := range list {
			if b.Offset != at || len(b.Bytes) == 0 || len(b.Targets) > maxJumpTable {
				t.Fatalf("%+v at %d", b, at)
			}
			for _, to := range b.Targets {
				if to < 0 || to >= len(code) {
					t.Fatalf("%+v", b)
				}
			}
			at += len(b.Bytes)
		}
		if (err == nil) != (at == len(code)) {
			t.Fatalf("ends at %d of %d: %v", at, len(code), err)
		}
	})
}
