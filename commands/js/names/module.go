package names

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/commands/js/target"
	"coredbg/core"
	"coredbg/core/sym/lines"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Named is what a name means that no frame and no global has.
type Named struct {
	Slot object.Slot

	file string // of the module; "" if it is not known
	path string // the whole path, as the value's label
}

// The bounds of a search.
const (
	maxNamed    = 64  // values that are shown
	maxExports  = 500 // of a namespace whose file is looked for
	maxClosures = 4   // of a function: they share their module's variables
)

// Label says which value it is among several.
func (n *Named) Label() string {
	if n.file == "" {
		return n.path
	}
	return filepath.Base(n.file) + ":" + n.path
}

// Split splits "server.js:sessions.size" into the file and the path. Without a file it is "": in a
// string, an object or a choice a colon is JavaScript's.
func Split(text string) (file, path string) {
	i := strings.IndexByte(text, ':')
	if i <= 0 || i == len(text)-1 || strings.ContainsAny(text[:i], "[{?`'\"") || !strings.Contains(text[:i], ".") {
		return "", text
	}
	return text[:i], text[i+1:]
}

// A nameSearch looks in the modules of a program for the value of a path.
type nameSearch struct {
	v     *v8.V8
	file  string // of the module; "" for any
	names []string
	found []Named
	seen  map[core.Addr]bool // contexts and objects that were looked at
	held  map[string]bool    // labels with their values
}

// InModules returns what a path means in the modules of the program: variables that functions of a module close
// over, exports, functions and classes by name, and static members of classes. file is the module, or its
// end; "" is any module.
func InModules(ctx context.Context, v *v8.V8, file string, names []string) ([]Named, error) {
	s := &nameSearch{v: v, file: file, names: names, seen: map[core.Addr]bool{}, held: map[string]bool{}}
	list, err := target.Functions(ctx, v)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		if !s.wants(f.File) {
			continue
		}
		for _, a := range f.Closures[:min(len(f.Closures), maxClosures)] {
			s.module(f.File, target.Tagged(v, a))
		}
	}
	if err := s.exports(ctx); err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		if len(f.Closures) == 0 || !s.wants(f.File) {
			continue
		}
		fn := object.Slot{Word: target.Tagged(v, f.Closures[0])}
		if f.Name == names[0] {
			s.add(f.File, fn, names[1:])
		} else if own, ok := v.Objects.OwnProperty(fn.Word, names[0]); ok && names[0] != "name" &&
			names[0] != "length" && names[0] != "prototype" {
			s.keep(f.File, f.Name+"."+strings.Join(names, "."), object.Slot{Word: own.Value}, names[1:])
		}
	}
	return s.found, ctx.Err()
}

// wants reports whether a file is the one that is looked in, or any of the program's.
func (s *nameSearch) wants(file string) bool {
	if file == "" || strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "internal/") ||
		!strings.ContainsAny(file, "/\\") {
		return false
	}
	return s.file == "" || lines.IsFile(strings.TrimPrefix(file, "file://"), s.file)
}

// module looks at the variables of a function's module: the variables of the outermost scope around it.
func (s *nameSearch) module(file string, fn layout.Tagged) {
	chain, _ := s.v.Objects.Contexts(fn)
	if len(chain) == 0 {
		return
	}
	c := chain[len(chain)-1]
	if s.seen[core.Addr(c.Word)] {
		return
	}
	s.seen[core.Addr(c.Word)] = true
	for _, x := range c.Variables {
		if x.Name == s.names[0] {
			s.add(file, x.Slot, s.names[1:])
		}
	}
}

// exports looks at what modules export: the objects of class Module of CommonJS, and the namespaces of ES modules.
func (s *nameSearch) exports(ctx context.Context) error {
	h, err := s.v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	groups := h.Groups()
	for i := range groups {
		g := &groups[i]
		common := g.Constructor == "Module" && !g.Prototype && !g.Boilerplate
		if namespace := s.v.Objects.TypeNamed(target.Tagged(s.v, g.First), "MODULE_NAMESPACE"); !common && !namespace {
			continue
		}
		for _, a := range h.Objects(g) {
			o, file := object.Slot{Word: target.Tagged(s.v, a)}, ""
			if common {
				name, err := s.v.Objects.Member(o, []string{"filename"})
				if err != nil || name.Raw || !s.v.Objects.IsString(name.Word) {
					continue
				}
				if file = s.v.Objects.Text(name.Word); !s.wants(file) {
					continue
				}
				if o, err = s.v.Objects.Member(o, []string{"exports"}); err != nil || o.Raw {
					continue
				}
			} else if file = s.fileOf(o.Word); !s.wants(file) {
				continue
			}
			if _, ok := s.v.Objects.OwnProperty(o.Word, s.names[0]); !ok {
				continue
			}
			if x, err := s.v.Objects.Member(o, s.names[:1]); err == nil {
				s.add(file, x, s.names[1:])
			}
		}
	}
	return ctx.Err()
}

// fileOf returns the file of a namespace, by the first function that it exports; "" if it exports none.
func (s *nameSearch) fileOf(namespace layout.Tagged) string {
	list, _, _ := s.v.Objects.Properties(namespace, maxExports)
	for i := range list {
		x, err := s.v.Objects.Member(object.Slot{Word: namespace}, []string{list[i].Key.String()})
		if list[i].Symbol || err != nil || x.Raw || !s.v.Objects.IsFunction(x.Word) {
			continue
		}
		if f, err := s.v.Objects.Function(x.Word); err == nil && f.File != "" {
			return f.File
		}
	}
	return ""
}

func (s *nameSearch) add(file string, x object.Slot, rest []string) {
	s.keep(file, strings.Join(s.names, "."), x, rest)
}

// keep adds a member of a value, unless it was found in another way.
func (s *nameSearch) keep(file, path string, x object.Slot, rest []string) {
	x, err := s.v.Objects.Member(x, rest)
	if err != nil || len(s.found) >= maxNamed {
		return
	}
	if !x.Raw && x.Word.IsHeap() {
		if s.seen[core.Addr(x.Word)] {
			return
		}
		s.seen[core.Addr(x.Word)] = true
	}
	n := Named{x, strings.TrimPrefix(file, "file://"), path}
	key := fmt.Sprint(n.Label(), x)
	if s.held[key] {
		return
	}
	s.held[key] = true
	s.found = append(s.found, n)
}

// Variables calls visit for each variable that functions of the program's modules use, with the scope that holds it.
func Variables(ctx context.Context, v *v8.V8, visit func(x Named, name string, scope *object.Context) error) error {
	s := &nameSearch{v: v, seen: map[core.Addr]bool{}}
	return s.moduleScopes(ctx, func(file string, scope *object.Context) error {
		for _, x := range scope.Variables {
			if err := visit(Named{x.Slot, strings.TrimPrefix(file, "file://"), x.Name}, x.Name, scope); err != nil {
				return err
			}
		}
		return nil
	})
}

// moduleScopes calls visit for each module of the program that has variables which its functions use: with its
// file and the scope that holds them. A module without a file is in no list.
func (s *nameSearch) moduleScopes(ctx context.Context, visit func(file string, c *object.Context) error) error {
	list, err := target.Functions(ctx, s.v)
	if err != nil {
		return err
	}
	for i := range list {
		f := &list[i]
		if !s.wants(f.File) || len(f.Closures) == 0 {
			continue
		}
		chain, _ := s.v.Objects.Contexts(target.Tagged(s.v, f.Closures[0]))
		if len(chain) == 0 || s.seen[core.Addr(chain[len(chain)-1].Word)] {
			continue
		}
		s.seen[core.Addr(chain[len(chain)-1].Word)] = true
		if err := visit(f.File, chain[len(chain)-1]); err != nil {
			return err
		}
	}
	return nil
}

// Words returns the names of variables and exports of the program's modules and of its functions and
// classes. After "FILE:" they are the names in that module, with the file in front.
func Words(ctx context.Context, v *v8.V8, prefix string) (words []string) {
	file, _ := Split(prefix + "x")
	s := &nameSearch{v: v, file: file, seen: map[core.Addr]bool{}}
	if file != "" {
		file += ":"
	}
	_ = s.moduleScopes(ctx, func(_ string, c *object.Context) error {
		for _, x := range c.Variables {
			words = append(words, file+x.Name)
		}
		return nil
	})
	list, err := target.Functions(ctx, v)
	if err != nil {
		return nil
	}
	for i := range list {
		if f := &list[i]; s.wants(f.File) && len(f.Closures) > 0 {
			words = append(words, file+f.Name)
		}
	}
	return words
}
