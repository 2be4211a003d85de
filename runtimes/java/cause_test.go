package java

import (
	"testing"
)

// TestNaming: a bug is named by the trace of the first exception that says more than that it wraps another.
func TestNaming(t *testing.T) {
	thrown := func(class, message, at string, cause *Throwable) *Throwable {
		x := &Throwable{Object: Object{Class: &Class{Name: class}}, Message: message,
			HasMessage: message != "", Cause: cause}
		if at != "" {
			x.Trace = []TraceElement{{Method: at}}
		}
		return x
	}
	root := thrown("app.Refused", "no credit", "app.Bank.pay", nil)
	computed := thrown("java.lang.NullPointerException", "", "app.Bank.pay", nil)
	circle := thrown("a.A", "a", "a.A.a", thrown("b.B", "b", "b.B.b", nil))
	circle.Cause.Cause = &Throwable{Object: circle.Object, Circular: true, before: circle}
	for name, c := range map[string]struct {
		x    *Throwable
		want string // the method on top of the trace
		path int
	}{
		"alone": {root, "app.Bank.pay", 1},
		"no message": {thrown("java.lang.reflect.InvocationTargetException", "",
			"java.lang.reflect.Method.invoke", root), "app.Bank.pay", 2},
		"the cause's": {thrown("java.util.concurrent.ExecutionException", "app.Refused: no credit",
			"java.util.concurrent.FutureTask.report", root), "app.Bank.pay", 2},
		"a computed one": {thrown("java.util.concurrent.CompletionException",
			"java.lang.NullPointerException: Cannot invoke", "x.Y.z", computed), "app.Bank.pay", 2},
		"words of its own": {thrown("app.Failed", "the order failed", "app.Order.place", root), "app.Order.place", 2},
		"another's words": {thrown("app.Failed", "app.Refused: other", "app.Order.place", root),
			"app.Order.place", 2},
		"no trace": {thrown("app.Light", "light", "", root), "app.Bank.pay", 2},
		"its cause has none": {thrown("app.Failed", "", "app.Order.place", thrown("app.Light", "light", "", nil)),
			"app.Order.place", 2},
		"no trace at all": {thrown("app.Light", "light", "", nil), "", 1},
		"a circle":        {circle, "a.A.a", 2},
		"wrapped twice": {thrown("w.W", "", "w.W.w", thrown("java.util.concurrent.ExecutionException",
			"app.Refused: no credit", "x.Y.z", root)), "app.Bank.pay", 3},
	} {
		path := causePath(c.x)
		got := ""
		if n := naming(path); n != nil {
			got = n.Trace[0].Method
		}
		if got != c.want || len(path) != c.path {
			t.Errorf("%s: %q of %d exceptions, want %q of %d", name, got, len(path), c.want, c.path)
		}
	}
}
