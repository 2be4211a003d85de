package heap

import (
	"context"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

var queryCommands = []commands.Command{{
	Name: "dupstrings", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'n', Arg: "count", Help: "show this many contents (default 30; 0 for all)"},
		{Letter: 'm', Arg: "bytes", Help: "leave out contents that would save less (default 1)"},
		{Letter: 'a', Help: "compare what is not reachable, too"},
	},
	Summary: "show the contents that several strings have",
	Detail: `All reachable strings are compared by their characters, whether these are kept in one byte
each or in two. The first row would save most bytes if there were only one of
them: SAVED is the size of all except the smallest. A pipe gets the addresses of all copies.

V8's strings are compared if they contain their own characters. Ropes that
were never read, slices, internalized twins (thin strings) and external strings lead to
characters elsewhere, and neither repeat them nor count. In a heap snapshot strings of
1024 characters and more are cut; they are left out, and counted in a warning.`,
	Example:   "::dupstrings -n 5",
	SeeAlso:   []string{"heapstat", "find", "bigarrays"},
	EmptyText: "no two strings have the same content",
	Run:       runDupstrings,
}, {
	Name: "bigarrays", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'n', Arg: "count", Help: "show this many (default 30; 0 for all)"},
		{Letter: 'a', Help: "show what is not reachable, too"},
	},
	Summary: "show the largest arrays and buffers",
	Detail: `Arrays, typed arrays, buffers and the tables of collections by their own bytes: the bytes of
their elements, in the heap and outside, without the objects that elements refer to.
LENGTH is the length that the program sees, for a buffer its bytes; ROOM the elements that there is
memory for, if that is known; HOLES the elements that are not there or, in Java, null. HELD
BY is the object without which the array would be garbage, with the reference if it has
that itself; none if several keep it, or a root does.

The address belongs to the object that a program knows, if there is one: an Array, and
not the store of its elements.`,
	Example:   "::bigarrays -n 5",
	SeeAlso:   []string{"heapstat", "dominators", "dupstrings"},
	EmptyText: "no array is reachable",
	Run:       runBigarrays,
}, {
	Name: "objects-like", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'a', Help: "show what is not reachable, too"}},
	Summary: "find the objects of the same shape as one",
	Detail: `In JavaScript objects are alike whose constructor is the same and whose properties have
the same names, in whichever order and mode; in Java, objects of one class. Prototypes of
functions and the templates of literals are alike only among themselves. The object
itself is among them. Objects are shown in order of address, for pipes.`,
	Example: "::findjsobjects -c Widget | ::objects-like",
	SeeAlso: []string{"findjsobjects", "find", "javaheap"},
	Run:     runObjectsLike,
}}

// keeper returns what leaves out objects that are not reachable, unless -a is given.
func keeper(c *commands.Call, g *graph.Graph) func(graph.ID) bool {
	all := c.Flag('a')
	return func(id graph.ID) bool { return all || g.Reachable(id, graph.Stacked) }
}

// dupRecord is a content that several strings have.
type dupRecord struct {
	_      out.Record `record:"dupstring" cols:"First Count Length Bytes Saved text"`
	Value  string     `json:"value"` // its first characters
	Cut    bool       `json:"cut,omitempty"`
	Length uint64     `json:"length" col:"LENGTH,9,right"`                            // in UTF-16 units
	Count  int        `json:"count" col:"COUNT,9,right"`                              // strings that have it
	Bytes  uint64     `json:"bytes" col:"BYTES,12,right"`                             // of all of them
	Saved  uint64     `json:"saved" col:"SAVED,12,right"`                             // if there were only one
	First  core.Addr  `json:"addr" col:"EXAMPLE,16,right,%x" ink:"addr" dot:"always"` // one of the strings

	text string `col:"CONTENT" ink:"string"`
	all  []core.Addr
}

// Addr returns the address of an example.
func (r *dupRecord) Addr() (core.Addr, bool) { return r.First, true }

// Addrs returns the addresses of all copies, for pipes.
func (r *dupRecord) Addrs() []core.Addr { return r.all }

func runDupstrings(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	least, err := c.Int('m', 1)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	d, err := g.Duplicates(ctx, keeper(c, g))
	if err != nil {
		return err
	}
	if d.Unread > 0 {
		c.Session.Warn(c.Unknown("%s could not be read whole, and %s not compared", out.Count(d.Unread, "string"),
			were(d.Unread)))
	}
	for i := range d.List {
		x := &d.List[i]
		if most > 0 && i >= most || x.Saved < uint64(least) {
			break
		}
		if err := c.Emit(newDup(g, x)); err != nil {
			return err
		}
	}
	return nil
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// shownText is how many characters of a content a line of text has.
const shownText = 60

func newDup(g *graph.Graph, x *graph.Duplicate) *dupRecord {
	r := &dupRecord{Value: x.Text, Length: x.Length, Count: len(x.Copies), Bytes: x.Bytes, Saved: x.Saved}
	runes := []rune(x.Text)
	r.Cut = uint64(len(runes)) < x.Length && x.Length > graph.MaxSample
	text, cut := x.Text, r.Cut
	if len(runes) > shownText {
		text, cut = string(runes[:shownText]), true
	}
	if r.text = out.Clean(strconv.Quote(text), false); cut {
		r.text += "…"
	}
	for _, id := range x.Copies {
		r.all = append(r.all, g.Source().Shown(g.Addr(id)))
	}
	r.First = r.all[0]
	return r
}

// arrayRecord is an array or a buffer.
type arrayRecord struct {
	_         out.Record `record:"bigarray" cols:"At Bytes length room holes is held"`
	At        core.Addr  `json:"addr" col:"OBJECT,16,right,%x" ink:"addr" dot:"always"`
	Class     string     `json:"class"`
	Is        string     `json:"is,omitempty"`               // what it is, in a few words
	Bytes     uint64     `json:"bytes" col:"BYTES,12,right"` // of its elements
	External  uint64     `json:"external,omitempty"`         // of these, outside the heap
	Length    *int64     `json:"length,omitempty"`           // elements; bytes of a buffer
	Capacity  *int64     `json:"capacity,omitempty"`         // elements that there is room for
	Used      *int64     `json:"used,omitempty"`             // elements that are neither holes nor null
	Holes     *int64     `json:"holes,omitempty"`            // the others
	Store     core.Addr  `json:"store,omitzero"`             // the object that has the elements, if that is another one
	Holder    core.Addr  `json:"holder,omitzero"`            // what dominates it
	HeldBy    string     `json:"held_by,omitempty"`          // what that is
	Reference string     `json:"reference,omitempty"`        // of the holder to it, if it has one
	length    string     `col:"LENGTH,10,right"`
	room      string     `col:"ROOM,10,right"`
	holes     string     `col:"HOLES,10,right"`
	is        string     `col:"IS,-24" ink:"symbol"`
	held      string     `col:"HELD BY"`
}

func runBigarrays(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	list, err := g.Arrays(ctx, most, keeper(c, g))
	if err != nil {
		return err
	}
	for i := range list {
		if err := c.Emit(newArray(g, &list[i])); err != nil {
			return err
		}
	}
	return nil
}

func newArray(g *graph.Graph, x *graph.BigArray) *arrayRecord {
	src, id := g.Source(), x.ID
	r := &arrayRecord{Bytes: x.Bytes, External: g.External(x.ID)}
	if x.Owner != 0 {
		if owner, ok := g.ID(x.Owner); ok {
			id = owner
			r.Store = src.Shown(g.Addr(x.ID))
		}
	}
	at := g.Addr(id)
	r.At, r.Class, r.Is, r.is = src.Shown(at), g.Type(id).Class, src.Describe(at), nameOf(g, id)
	if r.Is == r.Class {
		r.Is = ""
	}
	r.Length, r.length = known(x.Length)
	r.Capacity, r.room = known(x.Capacity)
	r.Used, _ = known(x.Used)
	r.Holes, r.holes = known(x.Holes())
	if r.held = "-"; x.Holder != graph.None {
		path := []core.Addr{g.Addr(x.Holder), at}
		if x.Via != graph.None {
			path = []core.Addr{path[0], g.Addr(x.Via), at}
		}
		r.Holder, r.HeldBy = src.Shown(path[0]), nameOf(g, x.Holder)
		r.Reference = src.Steps(path)[len(path)-1].Reference.String()
		if r.held = r.HeldBy; r.Reference != "" {
			r.held += ": " + out.Clean(r.Reference, false)
		}
	}
	return r
}

// known returns a number for both forms of a record; none if it is negative.
func known(n int64) (*int64, string) {
	if n < 0 {
		return nil, "-"
	}
	return &n, strconv.FormatInt(n, 10)
}

// likeRecord is an object of a list.
type likeRecord struct {
	_     out.Record `record:"likeobject" text:"{addr}"`
	At    core.Addr  `json:"addr" dot:"always"`
	Class string     `json:"class"`
}

func runObjectsLike(ctx context.Context, c *commands.Call) error {
	g, id, err := objectOf(ctx, c)
	if err != nil {
		return err
	}
	list, err := g.Alike(ctx, id, keeper(c, g))
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := c.Emit(&likeRecord{At: g.Source().Shown(g.Addr(x)), Class: g.Type(x).Class}); err != nil {
			return err
		}
	}
	return nil
}
