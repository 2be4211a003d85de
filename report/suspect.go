package report

import (
	"context"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/file"
)

// A Suspect is what fills the heap, and the way from a root that keeps it.
type Suspect struct {
	Why string // in a sentence
	Way *Way   // nil if the way is not known
	// Holder is the frame whose variable the way begins at, or its thread; empty if it begins elsewhere.
	Holder string

	tid int // of that thread; 0 for none
	at  core.Addr
}

// A Way is a drawing of the objects from a root to the suspect, one below the other.
type Way struct {
	Steps []Step
	Label string
}

// A Step is a box of a way.
type Step struct {
	Name, Note string
	Arrow      string // how the box above holds this one; "" for the first
	Last       bool
}

// maxSteps boxes of a way are drawn, and maxLabel characters of a name.
const (
	maxSteps = 14
	maxLabel = 120
)

// suspected is a record of ::leaks.
type suspected struct {
	Type, Why string
	Root      *struct {
		Kind, Name string
		TID        int
		Addr       core.Addr
	}
	Path []struct {
		Class, Reference string
		Retained         uint64
	}
	Addr core.Addr
}

// suspect returns the first suspect of ::leaks; nil without a suspect.
func suspect(ctx context.Context, s *commands.Session) (*Suspect, error) {
	list, err := records[suspected](ctx, s, "::leaks")
	if err != nil {
		return nil, err
	}
	for i := range list {
		x := &list[i]
		if x.Type != "suspect" || x.Why == "" {
			continue
		}
		of := &Suspect{Why: x.Why, Way: x.way()}
		if x.Root != nil {
			of.tid, of.at = x.Root.TID, x.Root.Addr
		}
		return of, nil
	}
	return nil, nil
}

// mark marks the thread that the way to the suspect begins at, and the frame whose part of the stack has the root.
func (x *Suspect) mark(threads []Thread) {
	for i := range threads {
		t := &threads[i]
		if x.tid == 0 || !slices.Contains(t.ids, x.tid) {
			continue
		}
		t.Holds, x.Holder = true, "thread "+decimal(x.tid)
		for k := range t.Frames {
			// The frames of a group are its first thread's.
			if f := &t.Frames[k]; t.ids[0] == x.tid && f.sp <= x.at && x.at < f.end {
				t.Holds, f.Holds, x.Holder = false, true, "#"+decimal(f.Index)+" "+f.Label+" in "+x.Holder
				break
			}
		}
		return
	}
}

// way lays out the boxes.
func (x *suspected) way() *Way {
	if len(x.Path) == 0 {
		return nil
	}
	w := &Way{Label: "What keeps it: from the root down"}
	add := func(name, note, arrow string) {
		w.Steps = append(w.Steps, Step{Name: cut(name), Note: note, Arrow: cut(arrow)})
	}
	if x.Root != nil {
		name := x.Root.Kind
		if x.Root.Name != "" {
			name += ": " + x.Root.Name
		}
		add("root: "+name, "", "")
	}
	for i := range x.Path {
		p := &x.Path[i]
		if len(x.Path) > maxSteps && i == maxSteps/2 {
			add("… "+decimal(len(x.Path)-maxSteps)+" more objects", "", "")
		}
		if len(x.Path) > maxSteps && i >= maxSteps/2 && i < len(x.Path)-maxSteps/2 {
			continue
		}
		size := "" // of what is dropped with it: a box that is not alone in holding the rest has a small one
		if p.Retained >= x.Path[len(x.Path)-1].Retained {
			size = file.Size(int64(min(p.Retained, 1<<62)))
		}
		add(p.Class, size, p.Reference)
	}
	w.Steps[len(w.Steps)-1].Last = true
	return w
}

// cut returns the first characters of a name that fit into a box.
func cut(name string) string {
	if r := []rune(name); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return name
}
