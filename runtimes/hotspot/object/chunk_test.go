package object

import (
	"testing"

	"coredbg/core"
)

// chunk writes a StackChunk with fields of the given values at objectAt. Its class is
// "jdk/internal/vm/StackChunk" with objects of 32 bytes: size, sp, bottom and parent from byte 12 on.
func (s *scene) chunk(size, sp, bottom, parent uint32) *Reader {
	s.pool("size", "I", "sp", "bottom", "parent", "Ljdk/internal/vm/StackChunk;")
	s.klass(klassAt, "jdk/internal/vm/StackChunk", 32)
	data := append(numbers(4, 0, 1, 2, 12, 0, 0, 3, 2, 16, 0, 0, 4, 2, 20, 0, 0, 5, 6, 24, 0, 0), 0)
	s.list(len(data), data)
	s.b.Words(objectAt, 1, klassAt|uint64(size)<<32, uint64(sp)|uint64(bottom)<<32, uint64(parent), 0, 0, 0, 0)
	return s.reader(25, true)
}

// TestChunk: places in a chunk are words after its fields, and a bit for each half word comes after its stack
// (share/oops/instanceStackChunkKlass.inline.hpp of JDK 25).
func TestChunk(t *testing.T) {
	r := newScene().chunk(100, 40, 98, 0x5000>>3)
	c, ok := r.Chunk(objectAt)
	want := Chunk{Addr: objectAt, Stack: objectAt + 32, SP: objectAt + 32 + 320, Bottom: objectAt + 32 + 784,
		Parent: 0x5000}
	if !ok || c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	o, err := r.Object(objectAt)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Size(o); err != nil || n != 32+800+32 { // 200 bits are four words
		t.Errorf("%d bytes (%v), want 864", n, err)
	}
	if o.Class.ObjectSize() != 0 {
		t.Error("all chunks have one size")
	}
}

// FuzzChunk wants places within the chunk, whatever its fields are.
func FuzzChunk(f *testing.F) {
	f.Add(uint32(100), uint32(40), uint32(98), uint32(0))
	f.Add(uint32(0xffffffff), uint32(1<<31), uint32(1<<28), uint32(7))
	f.Fuzz(func(t *testing.T, size, sp, bottom, parent uint32) {
		r := newScene().chunk(size, sp, bottom, parent)
		c, ok := r.Chunk(objectAt)
		end := c.Stack + core.Addr(8*uint64(size))
		if ok && (c.SP < c.Stack || c.SP > end || c.Bottom < c.Stack || c.Bottom > end || size > maxChunk) {
			t.Errorf("size %d, sp %d, bottom %d: %+v", size, sp, bottom, c)
		}
		if o, err := r.Object(objectAt); err == nil {
			if n, err := r.Size(o); err == nil && n > maxObject {
				t.Errorf("%d bytes", n)
			}
		}
	})
}
