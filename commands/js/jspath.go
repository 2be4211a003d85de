package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
)

// pathRecord is what keeps an object alive.
type pathRecord struct {
	_    out.Record `record:"jspath"`
	At   core.Addr  `json:"addr" dot:"always"`
	Root *rootOf    `json:"root,omitempty"` // none for garbage
	Path []pathStep `json:"path,omitempty"`
}

// rootOf is a place outside the heaps.
type rootOf struct {
	Kind heap.RootKind `json:"kind"`
	Name string        `json:"name,omitempty"` // the part of a frame
	At   core.Addr     `json:"addr,omitzero"`  // 0 for a register
	TID  int           `json:"tid,omitempty"`
	In   string        `json:"frame,omitempty"` // the function whose frame the word is in
}

// pathStep is an object on the way, the object itself the last.
type pathStep struct {
	At        core.Addr `json:"addr"`
	Class     string    `json:"class"`
	Reference string    `json:"reference,omitempty"` // how the one before refers to it
}

// emitPath emits a shortest way from a root to t.
func emitPath(ctx context.Context, c *commands.Call, h *heap.Snapshot, t layout.Tagged) error {
	root, path, ok, err := h.Path(ctx, t)
	if err != nil {
		return err
	}
	rec := &pathRecord{At: core.Addr(t)}
	if ok {
		rec.Root = &rootOf{Kind: root.Kind, At: core.Addr(root.Place)}
		if root.Thread != nil {
			rec.Root.TID = root.Thread.TID
			if rec.Root.Name = root.Name; root.Name == "" {
				rec.Root.In = c.Session.FunctionAt(ctx, root.Thread, root.Place)
			}
		}
		for _, s := range h.Steps(path) {
			rec.Path = append(rec.Path,
				pathStep{At: core.Addr(s.Object), Class: s.Class, Reference: s.Reference.String()})
		}
	}
	return c.Emit(rec)
}

// Text writes the root, and a line for each object.
func (r *pathRecord) Text(w *out.Writer) {
	if r.Root == nil {
		w.Printf("%x: nothing keeps it alive\n", uint64(r.At))
		return
	}
	w.Printf("%x: held by %s\n", uint64(r.At), r.Root.text())
	w.Ends(len(r.Path), func(i int) {
		s := &r.Path[i]
		w.Printf("    %x: %s", uint64(s.At), inspect.Printable(s.Class))
		if s.Reference != "" {
			w.Printf(": %s", inspect.Printable(s.Reference))
		}
		w.Printf("\n")
	})
}

// text says what kind of root it is.
func (x *rootOf) text() string {
	switch {
	case x.Kind == heap.RootFrame:
		return fmt.Sprintf("%s, on the stack of thread %d", inspect.Printable(x.Name), x.TID)
	case x.Kind == heap.RootStack && x.At == 0:
		return fmt.Sprintf("a register of thread %d", x.TID)
	case x.Kind == heap.RootStack:
		s := fmt.Sprintf("the stack of thread %d, at %x", x.TID, uint64(x.At))
		if x.In != "" {
			s += ", in " + inspect.Printable(x.In)
		}
		return s
	case x.Kind == heap.RootIsolate:
		return fmt.Sprintf("the isolate, at %x", uint64(x.At))
	case x.Kind == heap.RootEternal || x.Kind == heap.RootCache:
		return fmt.Sprintf("the %s at %x", x.Kind, uint64(x.At))
	case x.Kind == heap.RootMemory:
		return fmt.Sprintf("a word of memory at %x, which may be left over", uint64(x.At))
	}
	return fmt.Sprintf("a %s at %x", x.Kind, uint64(x.At))
}
