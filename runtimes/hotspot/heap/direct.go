package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// A direct says where objects of java.nio.DirectByteBuffer have the members that say how much memory outside
// of the heap they own. A buffer without a cleaner is a part of another one, or wraps memory that it does not
// own.
type direct struct{ capacity, cleaner uint32 }

// directBuffer is the class of the buffers that own memory; other direct buffers are views of these.
const directBuffer = "java.nio.DirectByteBuffer"

// directOf returns nil if objects of a class are no such buffers.
func (w *Walker) directOf(k *object.Class) *direct {
	if k.Name != directBuffer {
		return nil
	}
	capacity, ok1 := w.InstanceField(k, "capacity")
	cleaner, ok2 := w.InstanceField(k, "cleaner")
	if !ok1 || !ok2 || java.PrimitiveOf(capacity.Type) != java.Int || !cleaner.Reference() {
		return nil
	}
	return &direct{capacity.Offset, cleaner.Offset}
}

// bytes returns the memory that a buffer owns.
func (d *direct) bytes(w *Walker, at core.Addr) uint64 {
	if to, ok := w.Ref(at + core.Addr(d.cleaner)); !ok || to == 0 {
		return 0
	}
	c := w.Process.Cursor()
	n := int32(c.U32(at + core.Addr(d.capacity)))
	if c.Err() != nil || n < 0 {
		return 0
	}
	return uint64(n)
}

// DirectBuffers counts the direct buffers that own memory, and its bytes. Buffers that the collector has not
// freed yet count.
func (h *Heap) DirectBuffers(ctx context.Context) (count, bytes uint64) {
	all, _ := h.w.Classes(ctx)
	var d *direct
	for _, k := range all {
		if d = h.w.directOf(k); d != nil {
			break
		}
	}
	if d == nil {
		return 0, 0
	}
	_ = h.Walk(ctx, func(o object.Object, _ uint64) bool {
		if o.Class.Name == directBuffer {
			if n := d.bytes(h.w, o.Addr); n > 0 {
				count++
				bytes += n
			}
		}
		return true
	})
	return count, bytes
}
