package object

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/vmstructs"
)

// TestSuffix: what classes of lambdas are called after in the thread dumps of JDK 8 and 11, and that other
// classes are not.
func TestSuffix(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x1000, 0, 0x2000, 1<<16).Words(0x2000, 0x3d<<8|1).Words(0x3000, 0,
		0, 0).Process()
	for _, c := range []struct {
		java  int
		klass core.Addr
		want  string
	}{{8, 0x1000, "/61"}, {11, 0x1000, "/0x0000000000001000"}, {11, 0x3000, ""}, {8, 0x9000, ""}} {
		r := &ClassReader{References: &References{Tables: &vmstructs.Tables{Process: p}}, java: c.java}
		r.anonymous = anonymous{flags: vmstructs.Field{Type: "u2", Offset: 18}, bit: 1, hashShift: 8,
			hashMask: 1<<31 - 1}
		r.h.mirror = vmstructs.Field{Type: "oop", Offset: 8}
		if got := r.suffix(c.klass); got != c.want {
			t.Errorf("Java %d, class %v: %q, want %q", c.java, c.klass, got, c.want)
		}
	}
}
