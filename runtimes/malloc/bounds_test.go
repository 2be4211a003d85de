package malloc_test

import (
	"context"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/runtimes/malloc"
)

const (
	maxReads = 4 << 20 // of a page or of a word, for an image
	maxAfter = 1 << 14 // after a cancellation

	more  = 0x50000000
	after = gtRoot + 0x800000 // words behind the root
)

// TestBounds: memory that looks like records nearly everywhere does not make a search for them long.
func TestBounds(t *testing.T) {
	for name, made := range map[string]func() *image{
		"zeros as caches of processors": manySlabs,
		"lists as caches of threads":    manyCaches,
		"numbers as transfer caches":    manyTransfers,
		"one leaf":                      oneLeaf,
		"leaves that overlap":           manyLeaves,
		"roots of zeros":                manyRoots,
		"nodes of wrong leaves":         manyNodes,
		"one node":                      oneNode,
		"nodes that are leaves":         nodeLeaves,
		"bins of oldmalloc":             manyBins,
	} {
		t.Run(name, func(t *testing.T) {
			p := made().process()
			all := readAll(t, p, 0, maxReads)
			readAll(t, p, all/2, all/2+maxAfter)
		})
	}
}

// readAll reads the heaps of a process, with a cancellation at a read, and returns how many there were.
func readAll(t *testing.T, p *core.Process, cancel, most int) (reads int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	p.Space.Trace = func(core.Addr, int) {
		if reads++; reads == cancel {
			stop()
		}
		if reads > most {
			t.Fatalf("more than %d reads", most)
		}
	}
	if h, err := malloc.Open(ctx, p); err == nil {
		for _, a := range h.All {
			a.Heap(ctx)
		}
	}
	if err := ctx.Err(); err != nil && cancel == 0 {
		t.Error(err)
	}
	return reads
}

func manySlabs() *image {
	m := wholeGoogle(0)
	m.add(more, 64<<20, false)
	for i := range uint64(8192) {
		m.word(after+8*i, more+i<<12|12)
	}
	return m
}

func manyCaches() *image {
	const classes, n = 900, 2 << 20
	m := wholeGoogle(8 * n)
	for i := range uint64(classes / 2) {
		m.word(gtData+0x100+8*i, 16*i|(16*i+8)<<32)
	}
	m.word(gtData+0x100+4*classes, 256<<10)
	m.add(more, 32*n, false)
	lists := m.bytes(more)
	for i := range uint64(n) {
		if i%classes != 0 {
			lists[32*i+16] = 1
		}
		m.word(after+8*i, more+32*i)
	}
	return m
}

func manyTransfers() *image {
	const n = 3 << 20
	m := wholeGoogle(16 * n)
	m.word(gtCentral+512*2, 5)
	for i := range uint64(n) {
		m.word(after+16*i, 1)
		m.word(after+16*i+8, 8)
	}
	return m
}

func oneLeaf() *image {
	m := wholeGoogle(0)
	m.add(more, 1<<20, false)
	within(m, more, 1<<20)
	for at := uint64(gtRoot); at < after; at += 8 {
		m.word(at, more)
	}
	return m
}

func manyLeaves() *image {
	m := wholeGoogle(0)
	m.add(more, 17<<20, false)
	within(m, more, 17<<20)
	for i := range uint64(1<<20 + 1<<15) {
		m.word(gtRoot+8*(i%(0x8f0000/8)), more+16*(i&(1<<20-1)))
	}
	return m
}

// manyRoots has leaves that each say that a root of zeros ends with them.
func manyRoots() *image {
	const size, n = 1 << 23, 1 << 15 // of a root; leaves
	m := &image{}
	m.add(gtData, 2*size, true)
	m.add(more, 1<<20, false)
	span := uint64(more + 0xf0000)
	m.word(span+32, (size/8-100)<<15)
	m.word(span+40, 1)
	for i := range uint64(n) {
		m.word(gtData+size+16*i, more+16*i)
		m.word(more+1<<15+16*i, span)
	}
	return m
}

// manyNodes has nodes that each lead to as many leaves as are looked at, whose spans are elsewhere.
func manyNodes() *image {
	const nodes, leaves, size, spans = more + 1<<20, 64, 0xb000, 0x60000000
	m := &image{}
	m.add(gtData, 2<<20, true)
	m.add(more, 1<<20+leaves*size, false)
	m.add(spans, leaves<<12, false)
	for i := range uint64(1 << 13) {
		m.word(gtData+16*i, more+8*i)
	}
	for at := uint64(more); at < nodes; at += 8 {
		m.word(at, nodes+size*(at/8%leaves))
	}
	for i := range uint64(leaves) {
		m.word(spans+i<<12+24, 4000<<12+i|1<<38)
		m.word(spans+i<<12+32, 1)
		for k := range uint64(leaves) {
			m.word(nodes+size*k+1<<13+8*i, spans+i<<12)
		}
	}
	return m
}

// oneNode has a root whose elements all lead to one node, which has one leaf again and again.
func oneNode() *image {
	const leaf, size, span = more + 0x10000, 0x10000, gtSpans + 0x3000
	m := google("November 2026")
	whole(m, 0)
	m.add(more, leaf-more+size, false)
	m.word(span+24, 1|1<<36)
	m.word(span+40, 1<<35-1)
	for off := uint64(0); off < size; off += 8 {
		m.word(leaf+off, span)
		m.word(more+off, leaf)
	}
	for at := uint64(gtRoot); at < after; at += 8 {
		m.word(at, more)
	}
	return m
}

// nodeLeaves has memory that is full of its own addresses. It is too small for leaves of two levels.
func nodeLeaves() *image {
	const size = 1 << 18
	m := &image{}
	m.add(gtData, 1<<20, true)
	m.add(more, size, false)
	for at := uint64(0); at < size; at += 8 {
		m.word(more+at, more+at*7919%size)
	}
	for i := range uint64(size / 16) {
		m.word(gtData+16*i, more+16*i)
	}
	return m
}

func manyBins() *image {
	const high, size = 0x7fffff000000, 16 << 20
	m := &image{}
	m.add(high-3*size, 4*size, true)
	for bin := uint64(high - 3*size); bin+24 <= high+size; bin += 24 {
		m.word(bin+8, bin-8)
		m.word(bin+16, bin-8)
	}
	return m
}

// TestGoogleDecoy: many leaves that lead to the same wrong root do not hide the right one.
func TestGoogleDecoy(t *testing.T) {
	const root = gtData + 0x8000
	m := oldGoogle()
	m.add(more, 1<<20, false)
	for j := uint64(8); j < 900; j++ {
		span := more + 0xc0000 + 64*j
		m.word(root+16*j, more+16*j)
		m.word(more+1<<15+16*j, span)
		m.word(span+32, 2*j<<15)
		m.word(span+40, 1)
	}
	if got, h := states(t, m, "tcmalloc"); len(got) != 128+8+64+2 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 {
		t.Errorf("%d chunks, %+v, %+v, %v", len(got), h.Breaks, h.Strays, h.Notes)
	}
}

// TestGoogleInPart: a page map that was not read to its end has a note.
func TestGoogleInPart(t *testing.T) {
	const pages, leaf = more, 0x60000000
	for _, c := range []struct{ bad, spans, notes uint64 }{{60, 1000, 0}, {100, 1000, 1}} {
		m := oldGoogle()
		m.add(pages, 16, false)
		m.extend(1024<<13 - 16)
		m.add(leaf, 0x48000+64<<10, false)
		m.word(gtRoot+8*(pages>>13>>15), leaf)
		for i := range c.spans {
			at := leaf + 0x48000 + 64*i
			m.word(at+32, pages>>13+i)
			m.word(at+40, 1)
			m.word(leaf+1<<15+8*i, at)
		}
		for i := range c.bad {
			m.word(leaf+1<<15+8*(2000+i), 7)
		}
		_, h := states(t, m, "tcmalloc")
		if uint64(len(h.Notes)) != c.notes {
			t.Errorf("%+v: %v", c, h.Notes)
		}
	}
}

// wholeGoogle is an image of Google's tcmalloc with all bytes of its data, and further ones.
func wholeGoogle(further int) *image {
	m := oldGoogle()
	whole(m, further)
	return m
}

// whole gives an image all bytes of its data, and further ones.
func whole(m *image, further int) {
	p := &m.pieces[0]
	p.data, p.rest = append(p.data, make([]byte, int(p.rest)+further)...), 0
}

// within fills memory with addresses of a span of all pages.
func within(m *image, at, size uint64) {
	const span = gtSpans + 0x3000
	m.word(span+32, 1)
	m.word(span+40, 1<<35-1)
	for off := uint64(0); off < size; off += 8 {
		m.word(at+off, span)
	}
}
