package frame

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/wasm"
)

// testModule imports a function and a memory and defines two functions, of
// which it names one; written by hand after the specification.
var testModule = []byte{
	0, 'a', 's', 'm', 1, 0, 0, 0,
	1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f,
	2, 14, 2, 1, 'm', 1, 'f', 0, 0, 1, 'm', 1, 'x', 2, 0, 1,
	3, 3, 2, 0, 0,
	10, 11, 2, 6, 0, 0x20, 0, 0x10, 0, 0x0b, 2, 0, 0x0b,
	0, 13, 4, 'n', 'a', 'm', 'e', 1, 6, 1, 2, 3, 'r', 'u', 'n',
}

func TestParseWasm(t *testing.T) {
	m, err := wasm.Parse(testModule)
	if err != nil {
		t.Fatal(err)
	}
	if m.Imported != 1 || len(m.Bodies) != 2 || m.Names[2] != "run" || len(m.Names) != 1 {
		t.Errorf("module is %+v", m)
	}
	if b, ok := m.Body(1); !ok || b != (wasm.Extent{Start: 41, Size: 6}) {
		t.Errorf("body 1 is %v, want at 41, of 6 bytes", b)
	}
	if _, ok := m.Body(0); ok {
		t.Error("an imported function has a body")
	}
	for n := range testModule {
		if m, err := wasm.Parse(testModule[:n]); err == nil && n != 8 && n != 16 && n != 32 && n != 37 && n != 50 {
			t.Errorf("cut at %d: no error, %+v", n, m)
		}
	}
}

// inlinedCalls has three: function 7 called at offset 30 of the outermost; function
// 8 at offset 40 of that; function 9 by a tail call at offset 50 of that.
func inlinedCalls() []byte {
	var out []byte
	for i, index := range []uint32{7, 8, 9} {
		caller := uint64(30+10*i+1)<<1 | uint64(i)<<31
		out = binary.LittleEndian.AppendUint32(out, index)
		out = append(out, byte(i/2))
		out = binary.LittleEndian.AppendUint64(out, caller)
	}
	return out
}

// TestWasmInlined follows the calls that were expanded; execution/frames.cc @ 12.4:
// WasmFrame::Summarize.
func TestWasmInlined(t *testing.T) {
	c := wasmBody{index: 3, inlined: inlinedCalls()}
	for _, x := range []struct {
		inlining, offset uint64
		want             []wasmPlace
	}{
		{0, 12, []wasmPlace{{3, 12}}},
		{1, 12, []wasmPlace{{7, 12}, {3, 30}}},
		{2, 12, []wasmPlace{{8, 12}, {7, 40}, {3, 30}}},
		{3, 12, []wasmPlace{{9, 12}, {7, 40}, {3, 30}}}, // 8 has left no frame
		{4, 12, []wasmPlace{{3, -1}}},                   // past the table
	} {
		got := c.expand(bytecode.SourcePosition((x.offset+1)<<1|x.inlining<<31), binary.LittleEndian)
		if !slices.Equal(got, x.want) {
			t.Errorf("inlining %d: got %v, want %v", x.inlining, got, x.want)
		}
	}
	circle := inlinedCalls()
	binary.LittleEndian.PutUint64(circle[5:], 1<<31)
	if got := (&wasmBody{index: 3, inlined: circle}).expand(1<<31, binary.LittleEndian); len(got) > maxInlined+2 {
		t.Errorf("a call within itself: %d functions", len(got))
	}
}

func FuzzParseWasm(f *testing.F) {
	f.Add(testModule)
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := wasm.Parse(data)
		for i := range m.Bodies {
			if b, ok := m.Body(m.Imported + i); !ok || b.Start < 0 || b.Start > len(data) {
				t.Errorf("body %d is %v of %d bytes", i, b, len(data))
			}
		}
	})
}
