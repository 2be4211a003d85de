package golang

import (
	"path"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/golang"
	"coredbg/stack"
)

// A place is a function and where in the source it is.
type place struct {
	Name string `json:"name,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// A gazetteer knows the places that goroutines share: they begin and are made in few functions.
type gazetteer struct {
	session *commands.Session
	places  map[core.Addr]*place
	systems map[core.Addr]bool // by the start of a goroutine; see system
}

func newGazetteer(s *commands.Session) *gazetteer {
	return &gazetteer{s, map[core.Addr]*place{}, map[core.Addr]bool{}}
}

// placeOf returns the place of the instruction at an address; nil if it is unknown.
func (z *gazetteer) placeOf(a core.Addr) *place {
	p, ok := z.places[a]
	if !ok {
		p = z.find(a)
		z.places[a] = p
	}
	return p
}

func (z *gazetteer) find(a core.Addr) *place {
	if a == 0 {
		return nil
	}
	p, y := &place{}, z.session.Symbols
	if found, _, ok := y.Lookup(a); ok {
		p.Name = y.Demangle(found.Name, true)
	}
	if l := y.Lines(a); len(l) > 0 {
		p.File, p.Line = l[0].File, l[0].Line
		if l[0].Func != "" {
			p.Name = y.Demangle(l[0].Func, true)
		}
	}
	if *p == (place{}) {
		p.Name = a.String()
	}
	return p
}

// system reports whether a goroutine is the runtime's own, as its traces leave them out (runtime/traceback.go,
// isSystemGoroutine).
func (z *gazetteer) system(g *golang.Goroutine) bool {
	own, ok := z.systems[g.Start]
	if !ok && g.Start != 0 {
		y, _, found := z.session.Symbols.Lookup(g.Start)
		own = found && strings.HasPrefix(y.Name, "runtime.") && y.Name != "runtime.main" &&
			y.Name != "runtime.handleAsyncEvent"
		z.systems[g.Start] = own
	}
	return own
}

// framePlace returns the place of a frame.
func framePlace(f *stack.Frame) *place {
	p := &place{f.Name, f.File, f.Line}
	if p.Name == "" {
		p.Name = f.Symbolic()
	}
	return p
}

// String returns "name (file:line)".
func (p *place) String() string {
	if p == nil {
		return ""
	}
	s := sym.Clean(p.Name)
	if p.File == "" {
		return s
	}
	at := sym.Clean(p.File)
	if p.Line > 0 {
		at += ":" + strconv.Itoa(p.Line)
	}
	return s + " (" + at + ")"
}

// runtimePackages are the packages that make up package runtime.
var runtimePackages = []string{"runtime.", "internal/runtime/", "runtime/internal/", "internal/abi.",
	"internal/bytealg."}

// ofRuntime reports whether a function belongs to Go's runtime.
func ofRuntime(name string) bool {
	for _, p := range runtimePackages {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// worth says how well a frame tells where a goroutine is: best if it is outside the packages that goroutines
// wait in, else if it is outside the runtime. A frame belongs to the runtime by its name or, as other
// packages may declare parts of it, by its file.
func worth(f *stack.Frame) stack.Worth {
	file := path.Dir(f.File)
	switch {
	case f.Name == "" || ofRuntime(f.Name) || f.Kind == runtimes.Signal || file == "runtime" ||
		strings.HasSuffix(file, "/src/runtime"):
		return 0
	case golang.Waits(f.Name):
		return 1
	}
	return stack.Enough
}

// outside returns the innermost of the frames with the greatest worth; nil if there is no frame.
func outside(st *stack.Stack) (best *stack.Frame) {
	greatest, n := stack.Worth(-1), 0
	for f := range st.Every() {
		n++
		if w := worth(f); w > greatest {
			if best, greatest = f, w; n > len(st.Frames) {
				lent := *f
				best = &lent
			}
		}
		if greatest == stack.Enough {
			break
		}
	}
	return best
}
