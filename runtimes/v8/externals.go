package v8

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

var _ runtimes.ExternalHolder = (*V8)(nil)

// externalBytes is how many bytes of an External are looked at: the value comes after the words of a JSObject
// (objects/js-objects.tq: JSExternalObject @ 15.0).
const externalBytes = 40

// Externals visits the backing stores of ArrayBuffers, the internal fields of objects that an embedder has
// made, and the values of Externals. With the sandbox a field does not say which table has its address: all
// that may be it count as numbers. It implements runtimes.ExternalHolder.
func (v *V8) Externals(ctx context.Context, visit func(runtimes.External) bool) error {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	going := true
	h.EachBuffer(func(a, store core.Addr, bytes uint64) {
		going = going && visit(runtimes.External{Object: layout.Tag(a).TaggedAddr(), At: store, Size: bytes,
			Name: "backing store"})
	})
	external := v.TypeNumber("JS_EXTERNAL_OBJECT_TYPE")
	list := heap.Receivers(h, func(typ int) bool { return v.Objects.IsAPIObject(typ) || typ == external })
	for i, o := range list {
		if !going || i&0xfff == 0 && ctx.Err() != nil {
			break
		}
		x := runtimes.External{Object: o.TaggedAddr(), Name: "internal field", Number: v.Sandbox != nil ||
			len(v.Early.Tables) > 0}
		if typ, ok := v.InstanceType(o); ok && typ == external {
			x.Name = "value"
			for off := v.Layout.JSObject.Elements + v.SlotSize(); off < externalBytes; off += v.SlotSize() {
				for x.At = range v.ExternalPointers(o, off) {
					going = going && (x.At == 0 || visit(x))
				}
			}
			continue
		}
		for x.At = range v.Objects.InternalPointers(o) {
			if going = x.At == 0 || visit(x); !going {
				break
			}
		}
	}
	return ctx.Err()
}
