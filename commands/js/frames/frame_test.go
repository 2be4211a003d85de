package frames

import (
	"fmt"
	"testing"

	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestGlobalReceiver: this of a function in sloppy mode is the global proxy, which is
// named by the object that it is for, and not opened.
func TestGlobalReceiver(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	global := h.Object("JS_GLOBAL_OBJECT", 0, 0, 0, 0)
	proxy := h.Object("JS_GLOBAL_PROXY", 0, 0, 0, 0)
	proxyMap := h.MapOf("JS_GLOBAL_PROXY")
	prototype := layout.New(layout.V(13, 6), layout.Constants{}).Map.Prototype
	h.Put(proxyMap.Addr()+core.Addr(prototype), uint64(global))
	objects := object.New(h.Memory(), nil)
	d := &detail{v: &v8.V8{Objects: objects, Values: inspect.New(objects, nil)}}
	for _, o := range []layout.Tagged{proxy, global} {
		b, text := d.receiver(&frame.Local{Slot: object.Slot{Word: o}})
		if want := fmt.Sprintf("%v: Object [global]", core.Addr(global)); text != want {
			t.Errorf("this is %q, not %q", text, want)
		}
		if want := fmt.Sprintf(`{"$":"global","addr":"%v"}`, core.Addr(global)); string(b) != want {
			t.Errorf("this is %s, not %s", b, want)
		}
	}
	if b, text := d.receiver(&frame.Local{Missing: "not in the core"}); text != "(not in the core)" {
		t.Errorf("this is %s, %s", b, text)
	}
}
