package java

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

var heapCommands = []commands.Command{{
	Name: "javaheap", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'a', Help: "show all classes, not only the 30 with the most"},
		{Letter: 's', Help: "sort by number of objects, not by bytes"},
		{Letter: 'n', Arg: "count", Help: "show this many classes"},
		{Letter: 'p', Arg: "space", Help: "count only in spaces whose names hold this text"},
	},
	Summary: "count the objects of the Java heap by class",
	Detail: `All objects are counted that the spaces have, garbage included that was not collected
yet; bytes include alignment. A pipe gets the class. The last
line is the sum over all classes.`,
	Example: "::javaheap -n 5",
	SeeAlso: []string{"javasearch", "javaspaces"},
	Run:     runJavaHeap,
}, {
	Name: "javasearch", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'r', Help: "the name is a regular expression"},
		{Letter: 'i', Help: "objects of classes that extend or implement it, too"},
		{Letter: 'o', Help: "objects that refer to the one at the address, and where"},
		{Letter: 'n', Arg: "count", Help: "show at most this many objects (default 1000)"},
	},
	Args:    "[class]",
	Words:   classWords,
	Summary: "find objects of the Java heap",
	Detail: `Lists the objects of the class that is named, whose package may be left out, or that
is at the address. With -o it lists the objects with a reference to the one at the
address.`,
	Example: "::javasearch -i java.lang.Throwable",
	SeeAlso: []string{"javaheap", "javaclass", "javaprint"},
	Run:     runSearch,
}}

var heapWalkers = []commands.Walker{
	{Name: "javaobject", Module: module, Addr: commands.AddrOptional,
		Summary: "all objects of the Java heap, or of the class at the address",
		Walk:    walkObjects},
	{Name: "javaclass", Module: module, Addr: commands.AddrNone, Summary: "all classes of Java", Walk: walkClasses},
}

func walkObjects(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := heapOf(c)
	if err != nil {
		return err
	}
	_, err = h.Walk(ctx, func(o object.Object, _ uint64) bool {
		return c.HasAddr && o.Class.Addr != c.Dot || yield(o.Addr)
	})
	return err
}

func walkClasses(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	all, err := a.Classes(ctx)
	for _, k := range all {
		if !yield(k.Addr) {
			break
		}
	}
	return err
}

// countRecord is ::javaheap's count for a class or, last and without a class, for all.
type countRecord struct {
	_       out.Record `record:"javaheap" cols:"Objects Bytes Addr name" head:"keyword"`
	Class   string     `json:"class,omitempty"`
	Addr    core.Addr  `json:"addr,omitzero" col:"ADDR,8,%08x,gap=2,zero=" ink:"addr" dot:"nonzero"`
	Objects int        `json:"objects" col:"OBJECTS,10,right"`
	Bytes   uint64     `json:"bytes" col:"BYTES,14,right"`
	Classes int        `json:"classes,omitempty"`
	name    string     `col:"CLASS,gap=2" ink:"symbol"`
}

// Prepare implements out.Preparer.
func (r *countRecord) Prepare() {
	if r.name = r.Class; r.Addr == 0 {
		r.name = "sum of " + out.Count(r.Classes, "class")
	}
}

func runJavaHeap(ctx context.Context, c *commands.Call) error {
	x, err := histogram(ctx, c)
	if err != nil {
		return err
	}
	limit, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	for _, p := range x.Problems {
		c.Warn("Java heap: %s", p)
	}
	if c.Flag('s') {
		slices.SortStableFunc(x.Rows, func(x, y java.Count) int { return y.Objects - x.Objects })
	}
	sum := &countRecord{Classes: len(x.Rows)}
	for i, r := range x.Rows {
		sum.Objects, sum.Bytes = sum.Objects+r.Objects, sum.Bytes+r.Bytes
		if _, given := c.Opt('n'); i >= limit && (given || !c.Flag('a')) {
			continue
		}
		if err := c.Emit(&countRecord{Class: r.Class, Addr: r.Addr, Objects: r.Objects, Bytes: r.Bytes}); err != nil {
			return err
		}
	}
	return c.Emit(sum)
}

// histogram counts the objects in the spaces that -p chooses.
func histogram(ctx context.Context, c *commands.Call) (*java.Histogram, error) {
	name := c.Str('p')
	if m, ok := commands.RuntimeOf[java.Counter](c.Session); ok {
		x, err := m.JavaHistogram(ctx, func(space string) bool { return strings.Contains(space, name) })
		if err == nil && x.Spaces == 0 {
			return nil, fmt.Errorf("no space of the heap is called %q", name)
		}
		return x, err
	}
	_, h, err := heapOf(c)
	if err != nil {
		return nil, err
	}
	spaces := h.Spaces
	if name != "" {
		spaces = slices.DeleteFunc(slices.Clone(spaces),
			func(s *heap.Space) bool { return !strings.Contains(s.Name, name) })
		if len(spaces) == 0 {
			return nil, fmt.Errorf("no space of the heap is called %q; ::javaspaces lists them", name)
		}
	}
	rows, walked, err := h.Histogram(ctx, spaces...)
	if err != nil {
		return nil, err
	}
	warnWalk(c, walked)
	x := &java.Histogram{Spaces: len(spaces)}
	for _, r := range rows {
		x.Rows = append(x.Rows, java.Count{Class: r.Class.Name, Addr: r.Class.Addr, Objects: r.Objects, Bytes: r.Bytes})
	}
	return x, nil
}

// warnWalk says what a walk could not do.
func warnWalk(c *commands.Call, w *heap.Walked) {
	if w == nil {
		return
	}
	for _, p := range w.Problems {
		c.Warn("Java heap: %s", p)
	}
	if n := len(w.Bad); n > 0 {
		c.Warn("Java heap: %d places have no object where one should be, first %v: %s; ::javaspaces -c lists them", n,
			w.Bad[0].Addr, w.Bad[0].Reason)
	}
	if w.Moved > 0 {
		c.Warn("Java heap: a collection was under way: %d objects that it had moved are counted where they are now",
			w.Moved)
	}
}

// objectRecord is an object that was found.
type objectRecord struct {
	_     out.Record `record:"javaobject" cols:"At Size Class Slot brief"`
	At    core.Addr  `json:"addr" col:",%08x" ink:"addr" dot:"always"`
	Class string     `json:"class" col:"" ink:"symbol"`
	Size  uint64     `json:"size" col:",8,right"`
	Slot  string     `json:"slot,omitempty" col:",.%s,zero=,gap=0"` // the slot that refers to the object
	Where core.Addr  `json:"slot_addr,omitzero"`                    // of the slot
	brief string     `col:""`
}

func runSearch(ctx context.Context, c *commands.Call) error {
	a, h, err := heapOf(c)
	if err != nil {
		return err
	}
	limit, err := c.Int('n', 1000)
	if err != nil {
		return err
	}
	if c.Flag('o') {
		return searchReferences(ctx, c, a, h, limit)
	}
	want, err := searched(ctx, c, a)
	if err != nil {
		return err
	}
	found := 0
	var emitted error
	walked, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		if !want[o.Class.Addr] {
			return true
		}
		if found++; found <= limit {
			emitted = c.Emit(&objectRecord{At: o.Addr, Class: o.Class.Name, Size: size, brief: brief(a, o)})
		}
		return emitted == nil
	})
	if emitted != nil || err != nil {
		return firstErr(emitted, err)
	}
	warnWalk(c, walked)
	if found > limit {
		c.Warn("%d more objects are not shown; -n shows more", found-limit)
	}
	return nil
}

// firstErr returns the first of two errors that is one.
func firstErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// searched returns the classes whose objects are searched for.
func searched(ctx context.Context, c *commands.Call, a *art.ART) (map[core.Addr]bool, error) {
	var roots []*object.Class
	switch {
	case c.HasAddr:
		k, err := a.Class(c.Dot)
		if err != nil {
			return nil, err
		}
		roots = []*object.Class{k}
	case len(c.Args) == 0:
		return nil, c.Usage("it needs a class")
	case c.Flag('r'):
		re, err := regexp.Compile(c.Text(c.Args[0]))
		if err != nil {
			return nil, c.Usage("%v", err)
		}
		if roots, err = a.ClassesMatching(ctx, re); err != nil {
			return nil, err
		}
	default:
		var err error
		if roots, err = a.ClassesNamed(ctx, c.Text(c.Args[0])); err != nil {
			return nil, err
		}
	}
	if c.Flag('i') {
		return a.Below(ctx, roots)
	}
	want := map[core.Addr]bool{}
	for _, k := range roots {
		want[k.Addr] = true
	}
	return want, nil
}

// searchReferences lists the objects that refer to the one at dot.
func searchReferences(ctx context.Context, c *commands.Call, a *art.ART, h *heap.Heap, limit int) error {
	if !c.HasAddr {
		return c.Usage("-o needs the address of an object")
	}
	if _, err := a.Object(c.Dot); err != nil {
		return err
	}
	found := 0
	var emitted error
	walked, err := h.ReferencesTo(ctx, []core.Addr{c.Dot}, func(r heap.Reference, _ core.Addr) bool {
		if found++; found <= limit {
			size, _ := a.Size(r.Holder)
			emitted = c.Emit(&objectRecord{At: r.Holder.Addr, Class: r.Holder.Class.Name, Size: size,
				brief: brief(a, r.Holder), Slot: r.Name, Where: r.Slot})
		}
		return emitted == nil
	})
	if emitted != nil || err != nil {
		return firstErr(emitted, err)
	}
	warnWalk(c, walked)
	if found > limit {
		c.Warn("%d more references are not shown; -n shows more", found-limit)
	}
	return nil
}

// Prepare implements out.Preparer: what only says the class again is left out.
func (r *objectRecord) Prepare() {
	if r.brief == "["+r.Class+"]" {
		r.brief = ""
	}
}
