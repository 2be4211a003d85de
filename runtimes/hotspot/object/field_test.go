package object

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// list writes what lists the fields: its length, then its bytes.
func (s *scene) list(length int, data []byte) {
	s.b.Map(listAt, append(binary.LittleEndian.AppendUint32(nil, uint32(length)), data...))
}

// shorts returns numbers of 16 bits as bytes.
func shorts(v ...uint16) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

// numbers writes numbers below 190 as UNSIGNED5 has them since JDK 20: each a byte that is one more.
func numbers(v ...byte) (b []byte) {
	for _, x := range v {
		b = append(b, x+1)
	}
	return b
}

// text is fields in one line.
func text(fields []Field) string {
	var out []string
	for _, f := range fields {
		static := ""
		if f.Static() {
			static = "static "
		}
		out = append(out, fmt.Sprintf("%s%s %s @%d", static, java.TypeName(f.Type), f.Name, f.Offset))
	}
	return strings.Join(out, ", ")
}

const wantFields = "int size @12, java.lang.String name @16, static long TOTAL @112"

// TestFieldArray: an array of entries as share/oops/fieldInfo.hpp of JDK 17 declares them.
func TestFieldArray(t *testing.T) {
	s := newScene()
	s.pool("name", "Ljava/lang/String;", "size", "I", "TOTAL", "J")
	s.klass(klassAt, "demo/Item", 24)
	s.b.Map(klassAt+0x50, nil)
	data := shorts(2, 1, 2, 0, 16<<2|1, 0, 0x18, 5, 6, 0, 112<<2|1, 0, 0, 3, 4, 0, 12<<2|1, 0, 99)
	s.list(len(data)/2, data)
	r := s.reader(17, false)
	r.h.javaFields = -1
	c, err := r.Class(klassAt)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := r.fieldArray(c, poolAt, listAt, 3)
	slices.SortFunc(fields, func(x, y Field) int { return int(x.Offset) - int(y.Offset) })
	if got := text(fields); got != wantFields || err != nil {
		t.Errorf("%s (%v), want %s", got, err, wantFields)
	}
	if _, err := r.fieldArray(c, poolAt, listAt, 4); err == nil {
		t.Error("more fields than the array has are no error")
	}
}

// TestFieldStream: a stream as share/oops/fieldInfo.hpp of JDK 21 describes it, with fields that have a first
// value, a generic type and both.
func TestFieldStream(t *testing.T) {
	s := newScene()
	s.pool("name", "Ljava/lang/String;", "size", "I", "TOTAL", "J")
	s.klass(klassAt, "demo/Item", 24)
	data := append(numbers(3, 1, 1, 2, 16, 2, 4, 9, 5, 6, 112, 0x18, 5, 7, 7, 3, 4, 12, 0, 0, 7, 4, 20, 0, 2), 0)
	s.list(len(data), data)
	r := s.reader(21, true)
	c, err := r.Class(klassAt)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := r.Fields(c)
	if got := text(fields); got != wantFields || err != nil || c.Name != "demo.Item" || c.ObjectSize() != 24 {
		t.Errorf("%s of %d bytes: %s (%v), want %s", c.Name, c.ObjectSize(), got, err, wantFields)
	}
	if f, ok := r.InstanceField(c, "TOTAL"); ok {
		t.Errorf("a static field is one of objects: %+v", f)
	}
}

// TestFieldTable: a stream of 17 fields with the offset of a table before them.
func TestFieldTable(t *testing.T) {
	s := newScene()
	s.pool("f", "B")
	s.klass(klassAt, "demo/Wide", 32)
	data := append(numbers(17, 0), 60, 0, 0, 0)
	for i := range byte(17) {
		data = append(data, numbers(1, 2, 12+i, 0, 0)...)
	}
	s.list(len(data), data)
	r := s.reader(25, true)
	c, err := r.Class(klassAt)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := r.Fields(c)
	if len(fields) != 17 || err != nil || fields[16].Offset != 28 {
		t.Errorf("%d fields (%v): %s", len(fields), err, text(fields))
	}
}

// objects writes an int[] of three, a byte[] and strings over it.
func (s *scene) objects() *Reader {
	s.pool("value", "[B", "coder", "B")
	s.klass(arraysAt, "[I", 0xc0100a02)
	s.klass(charsAt, "[B", 0xc0100800)
	s.klass(stringAt, "java/lang/String", 24)
	data := append(numbers(2, 0, 1, 2, 12, 0, 0, 3, 4, 16, 0, 0), 0)
	s.list(len(data), data)
	word := func(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }
	s.b.Words(objectAt, 1, word(arraysAt, 3), word(7, 8), word(0xffffffff, 0))
	s.b.Words(objectAt+0x40, 1, word(charsAt, 4), 0x6f00e461, 0)
	s.b.Words(objectAt+0x80, 1, word(stringAt, (objectAt+0x40)>>3), 0, 0)
	s.b.Words(objectAt+0xc0, 1, word(stringAt, (objectAt+0x40)>>3), 1, 0)
	return s.reader(25, true)
}

// TestObjects: 32-bit references shifted by three, characters of one byte and of two.
func TestObjects(t *testing.T) {
	r := newScene().objects()
	a, err := r.Array(objectAt)
	if err != nil || a.Length != 3 || a.Element != java.Int || a.Class.Name != "int[]" {
		t.Fatalf("%+v (%v)", a, err)
	}
	if v, ok := r.PrimitiveAt(a.At(2), a.Element); !ok || int64(v) != -1 {
		t.Errorf("the last element is %d", int64(v))
	}
	if n, err := r.Size(a.Object); n != 32 || err != nil {
		t.Errorf("%d bytes (%v), want 32: 16 and three times 4, aligned", n, err)
	}
	for at, want := range map[core.Addr]string{objectAt + 0x80: "aä\x00o", objectAt + 0xc0: "\ue461\u6f00"} {
		if s, err := r.String(at, 100); s.Value != want || err != nil || s.Cut() {
			t.Errorf("%q (%v), want %q", s.Value, err, want)
		}
	}
	var near Near
	for at, want := range map[core.Addr]uint64{objectAt: 32, objectAt + 0x40: 24, objectAt + 0x80: 24,
		objectAt + 0x20: 0} {
		b, _ := r.Process.Space.Slice(at, HeaderBytes)
		if h := r.Header(b, at, &near); h.Size != want {
			t.Errorf("%v is an object of %d bytes, want %d", at, h.Size, want)
		}
	}
	if s, err := r.String(objectAt+0x80, 1); s.Value != "a" || s.Length != 4 || !s.Cut() || err != nil {
		t.Errorf("%+v (%v)", s, err)
	}
	for _, at := range []core.Addr{0, 4, objectAt + 1, objectAt + 0x20, 0x99999000} {
		if o, err := r.Object(at); err == nil {
			t.Errorf("%v is an object of %s", at, o.Class.Name)
		}
	}
}

// TestLastObject: where memory ends, the header of an object of one word is enough if the class is in the mark word.
func TestLastObject(t *testing.T) {
	s := newScene()
	s.klass(klassAt, "jdk/internal/vm/FillerObject", 8)
	s.b.Words(objectAt, 1|klassAt<<32)
	r := s.reader(25, true)
	var near Near
	b, _ := r.Process.Space.Slice(objectAt, 8)
	if h := r.Header(b, objectAt, &near); h.Size != 0 {
		t.Errorf("%d bytes without the class", h.Size)
	}
	r.h.compactHeaders, r.h.klassShift = true, 32
	if h := r.Header(b, objectAt, &near); h.Size != 8 {
		t.Errorf("%d bytes, want 8", h.Size)
	}
	if h := r.Header(b[:4], objectAt, &near); h.Size != 0 {
		t.Errorf("%d bytes by half of a header", h.Size)
	}
}

// FuzzFields wants fields that fit or an error of any list, in each form.
func FuzzFields(f *testing.F) {
	f.Add(append(numbers(3, 1, 1, 2, 16, 2, 4, 9, 3, 4, 12, 0, 0), 0), uint16(2))
	f.Add(shorts(2, 1, 2, 0, 16<<2|1, 0, 0, 3, 4, 0, 12<<2|1, 0), uint16(2))
	f.Fuzz(func(t *testing.T, data []byte, count uint16) {
		for _, stream := range []bool{false, true} {
			s := newScene()
			s.pool("name", "Ljava/lang/String;", "size", "I")
			s.klass(klassAt, "demo/Item", 24)
			s.list(len(data), data)
			r := s.reader(25, stream)
			c, err := r.Class(klassAt)
			if err != nil {
				t.Fatal(err)
			}
			fields, _ := r.Fields(c)
			if !stream {
				fields, _ = r.fieldArray(c, poolAt, listAt, int(count))
			}
			for _, x := range fields {
				if !x.Static() && x.Offset >= 24 {
					t.Errorf("%s is at %d of 24 bytes", x.Name, x.Offset)
				}
			}
		}
	})
}

// FuzzObject wants objects or an error of any bytes.
func FuzzObject(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 1, 0, 3, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newScene()
		s.objects()
		s.b.Map(objectAt+0x200, data)
		r := s.reader(25, true)
		if o, err := r.Object(objectAt + 0x200); err == nil {
			r.Size(o)
			r.InstanceFields(o.Class)
			r.String(o.Addr, 100)
			r.ArrayRefs(o.Addr, 100)
			r.Mirrored(o)
			r.RefOffsets(o.Class)
		}
		var near Near
		if h := r.Header(data, objectAt+0x200, &near); h.Size != 0 && (h.Class == nil || h.Size%Alignment != 0) {
			t.Errorf("an object of %d bytes, %v", h.Size, h.Class)
		}
	})
}
