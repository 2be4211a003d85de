package art_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// TestLiveHprof reads what is written of each core with a reader that knows only the
// format, and compares each object, field and element with the core.
func TestLiveHprof(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			var out bytes.Buffer
			if err := a.WriteHprof(context.Background(), &out); err != nil {
				t.Fatal(err)
			}
			f, err := art.ReadHprof(out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			sameHprof(t, a, f)
		})
	}
}

// sameHprof compares a file with the heap.
func sameHprof(t *testing.T, a *art.ART, f *art.HprofFile) {
	t.Helper()
	h, err := a.Heap()
	if err != nil {
		t.Fatal(err)
	}
	objects, classes := 0, 0
	if _, err := h.Walk(context.Background(), func(o object.Object, _ uint64) bool {
		if o.Class.Flags&object.FlagClass != 0 {
			if k := a.ClassAt(o.Addr); k.Status != "Retired" {
				classes++
				sameClass(t, a, f, k)
			}
			return !t.Failed()
		}
		objects++
		if o.Class.Flags&object.FlagString != 0 {
			objects++ // with its characters
		}
		if o.Class.Flags&object.FlagClassLoader != 0 {
			objects++ // with the objects it keeps
			if kept := f.Objects[uint32(o.Addr)+4]; kept == nil || kept.Tag != 0x22 {
				t.Errorf("class loader %v has no array of what it keeps", o.Addr)
			}
		}
		x := f.Objects[uint32(o.Addr)]
		switch {
		case x == nil:
			t.Errorf("the %s at %v is not in the file", o.Class.Name, o.Addr)
		case o.Class.IsArray():
			sameArray(t, a, f, o, x)
		default:
			sameInstance(t, a, f, o, x)
		}
		return !t.Failed()
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Classes {
		if v, ok := c.Statics["$classOverhead"]; ok && v.Type == 2 {
			objects++
		}
	}
	if len(f.Objects) != objects || len(f.Classes) != classes || len(f.Names) != classes {
		t.Errorf("%d objects and %d classes, %d of them named; the heap has %d and %d", len(f.Objects), len(f.Classes),
			len(f.Names), objects, classes)
	}
	g, _ := a.Graph(context.Background())
	for tag, list := range f.Roots {
		for _, at := range list {
			if _, ok := g.ID(core.Addr(at)); !ok {
				t.Errorf("root %#x of %#x is not an object", tag, at)
			}
		}
	}
	if len(f.Roots[0x05]) == 0 || len(f.Roots[0x01]) == 0 {
		t.Errorf("roots %v: no class or no global reference", f.Roots)
	}
}

func sameClass(t *testing.T, a *art.ART, f *art.HprofFile, k *object.Class) {
	t.Helper()
	c := f.Classes[uint32(k.Addr)]
	if c == nil || f.Names[uint32(k.Addr)] != k.Name || c.Super != uint32(k.Super) || c.Loader != uint32(k.Loader) {
		t.Errorf("class %s at %v: %+v", k.Name, k.Addr, c)
		return
	}
	if v := c.Statics["$class$classSize"]; v.Bits != k.ClassSize {
		t.Errorf("class %s: $class$classSize is %d, want %d", k.Name, v.Bits, k.ClassSize)
	}
	n := 0
	for _, fd := range a.Fields(k) {
		if !fd.Static() {
			continue
		}
		n++
		v, ok := c.Statics[fd.Label()]
		if want := bitsAt(a, k.Addr+core.Addr(fd.Offset), v.Type); !ok || v.Bits != want {
			t.Errorf("%s.%s is %#x (%v), want %#x", k.Name, fd.Label(), v.Bits, ok, want)
		}
	}
	if len(c.Fields)+n < len(a.Fields(k)) {
		t.Errorf("%s has %d fields and %d static ones, want %d", k.Name, len(c.Fields), n, len(a.Fields(k)))
	}
}

// bitsAt reads a value of a type of the format.
func bitsAt(a *art.ART, at core.Addr, typ byte) uint64 {
	switch typ {
	case 4, 8:
		v, _ := a.U8(at)
		return uint64(v)
	case 5, 9:
		v, _ := a.U16(at)
		return uint64(v)
	case 7, 11:
		v, _ := a.U64(at)
		return v
	}
	v, _ := a.U32(at)
	return uint64(v)
}

func sameInstance(t *testing.T, a *art.ART, f *art.HprofFile, o object.Object, x *art.HprofObject) {
	t.Helper()
	if x.Class != uint32(o.Class.Addr) || x.Heap != "app" {
		t.Errorf("%v is a %s in %s, want %s", o.Addr, f.Names[x.Class], x.Heap, o.Class.Name)
		return
	}
	fields, err := f.Fields(x)
	if err != nil {
		t.Error(err)
		return
	}
	have := map[string]art.HprofValue{}
	for _, v := range fields {
		have[v.Name] = v
	}
	for _, fd := range a.InstanceFields(o.Class) {
		v, ok := have[fd.Label()]
		want := bitsAt(a, o.Addr+core.Addr(fd.Offset), v.Type)
		if o.Class.Flags&object.FlagString != 0 && fd.Label() == "count" {
			want >>= 1
		}
		if !ok || v.Bits != want && len(fields) == len(have) {
			t.Errorf("%v: %s.%s is %#x (%v), want %#x", o.Addr, o.Class.Name, fd.Label(), v.Bits, ok, want)
		}
	}
	if o.Class.Flags&object.FlagString == 0 {
		return
	}
	s, err := a.String(o.Addr, 1<<30)
	chars := f.Objects[uint32(have["value"].Bits)]
	if err != nil || chars == nil {
		t.Errorf("string at %v: %v, %v", o.Addr, chars, err)
		return
	}
	if got := textOf(chars); got != s.Value {
		t.Errorf("string at %v is %q, want %q", o.Addr, got, s.Value)
	}
}

func textOf(chars *art.HprofObject) string {
	if chars.Type == 8 {
		r := make([]rune, len(chars.Data))
		for i, b := range chars.Data {
			r[i] = rune(b)
		}
		return string(r)
	}
	units := make([]uint16, len(chars.Data)/2)
	for i := range units {
		units[i] = uint16(chars.Data[2*i])<<8 | uint16(chars.Data[2*i+1])
	}
	return java.UTF16(units)
}

func sameArray(t *testing.T, a *art.ART, f *art.HprofFile, o object.Object, x *art.HprofObject) {
	t.Helper()
	r, err := a.Array(o.Addr)
	if err != nil {
		t.Error(err)
		return
	}
	if r.Element == object.NotPrimitive {
		if uint64(len(x.Objects)) != r.Length || x.Class != uint32(o.Class.Addr) {
			t.Errorf("%v: a %s of %d, want %s of %d", o.Addr, f.Names[x.Class], len(x.Objects), o.Class.Name, r.Length)
			return
		}
		for i, got := range x.Objects {
			if want, _ := a.Ref(r.At(uint64(i))); got != uint32(want) {
				t.Errorf("%v: element %d is %#x, want %v", o.Addr, i, got, want)
			}
		}
		return
	}
	size := int(r.Element.Size())
	if uint64(len(x.Data)) != r.Length*uint64(size) {
		t.Errorf("%v: %d bytes, want %d elements of %d", o.Addr, len(x.Data), r.Length, size)
		return
	}
	for i := range int(r.Length) {
		v := uint64(0)
		for _, b := range x.Data[i*size : (i+1)*size] {
			v = v<<8 | uint64(b)
		}
		if want := bitsAt(a, r.At(uint64(i)), x.Type); v != want {
			t.Errorf("%v: element %d is %#x, want %#x", o.Addr, i, v, want)
			return
		}
	}
}
