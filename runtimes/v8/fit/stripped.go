package fit

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// decode returns the V8 of an image without constants of its own, by the table of a
// version that fits what is in the core: the map of maps says what number maps have as a
// type, and functions of the core must decode. It returns nil, with the reason, if none
// does.
func (u *Undecoded) decode(t runtimes.Target) *Candidate { return u.decodeBy(t, correction) }

// decodeBy is decode with stages of steps.
func (u *Undecoded) decodeBy(t runtimes.Target, by stages) *Candidate {
	ver, ok := layout.ParseVersion(u.version)
	if !ok || u.module == nil || u.heap.width == 0 {
		return nil
	}
	var box *sandbox
	variants := []layout.Variant{{TaggedSize: u.heap.width}}
	if u.heap.width == 4 {
		variants = append(variants, layout.Variant{TaggedSize: 4, Sandbox: true})
		if box = newSandbox(t); box != nil {
			slices.Reverse(variants) // with its tables it has it, most likely
		}
	}
	var tables []*layout.Table
	for _, variant := range variants {
		list, err := layout.Tables(variant, ver)
		if err != nil {
			u.because("%v", err)
			return nil
		}
		tables = append(tables, list...)
	}
	if len(tables) == 0 {
		u.because("there is no table of constants for tagged fields of %d bytes", u.heap.width)
		return nil
	}
	sizes := u.bytecodeSizes(t)
	builtins := u.builtins
	if builtins == nil {
		builtins = embedded.Find(t.Process, u.module)
	}
	x := &trial{Undecoded: u, t: t, ver: ver, sizes: sizes, builtins: builtins, box: box, stages: by}
	x.objects = sync.OnceValue(x.sampleObjects)
	var best *Candidate
	if u.builtins != nil {
		if best = x.alone(tables); best == nil {
			return nil
		}
	} else {
		best = x.fitting(tables)
	}
	if best == nil || best.SelfTest().Coded == 0 {
		u.sandboxed(box)
	}
	if best == nil {
		u.because("no table of constants fits the map of maps, at %v", u.heap.meta)
		return nil
	}
	x.take(x.chosen, best)
	if err := best.Doubt(); err != nil {
		u.because("%v", err)
		return nil
	}
	if best.SelfTest().Coded == 0 {
		u.because("no function with bytecodes was found to try the table of V8 %d.%d on",
			best.Image.Constants.Table.Version.Major, best.Image.Constants.Table.Version.Minor)
		return nil
	}
	return best
}

// A table that only a few functions confirm, as in a waiting process, has to be better than the next ones.
// Types that have moved are recognized by the likeness of maps. With another version's types functions may
// decode, and the objects they refer to not.
const (
	fewSound  = 10
	maxRivals = 2
	// firstTables are tried in every way before the tables of more distant versions.
	firstTables = 4
)

// A trial is what tables are tried on.
type trial struct {
	*Undecoded
	t        runtimes.Target
	ver      layout.Version
	sizes    []byte // of bytecodes
	builtins *embedded.Builtins
	box      *sandbox
	// objects are the objects that samples are taken from, whatever the table.
	objects func() sampleList
	stages
}

// sampleObjects returns objects of the heap of the map of maps.
func (x *trial) sampleObjects() sampleList {
	return sampleObjects(x.t.Process.Space, x.t.Process.Arch.Order, x.heap.width, func(at core.Addr) bool {
		return x.heap.width == 8 || at&^(layout.CageSize-1) == x.heap.meta&^(layout.CageSize-1)
	})
}

// fitting returns the V8 by the table that most functions decode with, of equals by the nearest
// version's; nil if no table fits the map of maps.
func (x *trial) fitting(tables []*layout.Table) (best *Candidate) {
	rivals := 0
	for near := range slices.Chunk(tables, firstTables) {
		// The heap is asked for the type of bytecode arrays only if no order of these tables' maps gives it: an
		// order that has it wrong may have others wrong.
		for _, asked := range []bool{false, true} {
			for numbered := range x.numberedAll(near, asked) {
				v := x.decoder(numbered)
				if best == nil || v.SelfTest().better(best.SelfTest()) {
					best = v
				}
				switch found := best.SelfTest(); {
				case found.Functions == 0 || found.Sound < found.Functions || found.Coded == 0:
				case found.Functions >= fewSound || rivals == maxRivals:
					return best
				default:
					rivals++
				}
			}
			if best != nil && best.SelfTest().Coded > 0 {
				return best
			}
		}
	}
	return best
}

// alone returns the V8 by a table of its very version, unchanged. Without the image there is nothing to correct
// the table by, and trying the ways types may have moved takes long. It returns nil, with the reason, if there
// is no such table.
func (x *trial) alone(tables []*layout.Table) (best *Candidate) {
	for _, table := range tables {
		if !table.IsOf(x.ver) || !x.suits(table) {
			continue
		}
		if v := x.decoder(table); best == nil || v.SelfTest().better(best.SelfTest()) {
			best = v
		}
	}
	if best == nil {
		x.because("no table of V8 %d.%d fits, and the tables of other versions need the image",
			x.ver.Major, x.ver.Minor)
	}
	return best
}

// numberedAll yields each of the tables with each of its numberings: see numberings.
func (x *trial) numberedAll(tables []*layout.Table, asked bool) iter.Seq[*layout.Table] {
	return func(yield func(*layout.Table) bool) {
		for _, table := range tables {
			for numbered := range x.numberings(table, asked) {
				if !yield(numbered) {
					return
				}
			}
		}
	}
}

// sandboxed says what the sandbox keeps bytecodes behind, if there is one.
func (u *Undecoded) sandboxed(box *sandbox) {
	if box != nil {
		u.because("it has the sandbox, where bytecodes are reached by handles: its table of trusted pointers, at %#x, has %d objects of the cage at %#x",
			uint64(box.trusted.base), box.trusted.objects, uint64(box.trusted.cage))
	}
}

// firstSizes are the sizes of the bytecodes that every version begins with, by the
// prefix: none, Wide, ExtraWide. They are the prefixes themselves and the breakpoints
// of the debugger, up to one of a word for a runtime function and three registers
// (interpreter/bytecodes.h: BYTECODE_LIST).
var firstSizes = [3][]byte{
	{1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 6},
	{3, 5, 7, 9, 7, 9},
	{5, 9, 13, 17, 11, 15},
}

// maxBytecodes is more than the bytecodes of any version.
const maxBytecodes = 256

// bytecodeSizes finds V8's table of the sizes of bytecodes in the image, nil if it is
// not there: three rows of the same length, of bytes, or of ints until V8 9
// (interpreter/bytecodes.cc: Bytecodes::kBytecodeSizes).
func (u *Undecoded) bytecodeSizes(t runtimes.Target) (sizes []byte) {
	order := t.Process.Arch.Order
	for _, width := range []int{1, 4} {
		first := make([]byte, width*len(firstSizes[0]))
		for i, n := range firstSizes[0] {
			if first[i*width] = n; width > 1 {
				order.PutUint32(first[i*width:], uint32(n))
			}
		}
		embedded.EachConstant(t.Process, u.module, func(at core.Addr, data []byte) {
			for from := 0; sizes == nil; from++ {
				i := bytes.Index(data[from:], first)
				if i < 0 {
					return
				}
				from += i
				table := make([]byte, 3*maxBytecodes*width)
				n, _ := t.Process.Space.ReadAt(table, at+core.Addr(from))
				sizes = threeRows(narrow(table[:n/width*width], width, order))
			}
		})
		if sizes != nil {
			break
		}
	}
	return sizes
}

// narrow returns numbers as bytes, width bytes each; larger numbers become 0.
func narrow(data []byte, width int, order binary.ByteOrder) []byte {
	if width == 1 {
		return data
	}
	out := make([]byte, 0, len(data)/width)
	for i := 0; i+width <= len(data); i += width {
		n := order.Uint32(data[i:])
		if n > 255 {
			n = 0
		}
		out = append(out, byte(n))
	}
	return out
}

// threeRows returns the three rows that data begins with, nil if it does not.
func threeRows(data []byte) []byte {
	const wide = 5 // of bytecodes without operands, before the others
	row := bytes.Index(data, firstSizes[1]) - wide
	if row > len(firstSizes[0]) && row <= maxBytecodes && 3*row <= len(data) &&
		bytes.HasPrefix(data[2*row+wide:], firstSizes[2]) {
		return data[:3*row]
	}
	return nil
}

// embedder returns what comes after the version: "-node.53".
func (u *Undecoded) embedder() string {
	if i := strings.IndexByte(u.version, '-'); i >= 0 {
		return u.version[i:]
	}
	return ""
}

// numberings yields a table if its types are the core's, else the table with each numbering of types that the
// core may have. With asked it yields only the numberings whose type of bytecode arrays comes from the heap and
// differs from the table's.
func (x *trial) numberings(table *layout.Table, asked bool) iter.Seq[*layout.Table] {
	return func(yield func(*layout.Table) bool) {
		if named, ok := x.named(table); ok {
			if !asked { // it was tried
				yield(named)
			}
			return
		}
		renumbered, shifted := x.renumbered(x.t, table)
		if x.suits(table) && !shifted && !x.build(table).shiftedJS(table) {
			if !asked {
				yield(table)
			}
			return
		}
		for _, moved := range renumbered {
			if x.suits(moved) && !x.numbered(moved, table, asked, yield) {
				return
			}
		}
	}
}

// numbered yields the table with the moved types and the types that the heap shows at their places: see
// numberings.
func (x *trial) numbered(moved, table *layout.Table, asked bool, yield func(*layout.Table) bool) bool {
	out := x.build(moved).renumberJS(moved, table)
	if asked {
		v := x.build(out)
		types := bytecodeTypes(v)
		if n, ok := types[bytecodeType]; !ok || n == v.Types.BytecodeArray {
			return true
		}
		out = withTypes(out, types)
	}
	out = withTypes(out, x.build(out).fieldTypes())
	return yield(withTypes(out, x.build(out).globalTypes()))
}

// named returns the table with the instance types of the list of this version, which are numbered alike whatever
// the width of tagged fields is, if there is one and the core bears it out: a build may have other types.
func (x *trial) named(table *layout.Table) (*layout.Table, bool) {
	names := layout.TypeList(x.ver)
	if names == nil || table.IsOf(x.ver) {
		return nil, false
	}
	out := table.WithTypes(names)
	number, known := x.numberType(x.t, layout.Constants{Values: out.Constants, Table: out})
	if !known || number != out.Constants[numberType] || !x.suits(out) || x.build(out).shiftedJS(out) {
		return nil, false
	}
	return out, true
}

// build returns the V8 by a table as it stands.
func (x *trial) build(table *layout.Table) *Candidate {
	c := layout.Constants{Values: table.Constants, Table: table}
	img := layout.Stripped(x.t, x.module, x.ver, x.embedder(), c, x.builtins)
	img.BytecodeSizes, img.Unread = x.sizes, x.Undecoded.builtins != nil
	mem := layout.NewMemory(x.t, img, layout.New(x.ver, c))
	if mem.Compressed() {
		setCages(mem, x.heap.meta)
		if table.Variant.Sandbox && x.box != nil {
			mem.Sandbox = x.box.layout(x.heap.meta)
		}
	}
	v := New(mem)
	v.objects = x.objects
	x.take(x.typeless, v)
	return v
}

// decoder returns the V8 for a table, corrected by facts of the core.
func (x *trial) decoder(table *layout.Table) *Candidate {
	v := x.build(table)
	x.take(x.typed, v)
	return v
}

// suits reports whether a table fits the map of maps.
func (x *trial) suits(table *layout.Table) bool {
	c := layout.Constants{Values: table.Constants, Table: table}
	at, ok1 := c.Find("class_Map__instance_type__")
	want, ok2 := c.Values["type_Map__MAP_TYPE"]
	if !ok1 || !ok2 {
		return false
	}
	cursor := x.t.Process.Cursor()
	got := cursor.U16(x.heap.meta.Add(int64(at)))
	return cursor.Err() == nil && int(got) == want
}
