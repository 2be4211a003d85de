package golang

import (
	"cmp"
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

// placeOf returns the place of the instruction at an address; nil if it is unknown.
func placeOf(s *commands.Session, a core.Addr) *place {
	if a == 0 {
		return nil
	}
	p := &place{}
	if y, _, ok := s.Symbols.Lookup(a); ok {
		p.Name = s.Symbols.Demangle(y.Name, true)
	}
	if l := s.Symbols.Lines(a); len(l) > 0 {
		p.File, p.Line = l[0].File, l[0].Line
		if l[0].Func != "" {
			p.Name = s.Symbols.Demangle(l[0].Func, true)
		}
	}
	if *p == (place{}) {
		p.Name = a.String()
	}
	return p
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
var runtimePackages = []string{"runtime.", "internal/runtime/", "runtime/internal/", "internal/abi.", "internal/bytealg."}

// ofRuntime reports whether a function belongs to Go's runtime.
func ofRuntime(name string) bool {
	for _, p := range runtimePackages {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// outside returns the innermost frame outside the packages that goroutines wait in, else outside the runtime. A
// frame belongs to the runtime by its name or, as other packages may declare parts of it, by its file.
// Otherwise outside returns the innermost frame; nil if there is no frame.
func outside(st *stack.Stack) *stack.Frame {
	if len(st.Frames) == 0 {
		return nil
	}
	var beyond *stack.Frame
	for i := range st.Frames {
		f := &st.Frames[i]
		file := path.Dir(f.File)
		if f.Name == "" || ofRuntime(f.Name) || f.Kind == runtimes.Signal || file == "runtime" || strings.HasSuffix(file, "/src/runtime") {
			continue
		}
		if !golang.Waits(f.Name) {
			return f
		}
		if beyond == nil {
			beyond = f
		}
	}
	return cmp.Or(beyond, &st.Frames[0])
}
