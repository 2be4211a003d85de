package malloc

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc/faults"
)

var checkCommands = []commands.Command{{
	Name: "heapcheck", Module: module, Addr: commands.AddrNone,
	Summary: "find damage in the heap of C and the block it came from",
	Detail: `Compares the header of each chunk with its neighbours and follows each list of free chunks. An overrun is a write beyond the
end of the block before the header. An underrun is a write before the start of the block itself. A freelist fault is a write to a block
that was already free. The words around a header show the side a write came from; if they do not, the kind is header. A write that
leaves the headers in order, for example to the spare bytes at the end of a block, is not found. jemalloc, mimalloc and tcmalloc have no headers
between blocks: there a write beyond a block shows only where it met the link of a free one.`,
	Example:   "::heapcheck | ::chunk",
	SeeAlso:   []string{"chunk", "malloc", "analyze"},
	EmptyText: "no header and no list of the heap of C was overwritten",
	Run:       runHeapcheck,
}}

// A faultRecord is something that was overwritten.
type faultRecord struct {
	_ out.Record `record:"heapfault"`
	// overrun, underrun, freelist, or header if the side is not known
	Kind  faults.Kind `json:"kind"`
	At    core.Addr   `json:"addr" dot:"always"` // what was overwritten: the size in a header, or a link
	Value core.Addr   `json:"value"`             // what is there
	Text  string      `json:"text,omitempty"`    // that as text
	// the block that was written past, or to while it was free; absent if that is not known
	Culprit core.Addr `json:"culprit,omitzero"`
	Size    uint64    `json:"culprit_size,omitempty"`  // its usable bytes
	Class   string    `json:"culprit_class,omitempty"` // what it is, if that shows
	Victim  core.Addr `json:"victim,omitzero"`         // the block whose header it is
	Why     string    `json:"why"`
}

// String is the line for people.
func (r *faultRecord) String() string {
	s := fmt.Sprintf("%s: %v has %v", r.Kind, r.At, r.Value)
	if r.Text != "" {
		s += " (" + r.Text + ")"
	}
	s += ": " + r.Why
	if r.Culprit == 0 {
		return s + "; the block it came from is not known"
	}
	s += fmt.Sprintf("; by the block at %v", r.Culprit)
	if r.Size != 0 {
		s += fmt.Sprintf(" of %d bytes", r.Size)
	}
	if r.Class != "" {
		s += ", " + r.Class
	}
	return s
}

func runHeapcheck(ctx context.Context, c *commands.Call) error {
	all, err := heapsOf(ctx, c)
	if err != nil {
		return err
	}
	for _, k := range all {
		for _, f := range faults.Find(c.Session.Process, k.heap) {
			r := &faultRecord{Kind: f.Kind, At: f.At, Value: core.Addr(f.Value),
				Text:    where.Text(c.Session.Process, f.Value),
				Culprit: f.Culprit.Addr, Size: f.Culprit.Size, Victim: f.Victim, Why: f.Why}
			if f.Kind == faults.Overrun && f.Culprit.Addr != 0 {
				r.Class = c.Session.Native().Classes().Of(f.Culprit.Addr, f.Culprit.Size).Name
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
