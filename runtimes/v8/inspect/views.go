package inspect

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func (b *tree) buffer(x *Value) {
	r := b.v
	w, err := r.objects.ArrayBuffer(x.Word)
	if w.Shared {
		x.Kind = object.KindSharedBuffer
	}
	if err != nil {
		x.fail(err)
		return
	}
	x.Length, x.Detached = w.Length, w.Detached
	if !x.Opened {
		return
	}
	if x.Bytes, err = core.ReadBytes(r.Space, w.Data, min(w.Length, uint64(b.o.MaxArray))); err != nil {
		x.fail(err)
	}
}

func (b *tree) view(x *Value, depth int) {
	r := b.v
	w, err := r.objects.View(x.Word)
	x.ElementType, x.ByteOffset, x.Length, x.OutOfBounds = w.ElementType, w.ByteOffset, w.Length, w.OutOfBounds
	if r.objects.ClassFor(x.Word).TagOfElements && !x.tagIsOwn {
		x.Tag = w.ElementType
	}
	if err != nil {
		x.fail(err)
		return
	}
	x.Inner = b.viewedBuffer(w.Buffer, depth < b.o.Depth && (x.Kind == object.KindDataView || b.o.ShowHidden))
	if x.Kind == object.KindDataView {
		return
	}
	size := object.ElementSizes[w.ElementType]
	if size == 0 {
		x.fail(fmt.Errorf("corrupt: typed array %v of unknown type", core.Addr(x.Word)))
		return
	}
	x.Length = w.Length / uint64(size)
	if !x.Opened && x.Class != "Buffer" { // whose own function does not ask how deep it is
		return
	}
	n := min(x.Length, uint64(b.o.MaxArray))
	data, err := core.ReadBytes(r.Space, w.Data, n*uint64(size))
	if err != nil {
		x.fail(err)
	}
	x.Bytes = data
	for i := 0; (i+1)*size <= len(data); i++ {
		element := &Value{Kind: object.KindNumber}
		if element.Number, element.Text = r.objects.TypedElement(w.ElementType, data[i*size:]); element.Text != "" {
			element.Kind = object.KindBigInt
		}
		x.Elements = append(x.Elements, Member{IsIndex: true, Index: uint64(i), Enumerable: true, Value: element})
	}
	x.MoreElements = int(x.Length - uint64(len(x.Elements)))
}

// viewedBuffer decodes a view's buffer; with its bytes if it is opened.
func (b *tree) viewedBuffer(t layout.Tagged, opened bool) *Value {
	s, err := b.v.objects.Shape(t)
	if err != nil {
		return corrupt(t, "corrupt: %w", err)
	}
	x := &Value{Kind: object.KindArrayBuffer, Word: t, Opened: opened}
	c := b.v.objects.ClassFor(t)
	x.Class, x.NullProto, x.Tag = c.Name, c.None, c.Tag
	b.properties(x, s, c, 0)
	b.buffer(x)
	return x
}
