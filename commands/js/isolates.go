package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

var isolatesCommand = commands.Command{
	Name: "isolates", Module: target.Module, Addr: commands.AddrNone,
	Summary: "list the isolates of V8 with their threads and heaps",
	Detail: `Lists each isolate with the thread that has entered it, the native context that it
works in, and the pages and bytes of objects of its heap. The main thread's comes
first; worker threads have one each. For Node, the script is the one that was started in it, and
the name that new Worker was given, or WorkerThread, which Node takes from version 24 on. For
workerd it is the name of the service whose worker runs in it. If the image has no symbol for a thread's
isolate, heaps show where the isolates are, and the words of stacks which thread works
with which.`,
	Example: "::isolates",
	SeeAlso: []string{"realms", "jsstack", "v8heap", "v8spaces", "nodeinfo"},
	Run:     runIsolates,
}

// isolateRecord is an isolate.
type isolateRecord struct {
	_       out.Record  `record:"v8isolate" cols:"shown TID first Heap Pages Used Worker Script"`
	At      core.Addr   `json:"addr,omitzero" dot:"nonzero"`
	TID     int         `json:"tid,omitzero" col:"TID,8,right"`
	Thread  string      `json:"thread,omitempty"`
	Context []core.Addr `json:"native_contexts,omitempty"`
	Heap    core.Addr   `json:"heap,omitzero" col:"HEAP,16"`
	Pages   int         `json:"pages,omitempty" col:"PAGES,6,right"`
	Used    uint64      `json:"used,omitempty" col:"USED,12,right"` // bytes of objects
	Worker  string      `json:"worker,omitempty" col:"NAME,16"`     // of a worker thread, or of a service of workerd
	// what Node was told to run in it: argv[1] of its process object
	Script string    `json:"script,omitempty" col:"SCRIPT"`
	shown  string    `col:"ISOLATE,16"`
	first  core.Addr `col:"CONTEXT,16"`
}

func runIsolates(ctx context.Context, c *commands.Call) error {
	v, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	list := h.Isolates(ctx)
	names, err := v.WorkerNames(ctx)
	if err != nil {
		return err
	}
	for _, x := range list {
		r := &isolateRecord{At: core.Addr(x.Addr), Heap: core.Addr(x.Heap), Worker: names[x.Addr]}
		if name, ok := v8.ServiceName(v, x.Addr); ok {
			r.Worker = name
		}
		if t := x.Thread; t != nil {
			r.TID, r.Thread = t.TID, t.Name
			for _, native := range v.Objects.NativeContexts(ctx, t) {
				// A stack may have words of another thread's heap, such as of one that it started.
				if p, ok := heap.PageIndex(h.Pages).At(core.Addr(native)); ok && x.Heap != 0 && p.Heap != 0 &&
					p.Heap != core.Addr(x.Heap) {
					continue
				}
				r.Context = append(r.Context, core.Addr(native))
				if r.Script == "" {
					r.Script = scriptOf(v, native)
				}
			}
		}
		for _, s := range h.Spaces {
			if s.Heap == x.Heap && s.Heap != 0 {
				r.Pages += s.Pages
				r.Used += s.Used()
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return c.Unknown("no thread's isolate is known, and no heap was found")
	}
	return ctx.Err()
}

// scriptOf returns the file that Node was told to run in a realm, "" if that is not known.
func scriptOf(v *v8.V8, native layout.Tagged) string {
	process, err := v.Objects.Global(native, "process")
	if err != nil {
		return ""
	}
	s, err := v.Objects.Member(process, []string{"argv", "1"})
	if err != nil || s.Raw || !v.Objects.IsString(s.Word) {
		return ""
	}
	return v.Objects.Text(s.Word)
}

// Prepare implements out.Preparer.
func (r *isolateRecord) Prepare() {
	r.shown = "unknown"
	if r.At != 0 {
		r.shown = fmt.Sprintf("%x", uint64(r.At))
	}
	if len(r.Context) > 0 {
		r.first = r.Context[0]
	}
}
