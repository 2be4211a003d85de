package wasmcode

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/runtimes/v8/bytecode"
)

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
	c := code{index: 3, inlined: inlinedCalls()}
	for _, x := range []struct {
		inlining, offset uint64
		want             []place
	}{
		{0, 12, []place{{3, 12}}},
		{1, 12, []place{{7, 12}, {3, 30}}},
		{2, 12, []place{{8, 12}, {7, 40}, {3, 30}}},
		{3, 12, []place{{9, 12}, {7, 40}, {3, 30}}}, // 8 has left no frame
		{4, 12, []place{{3, -1}}},                   // past the table
	} {
		got := c.expand(bytecode.SourcePosition((x.offset+1)<<1|x.inlining<<31), binary.LittleEndian)
		if !slices.Equal(got, x.want) {
			t.Errorf("inlining %d: got %v, want %v", x.inlining, got, x.want)
		}
	}
	circle := inlinedCalls()
	binary.LittleEndian.PutUint64(circle[5:], 1<<31)
	if got := (&code{index: 3, inlined: circle}).expand(1<<31, binary.LittleEndian); len(got) > maxInlined+2 {
		t.Errorf("a call within itself: %d functions", len(got))
	}
}
