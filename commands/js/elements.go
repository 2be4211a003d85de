package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var jsarrayCommand = commands.Command{
	Name: "jsarray", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'i', Help: "show the index of each element"}},
	Summary: "list the elements of a JavaScript array",
	Detail: `Lists the words that the array holds, of whatever kind its elements are, without
holes. Numbers that V8 keeps untagged have no address and are shown as numbers.`,
	Example: "::jsprint -b T.arrObj | ::jsarray -i",
	SeeAlso: []string{"jsprint", "v8array"},
	Run:     runArray,
}

// elementRecord is one element of an array.
type elementRecord struct {
	index   uint64
	slot    object.Slot
	value   *inspect.Value
	indexed bool
}

func runArray(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	return eachElement(ctx, v, target.Tagged(v, c.Dot), func(i uint64, s object.Slot) error {
		return c.Emit(&elementRecord{i, s, v.Values.InspectSlot(s, brief), c.Flag('i')})
	})
}

// eachElement calls do for the elements of o until it fails.
func eachElement(ctx context.Context, v *v8.V8, o layout.Tagged, do func(uint64, object.Slot) error) error {
	var failed error
	n := 0
	err := v.Objects.Elements(o, func(i uint64, s object.Slot) bool {
		if n++; n&0xfff == 0 {
			failed = ctx.Err()
		}
		if failed == nil {
			failed = do(i, s)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// Addr returns the element's word.
func (r *elementRecord) Addr() (core.Addr, bool) { return core.Addr(r.slot.Word), !r.slot.Raw }

// Text writes the element's word, with -i after its index.
func (r *elementRecord) Text(w *out.Writer) {
	if r.indexed {
		w.Printf("%4d: ", r.index)
	}
	if r.slot.Raw {
		w.Printf("%s\n", layout.FormatNumber(r.slot.Double))
		return
	}
	w.Printf("%x\n", uint64(r.slot.Word))
}

// An elementJSON is an element as programs see it.
type elementJSON struct {
	_     out.Record     `record:"jselement"`
	Index uint64         `json:"index"`
	Addr  core.Addr      `json:"addr,omitzero"` // of an object; absent for other values
	Value *inspect.Value `json:"value"`
}

// JSON implements out.Formed.
func (r *elementRecord) JSON() any {
	j := &elementJSON{Index: r.index, Value: r.value}
	if !r.slot.Raw && r.slot.Word.IsHeap() {
		j.Addr = core.Addr(r.slot.Word)
	}
	return j
}

var v8arrayCommand = commands.Command{
	Name: "v8array", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'i', Help: "show the index of each word"}},
	Summary: "list the words of a FixedArray of V8",
	Detail: `Lists the tagged words of a FixedArray or of one of its kin: contexts, hash
tables, property arrays, scope infos of old versions.`,
	Example: "::jsprint -b T.closure | ::jscontext | ::v8array -i",
	SeeAlso: []string{"jsarray", "v8print"},
	Run:     runFixedArray,
}

func runFixedArray(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	data, n, err := v.Objects.FixedArray(target.Tagged(v, c.Dot))
	if err != nil {
		return err
	}
	for i := range n {
		if i&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w, err := v.Objects.Slot(data, i)
		if err != nil {
			return err
		}
		s := object.Slot{Word: w}
		if err := c.Emit(&elementRecord{uint64(i), s, v.Values.InspectSlot(s, brief), c.Flag('i')}); err != nil {
			return err
		}
	}
	return nil
}

func walkElements(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	err = eachElement(ctx, v, target.Tagged(v, c.Dot), func(_ uint64, s object.Slot) error {
		if !s.Raw && !yield(core.Addr(s.Word)) {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return nil
	}
	return err
}

var errEnough = fmt.Errorf("enough")

func walkProperties(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	const most = 1 << 22
	list, _, err := v.Objects.Properties(target.Tagged(v, c.Dot), most)
	for i := range list {
		p := &list[i]
		if !p.Accessor && !p.Native && !p.Value.Raw && !yield(core.Addr(p.Value.Word)) {
			return nil
		}
	}
	return err
}

var nodebufferCommand = commands.Command{
	Name: "nodebuffer", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'a', Help: "show only the address of the bytes"}},
	Summary: "show where the bytes of a Buffer lie",
	Detail: `Takes a Buffer, any typed array, a DataView or an ArrayBuffer. A pipe gets the
address of the bytes.`,
	Example: "::jsprint -b T.buf | ::nodebuffer -a | ::dump",
	SeeAlso: []string{"jsprint", "dump"},
	Run:     runBuffer,
}

// bufferRecord is where the bytes of a buffer lie.
type bufferRecord struct {
	_          out.Record `record:"nodebuffer"`
	Object     core.Addr  `json:"addr"`
	Class      string     `json:"class,omitempty"`
	Elements   string     `json:"elements,omitempty"`
	Data       core.Addr  `json:"data" dot:"nonzero"`
	Length     uint64     `json:"length"` // bytes
	ByteOffset uint64     `json:"byte_offset"`
	Buffer     core.Addr  `json:"buffer"` // the ArrayBuffer
	brief      bool
}

func runBuffer(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	r := &bufferRecord{Object: core.Addr(t), brief: c.Flag('a'), Class: v.Objects.Class(t)}
	if b, err := v.Objects.ArrayBuffer(t); err == nil {
		r.Data, r.Length, r.Buffer = b.Data, b.Length, core.Addr(t)
		return c.Emit(r)
	}
	w, err := v.Objects.View(t)
	if err != nil {
		return err
	}
	r.Data, r.Length, r.ByteOffset, r.Buffer, r.Elements = w.Data, w.Length, w.ByteOffset,
		core.Addr(w.Buffer), w.ElementType
	return c.Emit(r)
}

// Text writes the facts on a line; with -a only the address.
func (r *bufferRecord) Text(w *out.Writer) {
	if r.brief {
		w.Printf("%x\n", uint64(r.Data))
		return
	}
	w.Printf("%x: %s, %d bytes at %x, offset %d in ArrayBuffer %x\n", uint64(r.Object), inspect.Printable(r.Class),
		r.Length, uint64(r.Data), r.ByteOffset, uint64(r.Buffer))
}
