package java

import (
	"testing"

	"coredbg/core"
)

// TestTraceElement writes frames as Throwable.printStackTrace does.
func TestTraceElement(t *testing.T) {
	for want, e := range map[string]TraceElement{
		"a.B.c(Native method)":  {Method: "a.B.c", Native: true, File: "B.java", Line: 1},
		"a.B.c(B.java:7)":       {Method: "a.B.c", File: "B.java", Line: 7},
		"a.B.c(B.java)":         {Method: "a.B.c", File: "B.java"},
		"a.B.c(Unknown source)": {Method: "a.B.c", Line: 7},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A causeHeap is one Throwable, whose getCause is not followed.
type causeHeap struct {
	adderHeap
	readable bool // its fields
}

func (h causeHeap) Ref(at core.Addr) (core.Addr, bool)   { return h.refs[at], h.readable }
func (h causeHeap) Cause(Object) (at core.Addr, ok bool) { return 0, false }

// TestUnknownCause: a getCause of the program's own is not the reason where the core lacks the cause.
func TestUnknownCause(t *testing.T) {
	c := &Class{Name: throwable, Members: []Field{{Name: "cause", Type: "Ljava/lang/Throwable;", Offset: 8}}}
	h := causeHeap{adderHeap: adderHeap{objects: map[core.Addr]*Class{0x1000: c, 0x2000: c},
		refs: map[core.Addr]core.Addr{0x1008: 0x2000, 0x2008: 0x2000}}, readable: true}
	own := "its getCause is the program's own and was not followed: it may name another cause"
	x, err := Reader{h}.Throwable(0x1000)
	if err != nil || x.Cause == nil || x.Cause.Object.Addr != 0x2000 || x.Cause.Cause != nil || x.Problem != own {
		t.Errorf("%+v, %v", x, err)
	}
	h.readable = false
	if x, err = (Reader{h}).Throwable(0x1000); err != nil || x.Cause != nil || x.Problem != "its cause cannot be read" {
		t.Errorf("%+v, %v", x, err)
	}
}
