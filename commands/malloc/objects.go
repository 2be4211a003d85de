package malloc

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
)

var objectCommands = []commands.Command{{
	Name: "cxxobjects", Module: module, Addr: commands.AddrNone, Args: "[class]",
	Options: []commands.Option{
		{Letter: 'a', Help: "all other blocks, too: by constant data that they lead to, text, and unknown ones"},
		{Letter: 'n', Arg: "count", Help: "show this many classes (default 30; 0 for all)"},
	},
	Summary: "count the blocks of the heap of C by class",
	Detail: `A block in use is an object of a class if its first word points to a table of virtual functions. The class is named by the
symbol of the table or, in a stripped program, by its type_info. Other blocks have the type of a pointer that leads to them from
a variable of a module or a frame, if there is debugging information; nodes and buffers of containers of libstdc++ and libc++ are
named as such. Objects of CPython have their types: dict, Session. States of streams of zlib are known by their members. -a counts
all blocks: by a pointer to named constant data, as text, and the rest. BYTES is the size of the blocks alone. With a class, its
objects are listed one a line, for pipelines.`,
	Example:   "::cxxobjects Session | ::chunk",
	SeeAlso:   []string{"malloc", "findleaks", "chunk", "heapstat"},
	EmptyText: "no block in use has a table of virtual functions that is known, and no pointer with a known type leads to one",
	Run:       runObjects,
}}

// A classRecord is the blocks that are one thing.
type classRecord struct {
	_     out.Record `record:"cxxobjects" cols:"First Count Bytes name"`
	Class string     `json:"class"`
	// how that is known: vtable, type, object, shape, constant, text
	Kind  class.Kind `json:"class_by,omitempty"`
	First core.Addr  `json:"addr" col:"FIRST,16/12,right,%x" ink:"addr" dot:"always"` // the one with the lowest address
	Count int        `json:"count" col:"COUNT,10/8,right"`
	Bytes uint64     `json:"bytes" col:"BYTES,14/11,right"`
	Text  string     `json:"text,omitempty"` // what the first one begins with, if it is text

	name string `col:"CLASS" ink:"symbol"`
}

// An objectRecord is one block.
type objectRecord struct {
	_     out.Record `record:"cxxobject"`
	At    core.Addr  `json:"addr" col:"ADDR,16/12,right,%x" ink:"addr" dot:"always"`
	Size  uint64     `json:"size" col:"SIZE,10/8,right"`
	Class string     `json:"class" col:"CLASS" ink:"symbol"`
}

func runObjects(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	if len(c.Args) > 1 {
		return c.Usage("it takes one class")
	}
	if _, err := heapsOf(ctx, c); err != nil {
		return err
	}
	if len(c.Args) == 0 {
		return emitClasses(ctx, c, c.Flag('a'), most)
	}
	want := c.Text(c.Args[0])
	return eachClass(ctx, c, func(p *block.Packed, k class.Class) error {
		if k.Name != want {
			return nil
		}
		return c.Emit(&objectRecord{At: p.At, Size: p.Size(), Class: k.Name})
	})
}

// eachClass calls visit for all blocks in use.
func eachClass(ctx context.Context, c *commands.Call, visit func(*block.Packed, class.Class) error) error {
	b, err := c.Session.Native().Blocks(ctx)
	if err != nil {
		return err
	}
	count := 0
	b.Index.Each(func(id int, p *block.Packed) bool {
		if count++; count&0xfff == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = visit(p, b.Of(id, p))
		}
		return err == nil
	})
	return err
}

// emitClasses counts the blocks by class; most is 0 for all.
func emitClasses(ctx context.Context, c *commands.Call, any bool, most int) error {
	rows := map[class.Class]*classRecord{}
	err := eachClass(ctx, c, func(p *block.Packed, k class.Class) error {
		if !any && k.Kind != class.Vtable && k.Kind != class.Typed && k.Kind != class.Object && k.Kind != class.Shape {
			return nil
		}
		r := rows[k]
		if r == nil {
			r = &classRecord{Class: cmp.Or(k.Name, "(not known)"), Kind: k.Kind, First: p.At}
			if r.name = r.Class; k.Kind == class.Text {
				r.Text = commands.BlockText(c.Session.Process, p)
				r.name += ", such as " + strconv.Quote(r.Text)
			}
			rows[k] = r
		}
		r.Count++
		r.Bytes += p.Size()
		return nil
	})
	if err != nil {
		return err
	}
	list := make([]*classRecord, 0, len(rows))
	for _, r := range rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *classRecord) int {
		return cmp.Or(-cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Class, b.Class), cmp.Compare(a.First, b.First))
	})
	if most > 0 {
		list = list[:min(most, len(list))]
	}
	return commands.EmitAll(c, list)
}
