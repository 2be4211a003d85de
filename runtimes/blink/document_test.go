package blink

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// A fake is Blink's heap with some windows, each with a document and, except for a detached one, a
// frame.
type fake struct {
	shift uint
	heap  []byte
	texts []byte
}

const (
	fakeCode, fakeTable, fakeHeap, fakeTexts = core.Addr(0x10000), core.Addr(0x20000), core.Addr(0x3705_0000_0000),
		core.Addr(0x40000)

	// The places of the objects of the window with number n, and of their references.
	fakeWindow, fakeDocument, fakeFrame, fakeEach = 0x1000, 0x1400, 0x1800, 0x1000
	toDocument, toFrame, toWindow, toURL          = 0x200, 0x20, 0x100, 0x130
	frameWindow, frameParent                      = 0x28, 0x48
)

func (f *fake) window(n int) core.Addr { return fakeHeap + core.Addr(fakeWindow+n*fakeEach) }
func (f *fake) frame(n int) core.Addr  { return fakeHeap + core.Addr(fakeFrame+n*fakeEach) }

func (f *fake) word(at core.Addr, w core.Addr) {
	binary.LittleEndian.PutUint64(f.heap[at-fakeHeap:], uint64(w))
}

// refer writes a reference, of 8 bytes or compressed.
func (f *fake) refer(at, to core.Addr) {
	if f.shift == 0 {
		f.word(at, to)
		return
	}
	binary.LittleEndian.PutUint32(f.heap[at-fakeHeap:], uint32(to>>f.shift))
}

// size is the size of a reference.
func (f *fake) size() core.Addr { return members{shift: f.shift}.size() }

// add makes a window with a document at a URL, and a frame with the parent, siblings and children that are
// given by their numbers, -1 for none; nil for no frame.
func (f *fake) add(n int, url string, family []int) {
	w, d := f.window(n), fakeHeap+core.Addr(fakeDocument+n*fakeEach)
	f.word(w, fakeTable)
	f.word(d, fakeTable)
	f.refer(w+toDocument, d)
	f.refer(d+toWindow, w)
	f.refer(d+toWindow+f.size(), w+0x48)
	text := fakeTexts + core.Addr(len(f.texts))
	f.texts = append(f.texts, stringImpl(url, false)...)
	f.texts = append(f.texts, make([]byte, -len(f.texts)&7)...)
	copy(f.heap[d+toURL-fakeHeap:], kurl(text, 0, 4, 0, -1, 0, -1, 7, 1, 0, -1, 8, int32(len(url)-8)))
	if family == nil {
		return
	}
	at := f.frame(n)
	f.word(at, fakeTable)
	f.refer(w+toFrame, at)
	f.refer(at+ownFrame, at)
	f.refer(at+frameWindow, w)
	for i, other := range family {
		if other >= 0 {
			f.refer(at+frameParent+core.Addr(i)*f.size(), f.frame(other))
		}
	}
}

func (f *fake) reader() *Reader {
	p := coretest.New(core.AMD64).MapProt(fakeCode, make([]byte, 64), core.Read|core.Exec).Words(fakeTable,
		uint64(fakeCode)).
		Map(fakeHeap, f.heap).Map(fakeTexts, f.texts).Process()
	return &Reader{Memory: &layout.Memory{Process: p, Space: p.Space, Order: p.Arch.Order}}
}

// TestWindows: the documents of windows and the kinds of their frames, with references of both sizes.
func TestWindows(t *testing.T) {
	const none = -1
	alone := []int{none, none, none, none, none}
	for name, c := range map[string]struct {
		families [][]int // parent, previous, next, first and last of each frame
		want     []Kind
		remote   int // how many of the first are in another process
	}{
		"one":       {[][]int{alone}, []Kind{MainFrame}, 0},
		"two pages": {[][]int{alone, alone}, []Kind{MainFrame, MainFrame}, 0},
		"a child": {[][]int{{none, none, none, 1, 1}, {0, none, none, none, none}},
			[]Kind{MainFrame, ChildFrame}, 0},
		"two children": {[][]int{{none, none, none, 1, 2}, {0, none, 2, none, none},
			{0, 1, none, none, none}}, []Kind{MainFrame, ChildFrame, ChildFrame}, 0},
		"a child and a detached one": {[][]int{{none, none, none, 1, 1}, {0, none, none, none, none}, nil},
			[]Kind{MainFrame, ChildFrame, Detached}, 0},
		"nothing is known of a frame": {[][]int{nil}, []Kind{""}, 0},
		"no tree": {[][]int{{1, none, none, none, none}, {0, none, none, none, none}},
			[]Kind{"", ""}, 0},
		"a child that none has": {[][]int{{none, none, none, none, none}, {0, none, none, none, none}},
			[]Kind{MainFrame, ""}, 0},
		"a child of another process": {[][]int{{none, none, none, 1, 1}, {0, none, none, 2, 2},
			{1, none, none, none, none}}, []Kind{ChildFrame, ChildFrame}, 1},
	} {
		for _, shift := range []uint{0, 1, 3} {
			t.Run(fmt.Sprintf("%s, shifted by %d", name, shift), func(t *testing.T) {
				f := &fake{shift: shift, heap: make([]byte, 0x8000)}
				var windows []core.Addr
				var want []string
				for n, family := range c.families {
					want = append(want, fmt.Sprintf("http://h/%d", n))
					f.add(n, want[n], family)
					if n < c.remote {
						f.word(f.window(n), fakeTable+8)
						continue
					}
					windows = append(windows, f.window(n))
				}
				r := f.reader()
				found := r.windowURLs(windows)
				if !slices.Equal(found.list, want[c.remote:]) {
					t.Fatalf("the documents are at %q, want %q", found.list, want)
				}
				var frames []windowFrame
				for i, kind := range c.want {
					frames = append(frames, windowFrame{kind, c.remote > 0 && i == 0})
				}
				if got := r.framesOf(windows, found.members); !slices.Equal(got, frames) {
					t.Errorf("the frames are %v, want %v", got, frames)
				}
			})
		}
	}
}

// TestNoDocument: something that does not refer back to the window twice is not its document.
func TestNoDocument(t *testing.T) {
	f := &fake{heap: make([]byte, 0x8000)}
	f.add(0, "http://h/0", nil)
	f.word(f.window(0)+fakeDocument-fakeWindow+toWindow+8, 0x1234)
	if found := f.reader().windowURLs([]core.Addr{f.window(0)}); found.found != 0 {
		t.Errorf("%+v", found)
	}
}
