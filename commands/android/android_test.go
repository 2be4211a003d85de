package android

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/stack"
	"coredbg/stack/stacktest"
)

func text(write func(*out.Writer)) string {
	var b bytes.Buffer
	write(out.NewWriter(&b))
	return b.String()
}

// TestTraceText writes a thread as ART's traces have it, by runtime/thread.cc.
func TestTraceText(t *testing.T) {
	r := &traceThread{Stack: stacktest.Java(), ptr: 8, priority: "5", group: "main", hasGroup: true, compatible: true,
		thread: &frame.Thread{Name: "worker", ID: 2, TID: 7, State: "Waiting", Daemon: true, Peer: 0x12c00040,
			Addr: 0x5000, Flags: 1,
			Native: &core.Thread{TID: 7}},
		locks: map[int][]string{2: {"- waiting on <0x0000000012c00100> (a demo.Queue)"}},
		pcs:   map[int]uint32{5: 12}, proxies: map[int]string{4: "Proxy.java:-2"}}
	want := `"worker" daemon prio=5 tid=2 Waiting
  | group="main" sCount=0 flags=1 obj=0x12c00040 self=0x5000
  | sysTid=7
  at java.lang.Object.wait(Native method)
  - waiting on <0x0000000012c00100> (a demo.Queue)
  at demo.Queue.take(Queue.java:7)
  at demo.Worker.run(Proxy.java:-2)
  at demo.Main.main(unavailable:12)

`
	if got := text(r.Text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	f := r.Frames[5]
	r.Frames = []stack.Frame{f, f, f, f, f, f}
	if got, want := text(r.Text), strings.Repeat("  at demo.Main.main(unavailable:12)\n", 3)+
		"  ... repeated 2 times\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
	r.Frames = nil
	if got := text(r.Text); !strings.HasSuffix(got, "  (no managed stack frames)\n\n") {
		t.Errorf("without a frame:\n%s", got)
	}
}

// TestShowsNative holds the choice of frames to ShouldShowNativeStack.
func TestShowsNative(t *testing.T) {
	java := []stack.Frame{{Kind: runtimes.Java, Tier: string(frame.AOT)}}
	jni := []stack.Frame{{Kind: runtimes.Java, Tier: string(frame.JNI)}}
	for _, c := range []struct {
		state  string
		frames []stack.Frame
		want   bool
	}{
		{"Waiting", jni, false}, {"Sleeping", nil, false}, {"WaitingForGcToComplete", java, true},
		{"Native", jni, true},
		{"Runnable", java, false}, {"Native", nil, true}, {"Suspended", java, false},
	} {
		r := &traceThread{Stack: &stack.Stack{Frames: c.frames}, thread: &frame.Thread{State: c.state}}
		if got := r.showsNative(); got != c.want {
			t.Errorf("%s with %d frames: %v", c.state, len(c.frames), got)
		}
	}
}
