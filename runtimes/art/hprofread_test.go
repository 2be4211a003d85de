package art

import (
	"encoding/binary"
	"fmt"
)

// An HprofFile is what a reader that knows only the format makes of a file.
type HprofFile struct {
	Strings map[uint32]string
	Names   map[uint32]string // of classes, by LOAD_CLASS
	Classes map[uint32]*HprofClass
	Objects map[uint32]*HprofObject // instances and arrays
	Roots   map[byte][]uint32       // objects, by tag
}

// An HprofClass is a CLASS_DUMP.
type HprofClass struct {
	Super, Loader, InstanceSize uint32
	Statics                     map[string]HprofValue
	Fields                      []HprofValue // without values
}

// An HprofValue is a field with its bits.
type HprofValue struct {
	Name string
	Type byte
	Bits uint64
}

// An HprofObject is an instance or an array.
type HprofObject struct {
	Tag     byte
	Class   uint32 // 0 for arrays of primitive types
	Type    byte   // of the elements of such
	Heap    string
	Data    []byte   // of an instance, or of an array of a primitive type
	Objects []uint32 // of an array of objects
}

var hprofSizes = map[byte]int{2: 4, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}

// An hprofReader reads numbers; past the end it panics, which ReadHprof reports.
type hprofReader struct{ b []byte }

func (r *hprofReader) take(n int) []byte {
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *hprofReader) u1() byte   { return r.take(1)[0] }
func (r *hprofReader) u2() int    { return int(binary.BigEndian.Uint16(r.take(2))) }
func (r *hprofReader) u4() uint32 { return binary.BigEndian.Uint32(r.take(4)) }

func (r *hprofReader) value(t byte) uint64 {
	n, ok := hprofSizes[t]
	if !ok {
		panic(fmt.Sprintf("type %d", t))
	}
	v := uint64(0)
	for _, b := range r.take(n) {
		v = v<<8 | uint64(b)
	}
	return v
}

// ReadHprof reads a file.
func ReadHprof(b []byte) (f *HprofFile, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("hprof: %v", p)
		}
	}()
	f = &HprofFile{Strings: map[uint32]string{}, Names: map[uint32]string{}, Classes: map[uint32]*HprofClass{},
		Objects: map[uint32]*HprofObject{}, Roots: map[byte][]uint32{}}
	const magic = "JAVA PROFILE 1.0.3\x00"
	r := hprofReader{b}
	if got := string(r.take(len(magic))); got != magic {
		return f, fmt.Errorf("hprof: it begins with %q", got)
	}
	if n := r.u4(); n != 4 {
		return f, fmt.Errorf("hprof: identifiers of %d bytes", n)
	}
	r.take(8)
	ended := false
	for len(r.b) > 0 {
		tag := r.u1()
		r.u4()
		body := hprofReader{r.take(int(r.u4()))}
		switch tag {
		case 0x01:
			id := body.u4()
			f.Strings[id] = string(body.b)
		case 0x02:
			body.u4()
			id := body.u4()
			body.u4()
			f.Names[id] = f.str(body.u4())
		case 0x05:
		case 0x1c:
			for heap := "default"; len(body.b) > 0; {
				heap = f.dumped(&body, heap)
			}
		case 0x2c:
			ended = true
		default:
			return f, fmt.Errorf("hprof: record %#x", tag)
		}
	}
	if !ended {
		return f, fmt.Errorf("hprof: it has no end")
	}
	return f, nil
}

func (f *HprofFile) str(id uint32) string {
	s, ok := f.Strings[id]
	if !ok {
		panic(fmt.Sprintf("string %#x is not there", id))
	}
	return s
}

// dumped reads one item of the heap dump.
func (f *HprofFile) dumped(r *hprofReader, heap string) string {
	rest := map[byte]int{0x01: 4, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x08: 8, 0x89: 0, 0x8d: 0, 0x8e: 8, 0xff: 0}
	switch tag := r.u1(); tag {
	case 0xfe:
		kind := r.u4()
		heap = f.str(r.u4())
		if kind != uint32(map[string]byte{"app": 'A', "zygote": 'Z', "image": 'I'}[heap]) {
			panic(fmt.Sprintf("heap %d is %q", kind, heap))
		}
	case 0x20:
		f.class(r)
	case 0x21:
		id := r.u4()
		r.u4()
		o := &HprofObject{Tag: tag, Heap: heap, Class: r.u4()}
		o.Data = r.take(int(r.u4()))
		f.add(id, o)
	case 0x22:
		id := r.u4()
		r.u4()
		o := &HprofObject{Tag: tag, Heap: heap}
		n := r.u4()
		o.Class = r.u4()
		for range n {
			o.Objects = append(o.Objects, r.u4())
		}
		f.add(id, o)
	case 0x23:
		id := r.u4()
		r.u4()
		n := int(r.u4())
		o := &HprofObject{Tag: tag, Heap: heap, Type: r.u1()}
		o.Data = r.take(n * hprofSizes[o.Type])
		f.add(id, o)
	default:
		n, ok := rest[tag]
		if !ok {
			panic(fmt.Sprintf("tag %#x", tag))
		}
		f.Roots[tag] = append(f.Roots[tag], r.u4())
		r.take(n)
	}
	return heap
}

func (f *HprofFile) add(id uint32, o *HprofObject) {
	if f.Objects[id] != nil {
		panic(fmt.Sprintf("object %#x is there twice", id))
	}
	f.Objects[id] = o
}

func (f *HprofFile) class(r *hprofReader) {
	id := r.u4()
	r.u4()
	c := &HprofClass{Super: r.u4(), Loader: r.u4(), Statics: map[string]HprofValue{}}
	r.take(16)
	c.InstanceSize = r.u4()
	if n := r.u2(); n != 0 {
		panic("a constant pool")
	}
	for range r.u2() {
		v := HprofValue{Name: f.str(r.u4()), Type: r.u1()}
		v.Bits = r.value(v.Type)
		c.Statics[v.Name] = v
	}
	for range r.u2() {
		c.Fields = append(c.Fields, HprofValue{Name: f.str(r.u4()), Type: r.u1()})
	}
	if f.Classes[id] != nil {
		panic(fmt.Sprintf("class %#x is there twice", id))
	}
	f.Classes[id] = c
}

// Fields returns the fields of an instance, of its class first.
func (f *HprofFile) Fields(o *HprofObject) (out []HprofValue, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("hprof: the fields of a %s: %v", f.Names[o.Class], p)
		}
	}()
	r := hprofReader{o.Data}
	for id := o.Class; id != 0; id = f.Classes[id].Super {
		for _, v := range f.Classes[id].Fields {
			v.Bits = r.value(v.Type)
			out = append(out, v)
		}
	}
	if len(r.b) > 0 {
		return out, fmt.Errorf("hprof: %d bytes after the fields of a %s", len(r.b), f.Names[o.Class])
	}
	return out, nil
}
