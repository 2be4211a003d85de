package java

import "testing"

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
