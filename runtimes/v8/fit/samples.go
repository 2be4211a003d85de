package fit

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// Samples of the heap come from a few chunks of memory. The words there that begin objects are recognized
// without a table: their maps lead to the map of maps. One large object, such as the source of a program packed
// into one script, may span more chunks than are read. Chunks that begin with small objects therefore come
// first.

// Limits of the search for samples: chunks to read, chunks to look at when choosing, and objects in them. The
// main process of Electron 25 has 126 pages, and large objects of 93 MB among them that look like pages in
// part. Once there are many samples, an object is added only if its map was rare so far: in a large heap the
// only objects of a type may be in the last chunks.
const (
	maxSampleChunks  = 512
	maxListedChunks  = 1 << 14
	maxSampleObjects = 1 << 20
	rareSamples      = 1 << 10
)

// A sampleObject is an object of a heap, with its map.
type sampleObject struct {
	at  core.Addr
	typ layout.Tagged
}

type sampleList []sampleObject

// each calls visit with objects and their maps until it returns false.
func (l sampleList) each(visit func(a core.Addr, m layout.Tagged) bool) {
	for _, o := range l {
		if !visit(o.at, o.typ) {
			return
		}
	}
}

// sampleObjects returns objects in writable chunks of memory whose map is in a cage. Outside a cage a field is
// just a word. The search is not traced.
func sampleObjects(space *core.Space, order binary.ByteOrder, width int,
	inCage func(core.Addr) bool) (list sampleList) {
	x := &heapProbe{space: space, order: order}
	buf := make([]byte, layout.ChunkSize)
	maps := map[uint64]int{} // an index of counts, or -1
	var counts []int
	for _, c := range x.sampleChunks(width, inCage) {
		n, _ := embedded.Peek(space, buf[:c.End-c.Start], c.Start)
		for i := 0; i+width <= n && len(list) < 2*maxSampleObjects; i += width {
			w := x.word(buf[i:], width)
			if w&3 != 1 {
				continue
			}
			k, known := maps[w]
			if !known {
				k = -1
				if _, ok := x.metaMap(c.Start, w, width); ok {
					k, counts = len(counts), append(counts, 0)
				}
				maps[w] = k
			}
			if k < 0 || len(list) >= maxSampleObjects && counts[k] >= rareSamples {
				continue
			}
			counts[k]++
			typ := layout.Tagged(w)
			if width == 4 {
				typ |= layout.Tagged(c.Start &^ (layout.CageSize - 1))
			}
			list = append(list, sampleObject{c.Start + core.Addr(i), typ})
		}
	}
	return list
}

// sampleChunks returns the chunks that samples are taken from.
func (x *heapProbe) sampleChunks(width int, inCage func(core.Addr) bool) []layout.Area {
	var pages, others []layout.Area
	listed := 0
	for _, s := range x.space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 {
			continue
		}
		more := layout.EachChunk(s, func(at core.Addr) bool {
			if !inCage(at) {
				return true
			}
			c := layout.Area{Start: at, End: min(at+layout.ChunkSize, s.End)}
			if _, ok := x.startsObjects(at, width); ok {
				pages = append(pages, c)
			} else if len(others) < maxSampleChunks {
				others = append(others, c)
			}
			listed++
			return len(pages) < maxSampleChunks && listed < maxListedChunks
		})
		if !more {
			break
		}
	}
	return append(pages, others[:min(len(others), maxSampleChunks-len(pages))]...)
}

// touch reads the reference at a once more, and the words that identify its chunk, so that a copy of the
// process includes them.
func touch(m *layout.Memory, a core.Addr) {
	m.TaggedAt(a)
	x := &heapProbe{space: m.Space, order: m.Order, traced: true}
	x.startsObjects(a&^(layout.ChunkSize-1), m.SlotSize())
}
