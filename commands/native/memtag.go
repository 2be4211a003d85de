package native

import (
	"context"
	"errors"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var memtagCommands = []commands.Command{
	{
		Name: "memtag", Addr: commands.AddrOptional,
		Args:    "[bytes]",
		Summary: "show the allocation tags of memory",
		Detail: `Memory of arm64 that was mapped with PROT_MTE has a tag of four bits for each 16
bytes; an access by a pointer with another tag, in bits 56 to 59, is a fault.
Without an address all memory that has tags is listed. With one, the run of one
tag that holds it, and the runs before and after it: what an allocator gave
away has one tag, its neighbours have others. With a number of bytes, all runs
from the address on.`,
		Example: "::memtag",
		SeeAlso: []string{"mappings", "whatis", "siginfo"},
		Run:     runMemtag,
	},
}

// A memtagRecord is a run of memory of one tag.
type memtagRecord struct {
	_       out.Record `record:"memtag"`
	Start   core.Addr  `json:"start" col:"BASE,16,right" dot:"always"`
	End     core.Addr  `json:"end" col:"LIMIT,16,right"`
	Size    uint64     `json:"size" col:"SIZE,10,right,%x"` // bytes
	Tag     *uint8     `json:"tag,omitempty"`               // none where memory is listed, or if it is not known
	Pointer *uint8     `json:"pointer_tag,omitempty"`       // of the address that was asked for, if it is in this run
	Error   string     `json:"error,omitempty"`             // why the tag is not known
	tag     string     `col:"TAG,4,right"`
	note    string     `col:",gap=2"`
}

func newMemtag(start, end core.Addr, tag uint8, err error) *memtagRecord {
	r := &memtagRecord{Start: start, End: end, Size: uint64(end - start)}
	if err != nil {
		var fault *core.FaultError
		if r.Error, r.tag = err.Error(), "?"; errors.As(err, &fault) {
			r.Error = fault.Gap.String()
		}
		r.note = r.Error
		return r
	}
	r.Tag, r.tag = &tag, fmt.Sprintf("%x", tag)
	return r
}

// asked notes that the run holds the address that was asked for.
func (r *memtagRecord) asked(a core.Addr) {
	p := a.LogicalTag()
	r.Pointer = &p
	switch {
	case r.Tag == nil:
	case *r.Tag == p:
		r.note = "the pointer's"
	default:
		r.note = fmt.Sprintf("the pointer has %x", p)
	}
}

// maxTagScan bounds in bytes how far the end of a run of one tag is looked for.
const maxTagScan = 64 << 20

func runMemtag(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	if !c.HasAddr {
		for i := range p.Tags {
			t := &p.Tags[i]
			r := &memtagRecord{Start: t.Start, End: t.End, Size: uint64(t.End - t.Start)}
			if _, err := t.Tag(t.Start); err != nil {
				r = newMemtag(t.Start, t.End, 0, err)
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
		if len(p.Tags) == 0 {
			return c.Empty("the core has no allocation tags: no memory had them, or its kernel does not write them (Linux before 5.18)")
		}
		return nil
	}
	run, ok := p.TagRun(c.Dot)
	if !ok {
		return c.Unknown("the core has no allocation tags of the memory at %v", c.Dot)
	}
	at := c.Dot.Untagged() &^ (core.TagGranule - 1)
	if len(c.Args) > 0 {
		n, err := c.Value(c.Args[0])
		if err != nil {
			return err
		}
		return tagsFrom(ctx, c, run, at, n)
	}
	first, end, tag, err := sameTag(run, at)
	held := newMemtag(first, end, tag, err)
	held.asked(c.Dot)
	records := []*memtagRecord{held}
	if first > run.Start {
		s, e, tag, err := sameTag(run, first-core.TagGranule)
		records = append([]*memtagRecord{newMemtag(s, e, tag, err)}, records...)
	}
	if end < run.End {
		s, e, tag, err := sameTag(run, end)
		records = append(records, newMemtag(s, e, tag, err))
	}
	return commands.EmitAll(c, records)
}

// tagsFrom emits the runs of n bytes from at on.
func tagsFrom(ctx context.Context, c *commands.Call, run *core.TagRun, at core.Addr, n uint64) error {
	end := at + core.Addr(min(n, uint64(run.End-at)))
	for s := at; s < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, e, tag, err := sameTag(run, s)
		r := newMemtag(s, min(e, (end+core.TagGranule-1)&^(core.TagGranule-1)), tag, err)
		if s == at {
			r.asked(c.Dot)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
		s = e
	}
	return nil
}

// sameTag returns the memory around a that has its tag, or whose tags are unknown.
func sameTag(run *core.TagRun, a core.Addr) (start, end core.Addr, tag uint8, err error) {
	tag, err = run.Tag(a)
	same := func(g core.Addr) bool {
		t, e := run.Tag(g)
		return t == tag && (e == nil) == (err == nil)
	}
	for start = a; start > run.Start && a-start < maxTagScan && same(start-core.TagGranule); {
		start -= core.TagGranule
	}
	for end = a + core.TagGranule; end < run.End && end-a < maxTagScan && same(end); {
		end += core.TagGranule
	}
	return start, end, tag, err
}

// aboutTag explains the top byte of a pointer; "" if there is nothing to explain.
func aboutTag(p *core.Process, a core.Addr) string {
	run, tagged := p.TagRun(a)
	switch {
	case p.Space.Ignored == 0 || a>>55&1 != 0, !tagged && a&p.Space.Ignored == 0:
		return ""
	case !tagged:
		if _, mapped := p.Mapping(a); mapped {
			return ""
		}
		return fmt.Sprintf("a pointer to %v with a top byte of %#x, which the processor ignores",
			a&^p.Space.Ignored, uint64(a>>56))
	}
	switch tag, err := run.Tag(a); {
	case err != nil:
		return fmt.Sprintf("a pointer with the tag %#x, to memory whose tag is not known: %v", a.LogicalTag(), err)
	case tag != a.LogicalTag():
		return fmt.Sprintf("a pointer with the tag %#x, to memory with the tag %#x: no access is allowed",
			a.LogicalTag(), tag)
	default:
		return fmt.Sprintf("a pointer with the tag %#x, as its memory has", tag)
	}
}
