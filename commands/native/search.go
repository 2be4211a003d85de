package native

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var searchCommands = []commands.Command{
	{
		Name: "ugrep", Addr: commands.AddrRequired,
		Options: []commands.Option{
			{Letter: 'd', Arg: "distance", Help: "also values up to this many bytes above"},
			{Letter: 'm', Arg: "mask", Help: "compare only these bits"},
			{Letter: 'M', Arg: "mask", Help: "compare only the other bits"},
			{Letter: 'f', Arg: "from", Help: "search from this address on"},
			{Letter: 't', Arg: "to", Help: "search below this address"},
			{Letter: 'l', Arg: "limit", Help: "stop after this many"},
			{Letter: 's', Arg: "size", Help: "values of 1, 2, 4 or 8 bytes that are the address, at all places, aligned or not"},
		},
		Summary: "find the aligned words in memory that point to an address",
		Detail: `Searches the memory that the core file holds, with all processors. As input of a
pipeline each hit stands for its address.`,
		Example: "<rsp::ugrep | ::whatis",
		SeeAlso: []string{"whatis", "findstr"},
		Run:     runUgrep,
	},
	{
		Name: "findstr",
		Options: []commands.Option{
			{Letter: 'i', Help: "ASCII letters of either case"},
			{Letter: 'f', Arg: "from", Help: "search from this address on"},
			{Letter: 't', Arg: "to", Help: "search below this address"},
			{Letter: 'l', Arg: "limit", Help: "stop after this many"},
		},
		Args:    "text",
		Summary: "find text in memory",
		Detail: `Searches the memory that the core file holds for the bytes of the text, and shows
the text around each hit.`,
		Example: "::findstr \"out of memory\"",
		SeeAlso: []string{"ugrep", "dump"},
		Run:     runFindstr,
	},
}

// A hitRecord is a place that a search has found.
type hitRecord struct {
	_     out.Record `record:"hit"`
	At    core.Addr  `json:"addr"`
	Value *core.Addr `json:"value,omitempty"` // the word that is there
	Str   string     `json:"text,omitempty"`
	Place string     `json:"place,omitempty"`
	ptr   int
}

// Addr returns the place.
func (r *hitRecord) Addr() (core.Addr, bool) { return r.At, true }

// Text writes the hit's line.
func (r *hitRecord) Text(w *out.Writer) {
	w.Printf("%0*x", 2*r.ptr, uint64(r.At))
	if r.Value != nil {
		w.Printf(" %0*x", 2*r.ptr, uint64(*r.Value))
	}
	if r.Place != "" {
		w.Printf("  %s", sym.Clean(r.Place))
	}
	if r.Str != "" {
		w.Printf("  %q", r.Str)
	}
	w.Printf("\n")
}

// place names where an address is, in a word or two.
func place(s *commands.Session, a core.Addr) string {
	if _, _, ok := s.Symbols.Lookup(a); ok {
		return symbolic(s, a)
	}
	if t := stackOf(s, a); t != nil {
		return fmt.Sprintf("stack of thread %d", t.TID)
	}
	m, ok := s.Process.Mapping(a)
	switch {
	case !ok:
		return ""
	case m.Path == "":
		return "[ anon ]"
	case m.Path[0] == '[':
		return m.Path
	}
	return symbolic(s, a)
}

// errLimit ends a search that has found enough.
var errLimit = errors.New("limit reached")

// searchStep is how many bytes a searcher takes at a time.
const searchStep = 4 << 20

// A chunk is a run of memory to be searched. The extra bytes after it belong to the next chunk; they are
// included to find matches across the border.
type chunk struct {
	start core.Addr
	size  int
	extra int
}

// chunks cuts the memory that the core file holds. Holes of the file are left out: they
// read as zeros, and to look at each page of one takes long. Whoever looks for zeros
// asks for them.
func chunks(p *core.Process, extra int, zeros bool) []chunk {
	var all []chunk
	for _, s := range p.Space.Segments() {
		if s.Kind != core.SegCore {
			continue
		}
		for a := s.Start; a < s.End; {
			end := s.End
			if !zeros {
				if a, end = dataIn(&s, a); a == end {
					break
				}
			}
			for a < end {
				n := min(uint64(end-a), searchStep)
				x := min(uint64(end-a)-n, uint64(extra))
				all = append(all, chunk{a, int(n), int(x)})
				a += core.Addr(n)
			}
		}
	}
	return all
}

// dataIn returns the first run of addresses from a on whose bytes are in the core file; an empty one if the
// segment has no bytes.
func dataIn(s *core.Segment, a core.Addr) (start, end core.Addr) {
	from, to := core.SourceData(s.Src, s.Off+int64(a-s.Start))
	last := s.Off + int64(s.Size())
	from, to = min(from, last), min(to, last)
	return s.Start + core.Addr(from-s.Off), s.Start + core.Addr(to-s.Off)
}

// search runs find over all chunks, several at a time, and hands the hits to
// emit in order of address. It returns the first error of emit or of ctx.
func search[T any](ctx context.Context, p *core.Process, all []chunk, find func(b []byte, c chunk) []T,
	emit func(T) error) error {
	type found struct {
		hits []T
		err  error
	}
	searched := 0
	for r := range core.InOrder(ctx, slices.Values(all), 4, func(_ context.Context, c chunk) (r found) {
		r.err = core.Guard(func() {
			// The rest of a chunk that cannot be read whole is lost: a search says nothing about memory
			// that is not there.
			b, _ := p.Space.Slice(c.start, c.size+c.extra)
			r.hits = find(b, c)
		})
		return r
	}) {
		if r.err != nil {
			return r.err
		}
		searched++
		core.ReportProgress(ctx, "searching", int64(searched), int64(len(all)))
		for _, hit := range r.hits {
			switch err := emit(hit); {
			case err == errLimit:
				return nil
			case err != nil:
				return err
			}
		}
	}
	return context.Cause(ctx)
}

// A wordHit is a word and where it is.
type wordHit struct{ at, value core.Addr }

// findWords returns the aligned words w of b with (w & mask) between lo and
// lo+span.
func findWords(b []byte, start core.Addr, arch *core.Arch, lo, span, mask uint64) []wordHit {
	var hits []wordHit
	size := arch.PtrSize
	first := int(start.Align(uint64(size)) - start)
	little := arch.Order == binary.LittleEndian
	for i := first; i+size <= len(b); i += size {
		var v uint64
		switch {
		case size == 8 && little:
			v = binary.LittleEndian.Uint64(b[i:])
		case size == 8:
			v = arch.Order.Uint64(b[i:])
		default:
			v = uint64(arch.Order.Uint32(b[i:]))
		}
		if v&mask-lo <= span {
			hits = append(hits, wordHit{start + core.Addr(i), core.Addr(v)})
		}
	}
	return hits
}

func runUgrep(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	if p.Arch == nil {
		return c.Unknown("the size of a word of %s is not known", p.Machine)
	}
	var span uint64
	mask := uint64(p.Arch.AddrMask())
	from, to := core.Addr(0), ^core.Addr(0)
	for _, o := range []struct {
		letter byte
		set    func(uint64)
	}{{'d', func(v uint64) { span = v }}, {'m', func(v uint64) { mask &= v }}, {'M', func(v uint64) { mask &^= v }},
		{'f', func(v uint64) { from = core.Addr(v) }}, {'t', func(v uint64) { to = core.Addr(v) }}} {
		a, ok := c.Opt(o.letter)
		if !ok {
			continue
		}
		v, err := c.Value(a)
		if err != nil {
			return err
		}
		o.set(v)
	}
	limit, err := c.Int('l', 1<<31-1)
	if err != nil {
		return err
	}
	if c.Flag('s') {
		return runValues(ctx, c, from, to, limit)
	}
	lo := uint64(c.Dot) & mask
	find := func(b []byte, k chunk) []wordHit {
		return findWords(b[:min(len(b), k.size)], k.start, p.Arch, lo, span, mask)
	}
	zeros := -lo <= span // the word 0 is one that is looked for
	err = search(ctx, p, within(chunks(p, 0, zeros), from, to), find, func(h wordHit) error {
		if h.at < from || h.at >= to {
			return nil
		}
		if limit--; limit < 0 {
			return errLimit
		}
		return c.Emit(&hitRecord{At: h.at, Value: &h.value, Place: place(c.Session, h.at), ptr: p.Arch.PtrSize})
	})
	return orShortened(c.Session, err)
}

// within leaves out the chunks that have nothing between two addresses.
func within(all []chunk, from, to core.Addr) []chunk {
	return slices.DeleteFunc(all, func(k chunk) bool { return k.start >= to || k.start+core.Addr(k.size) <= from })
}

// runValues is ::ugrep -s: it finds values of a size wherever they begin.
func runValues(ctx context.Context, c *commands.Call, from, to core.Addr, limit int) error {
	p := c.Session.Process
	size, err := c.Int('s', 0)
	if err != nil {
		return err
	}
	value := make([]byte, 8)
	p.Arch.Order.PutUint64(value, uint64(c.Dot))
	switch {
	case !slices.Contains([]int{1, 2, 4, 8}, size):
		return c.Usage("-s takes 1, 2, 4 or 8")
	case size < 8 && uint64(c.Dot)>>(8*size) != 0:
		return c.Usage("%v does not fit into %d bytes", c.Dot, size)
	case p.Arch.Order == binary.BigEndian:
		value = value[8-size:]
	default:
		value = value[:size]
	}
	find := func(b []byte, k chunk) []core.Addr {
		var hits []core.Addr
		for _, i := range findText(b, k.size, value, false) {
			hits = append(hits, k.start+core.Addr(i))
		}
		return hits
	}
	err = search(ctx, p, within(chunks(p, size-1, c.Dot == 0), from, to), find, func(at core.Addr) error {
		if at < from || at >= to || to-at < core.Addr(size) {
			return nil
		}
		if limit--; limit < 0 {
			return errLimit
		}
		v := c.Dot
		return c.Emit(&hitRecord{At: at, Value: &v, Place: place(c.Session, at), ptr: p.Arch.PtrSize})
	})
	return orShortened(c.Session, err)
}

// orShortened returns the error of a search, or that the core was shortened meanwhile: its end then has no
// data, so that the search has not seen it.
func orShortened(s *commands.Session, err error) error {
	if err != nil && !errors.Is(err, core.ErrCut) {
		return err
	}
	if cut := s.Shortened(); cut != nil {
		s.Partial = true
		return cut
	}
	return err
}
