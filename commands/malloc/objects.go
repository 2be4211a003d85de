package malloc

import (
	"cmp"
	"context"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
)

var objectCommands = []commands.Command{{
	Name: "cxxobjects", Module: module, Addr: commands.AddrNone, Args: "[class]",
	Options: []commands.Option{
		{Letter: 'a', Help: "blocks that are no such objects, too: by constant data that they lead to, text, and what nothing is known of"},
		{Letter: 'n', Arg: "count", Help: "show this many classes (default 30; 0 for all)"},
	},
	Summary: "count the blocks of the heap of C by class",
	Detail: `A block in use is an object of a class if its first word points to a table of virtual functions. The class is named by the
symbol of the table or, in a stripped program, by its type_info. -a counts the other blocks, too: by a pointer to named constant data,
as text, and the rest. BYTES is the size of the blocks alone. With a class, its objects are listed one a line, for pipelines.`,
	Example: "::cxxobjects Session | ::chunk",
	SeeAlso: []string{"malloc", "findleaks", "chunk", "heapstat"},
	Nothing: "no block in use has a table of virtual functions that is known",
	Run:     runObjects,
}}

// A classRecord is the blocks that are one thing.
type classRecord struct {
	_     out.Record `record:"cxxobjects" cols:"First Count Bytes Class"`
	Class string     `json:"class" col:"CLASS" ink:"symbol"`
	Kind  class.Kind `json:"class_by,omitempty"`                                      // how that is known: vtable, constant, text
	First core.Addr  `json:"addr" col:"FIRST,16/12,right,%x" ink:"addr" dot:"always"` // the one with the lowest address
	Count int        `json:"count" col:"COUNT,10/8,right"`
	Bytes uint64     `json:"bytes" col:"BYTES,14/11,right"`
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
	all, err := heapsOf(ctx, c)
	if err != nil {
		return err
	}
	if len(c.Args) == 0 {
		return emitClasses(ctx, c, all, c.Has('a'), most)
	}
	want := c.Text(c.Args[0])
	return eachClass(ctx, c, all, func(p *block.Packed, k class.Class) error {
		if k.Name != want {
			return nil
		}
		return c.Emit(&objectRecord{At: p.At, Size: p.Size(), Class: k.Name})
	})
}

// eachClass calls visit for all blocks in use.
func eachClass(ctx context.Context, c *commands.Call, all []known, visit func(*block.Packed, class.Class) error) error {
	var err error
	n := c.Session.Classes()
	for _, k := range all {
		count := 0
		k.heap.Each(func(_ block.Ref, p *block.Packed) bool {
			if count++; count&0xfff == 0 {
				err = ctx.Err()
			}
			if p.State() == block.Used && err == nil {
				err = visit(p, n.Of(p.At, p.Size()))
			}
			return err == nil
		})
		if err != nil {
			break
		}
	}
	return err
}

// emitClasses counts the blocks by what they are; most is 0 for all.
func emitClasses(ctx context.Context, c *commands.Call, all []known, any bool, most int) error {
	rows := map[class.Class]*classRecord{}
	err := eachClass(ctx, c, all, func(p *block.Packed, k class.Class) error {
		if !any && k.Kind != class.Vtable {
			return nil
		}
		r := rows[k]
		if r == nil {
			r = &classRecord{Class: cmp.Or(k.Name, "(not known)"), Kind: k.Kind, First: p.At}
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
