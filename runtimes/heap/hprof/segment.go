package hprof

import (
	"coredbg/core"
)

// What is in segments of the heap dump; those from 0x89 on are Android's.
const (
	rootJNIGlobal      = 0x01
	rootJNILocal       = 0x02
	rootJavaFrame      = 0x03
	rootNativeStack    = 0x04
	rootStickyClass    = 0x05
	rootThreadBlock    = 0x06
	rootMonitor        = 0x07
	rootThreadObject   = 0x08
	classDump          = 0x20
	instanceDump       = 0x21
	objectArrayDump    = 0x22
	primitiveArrayDump = 0x23
	rootInternedString = 0x89
	rootFinalizing     = 0x8a
	rootDebugger       = 0x8b
	rootReference      = 0x8c
	rootVMInternal     = 0x8d
	rootJNIMonitor     = 0x8e
	unreachable        = 0x90
	primitiveNoData    = 0xc3
	heapDumpInfo       = 0xfe
	rootUnknown        = 0xff
)

// rootKinds names roots as the Android Runtime's are.
var rootKinds = map[byte]string{
	rootJNIGlobal: "JNI global", rootJNILocal: "JNI local", rootJavaFrame: "frame", rootNativeStack: "stack word",
	rootStickyClass: "class of the boot class path", rootThreadBlock: "thread block", rootMonitor: "monitor", rootThreadObject: "thread",
	rootInternedString: "interned string", rootFinalizing: "object to finalize", rootDebugger: "debugger", rootReference: "reference of the collector",
	rootVMInternal: "runtime", rootJNIMonitor: "JNI monitor", unreachable: "unreachable", rootUnknown: "root of another kind",
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
		if len(r.objects) >= maxObjects {
			return &core.FormatError{Off: r.c.at(), Msg: "more objects than can be numbered"}
		}
		if err := r.tell(); err != nil {
			return err
		}
	}
	return nil
}

// part reads a root, a class, an object, or in which heap the next ones are.
func (r *reader) part() error {
	c := &r.c
	at, tag := c.at(), c.u1()
	switch tag {
	case heapDumpInfo:
		r.android = true
		c.u4()
		c.id()
	case classDump:
		return r.class()
	case instanceDump:
		id, off := c.id(), c.at()
		c.skip(4)
		class, n := c.id(), c.u4()
		c.skip(int64(n))
		r.add(object{id: id, off: off, n: n, kind: r.kindOf(class, false)})
	case objectArrayDump:
		id, off := c.id(), c.at()
		c.skip(4)
		n, class := c.u4(), c.id()
		c.skip(int64(n) * int64(r.idSize))
		r.add(object{id: id, off: off, n: n, kind: r.kindOf(class, true)})
	case primitiveArrayDump, primitiveNoData:
		id, off := c.id(), c.at()
		c.skip(4)
		n, t := c.u4(), basicType(c.u1())
		if c.err == nil && (!t.valid() || t == typeObject) {
			return &core.FormatError{Off: at, Msg: "an array has elements of type", Val: uint8(t)}
		}
		if tag == primitiveArrayDump {
			c.skip(int64(n) * int64(t.size(r.idSize)))
		}
		r.add(object{id: id, off: off, n: n, kind: int32(t)})
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
	case rootJNIGlobal:
		c.id()
	case rootJNILocal, rootJavaFrame, rootJNIMonitor:
		x.thread, x.frame = c.u4(), c.u4()
	case rootThreadObject:
		x.thread = c.u4()
		x.frame = c.u4()
		if c.err == nil {
			r.threads[x.thread] = x.frame // the serial number of its stack trace
		}
		x.frame = noFrame
	case rootNativeStack, rootThreadBlock:
		x.thread = c.u4()
	}
	if c.err == nil && tag != unreachable {
		r.roots = append(r.roots, x)
	}
}

const noFrame = 0xffffffff

// add notes an object that was read whole.
func (r *reader) add(o object) {
	if r.c.err == nil {
		r.objects = append(r.objects, o)
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
		if basicType(t) == typeObject {
			k.staticRefs++
		} else {
			k.statics += uint32(basicType(t).size(r.idSize))
		}
	}
	at := uint32(0)
	for range c.u2() {
		f := field{name: c.id(), typ: basicType(c.u1()), off: at}
		if c.err != nil {
			return nil
		}
		if !f.typ.valid() {
			return &core.FormatError{Off: c.at(), Msg: "a field is of type", Val: uint8(f.typ)}
		}
		at += uint32(f.typ.size(r.idSize))
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
	if !basicType(t).valid() {
		return &core.FormatError{Off: c.at(), Msg: "a value is of type", Val: t}
	}
	c.skip(int64(basicType(t).size(r.idSize)))
	return nil
}
