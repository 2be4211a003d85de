package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// Some roots of an isolate are outside it, in tables that its members lead to. The offsets of these members
// differ from version to version; the tables are recognized by their contents.

const (
	// eternalBlock is how many handles a block of eternal handles has:
	// EternalHandles::kSize.
	eternalBlock = 256
	// maxTable bounds the words of a table.
	maxTable = 1 << 24
	// cacheWords is how many words of a CompilationCache are looked at.
	cacheWords = 32
)

// tables finds what the tables of isolates refer to.
func (f *rootFinder) tables(ctx context.Context, yield func(Root)) error {
	hs := f.h.v
	for _, x := range f.h.Isolates(ctx) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if x.Addr == 0 || x.Heap < x.Addr || x.Heap-x.Addr > code.MaxIsolate {
			continue
		}
		data, _ := core.ReadBytes(hs.Space, x.Addr, uint64(x.Heap+tablesTail-x.Addr))
		for i := 0; i+24 <= len(data); i += 8 {
			a, b, c := core.Addr(hs.Order.Uint64(data[i:])), core.Addr(hs.Order.Uint64(data[i+8:])),
				core.Addr(hs.Order.Uint64(data[i+16:]))
			switch {
			case a == 0 || a&7 != 0 || a >= x.Addr && a < x.Heap:
			case f.objectCache(a, b, c):
				f.table(RootCache, a, b, yield)
			case f.compilationCache(x.Addr, a, yield):
			default:
				f.eternal(a, yield)
			}
		}
	}
	return nil
}

// table visits the words of a table.
func (f *rootFinder) table(kind RootKind, start, end core.Addr, yield func(Root)) {
	data, _ := core.ReadBytes(f.h.v.Space, start, uint64(end-start))
	f.words(start, data, func(a core.Addr, t layout.Tagged) { yield(Root{Kind: kind, Place: a, Target: t}) })
	f.done = append(f.done, layout.Area{Start: start, End: end})
}

// objectCache reports whether three words are a vector of the objects that snapshots
// of V8 refer to by number: all are objects, and the last is undefined
// (SerializerDeserializer::IterateStartupObjectCache, snapshot/serializer-deserializer.cc).
func (f *rootFinder) objectCache(begin, end, limit core.Addr) bool {
	if end&7 != 0 || end <= begin || limit < end || end-begin > 8*maxTable {
		return false
	}
	if w, ok := f.h.v.Word(end - 8); !ok || !f.oddball(layout.Tagged(w)) {
		return false
	}
	data, err := core.ReadBytes(f.h.v.Space, begin, uint64(end-begin))
	return err == nil && f.objects(data)
}

// oddball reports whether a word is undefined, or alike.
func (f *rootFinder) oddball(t layout.Tagged) bool {
	typ, ok := f.h.v.InstanceType(t)
	return ok && t.IsHeap() && f.h.v.Types.Names[typ] == "ODDBALL_TYPE"
}

// objects reports whether all words of data refer to objects.
func (f *rootFinder) objects(data []byte) bool {
	for i := 0; i+8 <= len(data); i += 8 {
		t := layout.Tagged(f.h.v.Order.Uint64(data[i:]))
		if t&3 != 1 {
			return false
		}
		if _, ok := f.h.page(t.Addr()); !ok {
			return false
		}
	}
	return true
}

// eternal visits the handles of an EternalHandles. It has their number and a vector of blocks, the last of
// which ends with holes (handles/global-handles.h).
func (f *rootFinder) eternal(at core.Addr, yield func(Root)) {
	hs := f.h.v
	var head [4]uint64
	for i := range head {
		w, ok := hs.Word(at + core.Addr(8*i))
		if !ok {
			return
		}
		head[i] = w
	}
	n, begin, end := uint64(uint32(head[0])), core.Addr(head[1]), core.Addr(head[2])
	if n == 0 || n > maxTable || begin&7 != 0 || end < begin ||
		uint64(end-begin)/8 != (n+eternalBlock-1)/eternalBlock || core.Addr(head[3]) < end {
		return
	}
	blocks, err := core.ReadBytes(hs.Space, begin, uint64(end-begin))
	if err != nil {
		return
	}
	for i := 0; i < len(blocks); i += 8 {
		b := core.Addr(hs.Order.Uint64(blocks[i:]))
		data, err := core.ReadBytes(hs.Space, b, eternalBlock*8)
		if b&7 != 0 || err != nil || !f.objects(data) {
			return
		}
	}
	for i := 0; i < len(blocks); i += 8 {
		b := core.Addr(hs.Order.Uint64(blocks[i:]))
		f.table(RootEternal, b, b+core.Addr(8*min(n, eternalBlock)), yield)
		n -= min(n, eternalBlock)
	}
}

const (
	// maxGenerations is more than the tables of a part of a CompilationCache.
	maxGenerations = 8
	// firstCached is the maximum offset of the first table in a CompilationCache: 16 from V8 11 on, 32 in 10.2.
	// Other objects that begin with their isolate may precede one.
	firstCached = 32
)

// compilationCache visits the tables of the CompilationCache at, which begins with its
// isolate; each of its parts does, too. It reports whether there is one. Until V8 9 a part
// has its tables in an array: how many, and a pointer (codegen/compilation-cache.h).
func (f *rootFinder) compilationCache(isolate, at core.Addr, yield func(Root)) bool {
	hs := f.h.v
	if w, ok := hs.Word(at); !ok || core.Addr(w) != isolate {
		return false
	}
	data, _ := core.ReadBytes(hs.Space, at, 8*cacheWords)
	found := f.cachedTables(at, data, firstCached, yield)
	for i := 8; i+24 <= len(data); i += 8 {
		n, array := hs.Order.Uint64(data[i+8:]), core.Addr(hs.Order.Uint64(data[i+16:]))
		if core.Addr(hs.Order.Uint64(data[i:])) != isolate || n == 0 || n > maxGenerations ||
			array == 0 || array&7 != 0 {
			continue
		}
		tables, err := core.ReadBytes(hs.Space, array, 8*n)
		if err == nil && f.cachedTables(array, tables, 0, yield) {
			found = true
			f.done = append(f.done, layout.Area{Start: array, End: array + core.Addr(8*n)})
		}
	}
	if found {
		f.done = append(f.done, layout.Area{Start: at, End: at + 8*cacheWords})
	}
	return found
}

// cachedTables visits the tables among words, and reports whether there are any: the first at most that far from at.
func (f *rootFinder) cachedTables(at core.Addr, data []byte, first int, yield func(Root)) bool {
	hs := f.h.v
	found := false
	for i := 0; i+8 <= len(data) && (found || i <= first); i += 8 {
		t := layout.Tagged(hs.Order.Uint64(data[i:]))
		typ, ok := hs.InstanceType(t)
		if t.IsHeap() && ok && hs.Types.Names[typ] == "HASH_TABLE_TYPE" {
			found = true
			yield(Root{Kind: RootCompilation, Place: at + core.Addr(i), Target: t})
		}
	}
	return found
}
