package hprof

import (
	"coredbg/core"
	"coredbg/runtimes/heap/hprof/format"
)

// rootKinds names roots as the Android Runtime's are.
var rootKinds = map[byte]string{
	format.RootJNIGlobal: "JNI global", format.RootJNILocal: "JNI local", format.RootJavaFrame: "frame",
	format.RootNativeStack: "stack word",
	format.RootStickyClass: "class of the boot class path", format.RootThreadBlock: "thread block",
	format.RootMonitor: "monitor", format.RootThreadObject: "thread",
	format.RootInternedString: "interned string", format.RootFinalizing: "object to finalize",
	format.RootDebugger: "debugger", format.RootReference: "reference of the collector",
	format.RootVMInternal: "runtime", format.RootJNIMonitor: "JNI monitor", format.Unreachable: "unreachable",
	format.RootUnknown: "root of another kind",
}

// segment reads the parts of a segment of the heap dump.
func (r *reader) segment() error {
	for r.c.left() > 0 {
		if err := r.part(); err != nil {
			return err
		}
		if r.c.err != nil {
			if r.lost == 0 && r.c.end < r.end {
				return &core.FormatError{Off: r.c.at(), Msg: "a segment of the heap dump ends within an object"}
			}
			return r.c.err
		}
		if r.objects.len() >= maxObjects || len(r.kinds) >= maxKinds || r.c.at() >= maxOffset {
			return &core.FormatError{Off: r.c.at(), Msg: "more objects than can be numbered"}
		}
		if err := r.tell(); err != nil {
			return err
		}
	}
	return nil
}

// part reads a root, a class, an object, or the heap that the next ones are in.
func (r *reader) part() error {
	c := &r.c
	at, tag := c.at(), c.u1()
	switch tag {
	case format.HeapDumpInfo:
		r.android = true
		c.u4()
		c.id()
	case format.ClassDump:
		return r.class()
	case format.InstanceDump:
		id, off := c.id(), c.at()
		c.skip(4)
		class, n := c.id(), c.u4()
		c.skip(int64(n))
		r.add(object{id: id, off: off, kind: r.kindOf(class, false)})
	case format.ObjectArrayDump:
		id, off := c.id(), c.at()
		c.skip(4)
		n, class := c.u4(), c.id()
		c.skip(int64(n) * int64(r.idSize))
		r.add(object{id: id, off: off, kind: r.kindOf(class, true)})
	case format.PrimitiveArrayDump, format.PrimitiveNoData:
		id, off := c.id(), c.at()
		c.skip(4)
		n, t := c.u4(), format.BasicType(c.u1())
		if c.err == nil && (!t.Valid() || t == format.TypeObject) {
			return &core.FormatError{Off: at, Msg: "an array has elements of type", Val: uint8(t)}
		}
		if tag == format.PrimitiveArrayDump {
			c.skip(int64(n) * int64(t.Size(r.idSize)))
		}
		r.add(object{id: id, off: off, kind: int32(t)})
	default:
		if rootKinds[tag] == "" {
			return &core.FormatError{Off: at, Msg: "nothing in a heap dump has tag", Val: tag}
		}
		r.root(tag)
	}
	return nil
}

// root reads a root.
func (r *reader) root(tag byte) {
	c := &r.c
	x := root{tag: tag, id: c.id(), frame: noFrame}
	switch tag {
	case format.RootJNIGlobal:
		c.id()
	case format.RootJNILocal, format.RootJavaFrame, format.RootJNIMonitor:
		x.thread, x.frame = c.u4(), c.u4()
	case format.RootThreadObject:
		x.thread = c.u4()
		x.frame = c.u4()
		if c.err == nil {
			r.threads[x.thread] = x.frame // the serial number of its stack trace
		}
		x.frame = noFrame
	case format.RootNativeStack, format.RootThreadBlock:
		x.thread = c.u4()
	}
	if c.err == nil && tag != format.Unreachable {
		r.roots = append(r.roots, x)
	}
}

const noFrame = 0xffffffff

// add notes an object that was read whole.
func (r *reader) add(o object) {
	if r.c.err == nil {
		r.objects.add(o)
	}
}

// class reads a CLASS_DUMP.
func (r *reader) class() error {
	c := &r.c
	id, off := c.id(), c.at()
	c.skip(4)
	k := &class{id: id, super: c.id()}
	c.skip(int64(5 * r.idSize))
	k.instance = c.u4()
	for range c.u2() {
		c.skip(2)
		if err := r.typed(c, c.u1()); err != nil {
			return err
		}
	}
	for range c.u2() {
		c.id()
		t := c.u1()
		if err := r.typed(c, t); err != nil {
			return err
		}
		if format.BasicType(t) == format.TypeObject {
			k.staticRefs++
		} else {
			k.statics += uint32(format.BasicType(t).Size(r.idSize))
		}
	}
	at := uint32(0)
	for range c.u2() {
		f := field{name: c.id(), typ: format.BasicType(c.u1()), off: at}
		if c.err != nil {
			return nil
		}
		if !f.typ.Valid() {
			return &core.FormatError{Off: c.at(), Msg: "a field has the type", Val: uint8(f.typ)}
		}
		at += uint32(f.typ.Size(r.idSize))
		k.fields = append(k.fields, f)
	}
	k.values = at
	if c.err != nil {
		return nil
	}
	if r.classes[id] == nil {
		r.classes[id] = k
		r.add(object{id: id, off: off, kind: kindClass})
	}
	return nil
}

// typed goes past a value of a type.
func (r *reader) typed(c *cursor, t byte) error {
	if c.err != nil {
		return nil
	}
	if !format.BasicType(t).Valid() {
		return &core.FormatError{Off: c.at(), Msg: "a value has the type", Val: t}
	}
	c.skip(int64(format.BasicType(t).Size(r.idSize)))
	return nil
}
