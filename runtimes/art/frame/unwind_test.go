package frame

import (
	"testing"

	"coredbg/walk"
)

var _ walk.Keeper = (*unwinder)(nil)

// TestOwnRecord puts a record where the frame itself is, which a broken CodeInfo
// leaves without a size: the frame is that record, not followed by it once more.
func TestOwnRecord(t *testing.T) {
	q := &Activation{Kind: AOT, At: 0x1000, PC: 0x400010}
	for _, caller := range []*walk.Frame{nil, {PC: 0x400100, SP: 0x1100, Trust: walk.Scanned}, {PC: 0x400100, SP: 0x1100, Trust: walk.Runtime}} {
		u := &unwinder{a: &Decoder{}, records: []*Activation{q}, used: map[*Activation]bool{}}
		f := walk.Frame{PC: q.PC, SP: q.At}
		front, behind, instead := u.Between(&f, caller)
		if f.Record != q || len(front)+len(behind) != 0 || instead != nil {
			t.Errorf("caller %v: record %v, %v before it, %v behind, %v instead", caller, f.Record, front, behind, instead)
		}
	}
}
