package android

import (
	"bytes"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/stack"
)

// TestTombstoneStreams: a thread is written before the next one is walked.
func TestTombstoneStreams(t *testing.T) {
	var b bytes.Buffer
	const threads = 100
	x := &tombstone{ptr: 8, buildID: func(core.Addr) string { return "" }}
	written, streams := 0, true
	x.each = func(yield func(*tombstoneThread) bool) {
		for i := range threads {
			if streams && i > 0 && b.Len() <= written {
				t.Fatalf("thread %d is walked before the one before it is written", i)
			}
			written = b.Len()
			one := &stack.Stack{Thread: &core.Thread{TID: i + 1}}
			if !yield(&tombstoneThread{ThreadRecord: &commands.ThreadRecord{Stack: one}}) {
				return
			}
		}
	}
	x.Text(out.NewWriter(&b))
	if n := bytes.Count(b.Bytes(), []byte("backtrace:")); n != threads {
		t.Errorf("%d backtraces, want %d", n, threads)
	}
	written = 0
	b.Reset()
	out.NewWriter(&b).JSON(x)
	streams = false
	if whole, err := out.Marshal(x); err != nil || string(whole)+"\n" != b.String() ||
		bytes.Count(whole, []byte(`"tid"`)) != threads {
		t.Errorf("%v, in pieces %s, whole %s", err, b.String(), whole)
	}
}
