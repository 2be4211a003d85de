package heap

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/vmstructs"
)

// Where the scene of the tests has libjvm's tables, classes and objects.
const (
	structsAt = 0x100000
	typesAt   = 0x110000
	longsAt   = 0x120000
	endAt     = 0x130000
	namesAt   = 0x200000
	staticsAt = 0x300000
	klassesAt = 0x10000000
	symbolsAt = 0x20000000
	heapAt    = 0x30000000
)

// Numbers of the classes of the scene, in units of 1024 bytes. Four shorts of value 6 are a word with the number of Env
// above its 42 bits, {2, 0, 2, 5} one with the number of Pair.
const (
	shorts = 0x200
	env    = 0x180
	pair   = 0x140
	base   = 0x141 // abstract
)

// compactJVM returns a walker of a virtual machine of JDK 27 with compact headers, whose heap begins with some words.
// The type called flagged has _access_flags.
// The parts of a mark word, by share/oops/markWord.hpp:
// klass:22 hash:31 unused:4 age:4 self-forwarded:1 lock:2.
func compactJVM(t *testing.T, flagged string, words ...uint64) *walk {
	t.Helper()
	b := coretest.New(core.AMD64)
	names := []byte{0}
	name := func(s string) uint64 {
		at := namesAt + uint64(len(names))
		names = append(append(names, s...), 0)
		return at
	}
	structs := []uint64{structsAt + 8}
	static := func(typ, field string, at uint64) {
		structs = append(structs, name(typ), name(field), name("char*"), 1, 0, at)
	}
	static("JVMFlag", "flags", staticsAt)
	static("JVMFlag", "numFlags", staticsAt+8)
	static("CompressedKlassPointers", "_base", staticsAt+16)
	static("CompressedKlassPointers", "_shift", staticsAt+24)
	for _, f := range []struct {
		typ, name, of string
		offset        uint64
	}{
		{"JVMFlag", "_name", "const char*", 0}, {"JVMFlag", "_addr", "void*", 8},
		{"Klass", "_layout_helper", "jint", 8}, {"Klass", "_name", "Symbol*", 24}, {"Klass", "_super", "Klass*", 32},
		{flagged, "_access_flags", "u2", 40},
		{"Symbol", "_length", "u2", 0}, {"Symbol", "_body", "u1", 6}, {"oopDesc", "_mark", "markWord", 0},
		{"oopDesc", "_compressed_klass", "narrowKlass", 8},
	} {
		structs = append(structs, name(f.typ), name(f.name), name(f.of), 0, f.offset, 0)
	}
	longs := []uint64{longsAt + 8, name("markWord::klass_shift"), 42, name("markWord::age_mask_in_place"), 0xf << 3,
		name("markWord::hash_mask_in_place"), 0x7fffffff << 11, name("markWord::unlocked_value"), 1, 0}
	b.Words(structsAt, append(structs, 0)...).Words(longsAt, longs...).Words(endAt, endAt+8, 0)
	b.Words(typesAt, typesAt+8, name("JVMFlag"), 0, 0, 0, 16, name("u2"), 0, 0, 0, 2, 0)
	b.Words(staticsAt, staticsAt+32, 1, klassesAt, 10, name("UseCompactObjectHeaders"), staticsAt+48, 1)
	for i, k := range []struct {
		number, helper, access uint64
		name                   string
	}{
		{shorts, 0xc00c0901, 0, "[S"}, {env, 8, 0, "demo/Env"},
		{pair, 16, 0, "demo/Pair"}, {base, 16, 0x400, "demo/Base"},
	} {
		at := symbolsAt + uint64(0x40*i)
		text := binary.LittleEndian.AppendUint16(nil, uint16(len(k.name)))
		b.Map(core.Addr(at), append(append(text, 0, 0, 0, 0), k.name...))
		b.Words(core.Addr(klassesAt+k.number<<10+8), k.helper, 0, at, 0, k.access)
	}
	p := b.Map(namesAt, names).Words(heapAt, words...).Process()
	tables, err := vmstructs.Read(p, func(s string) (core.Addr, bool) {
		at, ok := map[string]core.Addr{vmstructs.SymStructs: structsAt, vmstructs.SymTypes: typesAt,
			vmstructs.SymLongs: longsAt}[s]
		if !ok {
			at = endAt
		}
		return at, true
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &frame.Decoder{Cache: &code.Cache{Reader: object.NewReader(tables)}}
	return &walk{h: &Heap{w: NewWalker(d), Gaps: map[core.Addr]core.Addr{},
		Spaces: []Space{{Begin: heapAt, Top: heapAt + core.Addr(8*len(words))}}}}
}

// TestResume: after an object whose header was cleared, words of its data are no objects, even if they have the number
// of a class where a header has it.
func TestResume(t *testing.T) {
	const unlocked, age, hash = 1, 3 << 3, 0x2545f491 << 11
	header := func(number, mark uint64) uint64 { return number<<42 | mark }
	for _, c := range []struct {
		what  string
		words []uint64
		want  []int // which words objects begin at
	}{
		{"nothing is damaged",
			[]uint64{header(shorts, unlocked), 6<<48 | 6<<32 | 4, 6<<32 | 6, header(pair, unlocked), 0},
			[]int{0, 3}},
		{"shorts of value 6 have the class of Env, and other bits", []uint64{0, 0, 6<<48 | 6<<32 | 6<<16 | 6,
			6<<48 | 6<<32 | 6<<16 | 6, 6<<48 | 6<<32 | 6<<16 | 6, header(pair, unlocked|age), 0, header(env, unlocked)},
			[]int{5, 7}},
		{"a bit between hash and age is set", []uint64{0, 0, header(env, unlocked|1<<7), header(pair, unlocked), 0},
			[]int{3}},
		{"what has a mark word is followed by none", []uint64{0, 0, header(env, unlocked), 5, header(pair, unlocked), 0},
			[]int{4}},
		{"an abstract class has no objects", []uint64{0, 0, header(base, unlocked), 0, header(pair, unlocked), 0},
			[]int{4}},
		{"nor is one behind the first", []uint64{0, 0, header(env, unlocked), header(base, unlocked), 0,
			header(env, unlocked)}, []int{5}},
		{"one behind the first ends behind the end", []uint64{0, 0, header(env, unlocked), header(pair, unlocked)}, nil},
		{"the next object has a hash", []uint64{0, 0, 0, header(pair, unlocked|age|hash), 0, header(env, unlocked)},
			[]int{3, 5}},
		{"the one behind it is locked", []uint64{0, 0, 0, header(pair, unlocked), 0, header(env, 0), header(env, 2)},
			[]int{3, 5, 6}},
		{"the next object is the last", []uint64{0, 0, 0, header(pair, unlocked), 0}, []int{3}},
	} {
		for _, flagged := range []string{"Klass", "InstanceKlass"} {
			if got := objectsAt(compactJVM(t, flagged, c.words...)); !slices.Equal(got, c.want) {
				t.Errorf("%s: with flags in %s objects at words %v, want %v", c.what, flagged, got, c.want)
			}
		}
	}
}

// TestResumeWithoutFlags: where the tables do not say which classes are abstract, each may have objects.
func TestResumeWithoutFlags(t *testing.T) {
	w := compactJVM(t, "Method", 0, 0, base<<42|1, 0, pair<<42|1, 0)
	if got := objectsAt(w); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("objects at words %v", got)
	}
}

// objectsAt returns the words of the heap that objects begin at.
func objectsAt(w *walk) (at []int) {
	s := w.h.Spaces[0]
	w.objects(s.Begin, s.Top, func(a core.Addr, _ uint64, _ *object.Class) { at = append(at, int(a-heapAt)/8) })
	return at
}
