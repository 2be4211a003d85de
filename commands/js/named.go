package js

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/sym/lines"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A named is what a name means that no frame and no global has.
type named struct {
	file string // of the module; "" if it is not known
	path string // the whole path, as the value's label
	slot object.Slot
}

// The bounds of a search.
const (
	maxNamed    = 64 // values that are shown
	maxClosures = 4  // of a function: they share their module's variables
)

// label says which value it is among several.
func (n *named) label() string {
	if n.file == "" {
		return n.path
	}
	return filepath.Base(n.file) + ":" + n.path
}

// splitFile splits "server.js:sessions.size" into the file and the path. Without a file it is "": in a
// string, an object or a choice a colon is JavaScript's.
func splitFile(text string) (file, path string) {
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
	found []named
	seen  map[core.Addr]bool // contexts and objects that were looked at
	held  map[string]bool    // labels with their values
}

// namedIn returns what a path means in the modules of the program: variables that functions of a module close
// over, exports, functions and classes by name, and static members of classes. file is the module, or its
// end; "" is any module.
func namedIn(ctx context.Context, v *v8.V8, file string, names []string) ([]named, error) {
	s := &nameSearch{v: v, file: file, names: names, seen: map[core.Addr]bool{}, held: map[string]bool{}}
	list, err := functionsOf(ctx, v)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		if !s.wants(f.File) {
			continue
		}
		for _, a := range f.Closures[:min(len(f.Closures), maxClosures)] {
			s.module(f.File, tagged(v, a))
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
		fn := object.Slot{Word: tagged(v, f.Closures[0])}
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
	h, err := s.v.Heaps.Heap(ctx)
	if err != nil {
		return err
	}
	groups := h.Groups()
	for i := range groups {
		g := &groups[i]
		common := g.Constructor == "Module" && !g.Prototype && !g.Boilerplate
		if namespace := s.v.Objects.TypeNamed(tagged(s.v, g.First), "MODULE_NAMESPACE"); !common && !namespace {
			continue
		}
		for _, a := range h.Objects(g) {
			o, file := object.Slot{Word: tagged(s.v, a)}, ""
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
	list, _, _ := s.v.Objects.Properties(namespace, maxMembers)
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
	n := named{strings.TrimPrefix(file, "file://"), path, x}
	key := fmt.Sprint(n.label(), x)
	if s.held[key] {
		return
	}
	s.held[key] = true
	s.found = append(s.found, n)
}

// printNamed prints what a path means in the modules of the program, and reports whether it means anything.
func printNamed(ctx context.Context, c *commands.Call, v *v8.V8, text string,
	show func(label string, x object.Slot) error) (bool, error) {
	file, path := splitFile(text)
	names, err := object.Path(path)
	if err != nil || len(names) == 0 {
		return false, nil
	}
	list, err := namedIn(ctx, v, file, names)
	if err == nil && len(list) == 0 && file != "" {
		err = c.Unknown("no module %s has a variable, an export, a function or a class called %s that is in the core",
			file, path)
	}
	if err != nil || len(list) == 0 {
		return false, err
	}
	for i := range list {
		label := ""
		if len(list) > 1 {
			label = list[i].label()
		}
		if err := show(label, list[i].slot); err != nil {
			return true, err
		}
	}
	return true, nil
}

// moduleScopes calls visit for each module of the program that has variables which its functions use: with its
// file and the scope that holds them. A module without a file is in no list.
func (s *nameSearch) moduleScopes(ctx context.Context, visit func(file string, c *object.Context) error) error {
	list, err := functionsOf(ctx, s.v)
	if err != nil {
		return err
	}
	for i := range list {
		f := &list[i]
		if !s.wants(f.File) || len(f.Closures) == 0 {
			continue
		}
		chain, _ := s.v.Objects.Contexts(tagged(s.v, f.Closures[0]))
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

// emitModules emits the variables of the program's modules; if names are wanted, only those.
func emitModules(ctx context.Context, c *commands.Call, v *v8.V8, wanted map[string]bool) error {
	s, any := &nameSearch{v: v, seen: map[core.Addr]bool{}}, false
	err := s.moduleScopes(ctx, func(file string, scope *object.Context) error {
		for _, x := range scope.Variables {
			if len(wanted) > 0 && !wanted[x.Name] {
				continue
			}
			any = true
			n := named{strings.TrimPrefix(file, "file://"), x.Name, x.Slot}
			r := listed(v, n.label(), x.Slot)
			r.context = core.Addr(scope.Word)
			if err := c.Emit(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || any {
		return err
	}
	return c.Empty("no module of the program has a variable that its functions use")
}

// moduleWords returns the names of variables and exports of the program's modules and of its functions and
// classes. After "FILE:" they are the names in that module, with the file in front.
func moduleWords(ctx context.Context, v *v8.V8, prefix string) (words []string) {
	file, _ := splitFile(prefix + "x")
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
	list, err := functionsOf(ctx, v)
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
