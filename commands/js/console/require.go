package console

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A loaded is a module that the process has: of CommonJS, or one of Node's own.
type loaded struct {
	name   string // the file, or the name of one of Node's own
	object object.Slot
	own    bool
	ready  bool
}

// loadedModules returns the current thread's modules, then the other threads' modules.
func loadedModules(ctx context.Context, v *v8.V8, thread *core.Thread) (list []loaded, err error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var others []loaded
	groups := h.Groups()
	for i := range groups {
		g := &groups[i]
		own := g.Constructor == "BuiltinModule" || g.Constructor == "NativeModule"
		if g.Prototype || g.Boilerplate || !own && g.Constructor != "Module" && !hasAll(g.Props, moduleProps) {
			continue
		}
		key := "filename"
		if own {
			key = "id"
		}
		for _, a := range h.Objects(g) {
			o := object.Slot{Word: target.Tagged(v, a)}
			name, err := v.Objects.Member(o, []string{key})
			if err != nil || name.Raw || !v.Objects.IsString(name.Word) {
				continue
			}
			m := loaded{v.Objects.Text(name.Word), o, own, true}
			for _, flag := range []string{"loaded", "loading"} {
				if x, err := v.Objects.Member(o, []string{flag}); err == nil && own && !x.Raw {
					m.ready = v.Objects.Oddball(x.Word) == "true"
				}
				if m.ready {
					break
				}
			}
			if t := heap.ThreadOf(ctx, h, a); thread != nil && t != nil && t.TID != thread.TID {
				others = append(others, m)
				continue
			}
			list = append(list, m)
		}
	}
	return append(list, others...), ctx.Err()
}

// moduleProps are properties of the objects of CommonJS modules, whose prototype may have been changed.
var moduleProps = []string{"id", "path", "exports", "filename", "loaded", "children"}

func hasAll(list, names []string) bool {
	for _, name := range names {
		if !slices.Contains(list, name) {
			return false
		}
	}
	return true
}

// require returns what a module exports that the process has loaded. The loader does not run.
func (c *Console) require(name string) (object.Slot, error) {
	list, err := loadedModules(c.ctx, c.v, c.s.Thread)
	if err != nil {
		return object.Slot{}, err
	}
	if !slices.ContainsFunc(list, func(m loaded) bool { return m.own }) {
		return object.Slot{}, eval.ErrNoModules
	}
	plain := strings.TrimPrefix(name, "node:")
	for i := range list {
		m := &list[i]
		if !m.own || m.name != plain {
			continue
		}
		if !m.ready {
			return object.Slot{}, fmt.Errorf("the process had not loaded %s: require would load it now", name)
		}
		return c.v.Objects.Member(m.object, []string{"exports"})
	}
	if m := c.resolve(list, name); m != nil {
		return c.v.Objects.Member(m.object, []string{"exports"})
	}
	return object.Slot{}, fmt.Errorf("the process had loaded no module %s: require would look for its file now", name)
}

// lazyGlobal returns a global that Node makes when it is first asked for: what one of its modules that was loaded
// exports by that name.
func (c *Console) lazyGlobal(name string) (object.Slot, error) {
	list, err := loadedModules(c.ctx, c.v, c.s.Thread)
	if err != nil {
		return object.Slot{}, err
	}
	for i := range list {
		if m := &list[i]; m.own && m.ready {
			x, err := c.v.Objects.Member(m.object, []string{"exports", name})
			if err == nil && !x.Raw && c.v.Objects.IsFunction(x.Word) {
				return x, nil
			}
		}
	}
	return object.Slot{}, fmt.Errorf("%s is made when it is first asked for, and the program had not asked", name)
}

// node reports whether the process has modules of Node's own, which require returns.
func (c *Console) node() bool {
	list, err := loadedModules(c.ctx, c.v, c.s.Thread)
	return err == nil && slices.ContainsFunc(list, func(m loaded) bool { return m.own })
}

// resolve finds the module that a name means: a file or a package. A relative name starts at the current function's
// file, else at the file of any module.
func (c *Console) resolve(list []loaded, name string) *loaded {
	files := map[string]*loaded{}
	for i := range list {
		if m := &list[i]; !m.own && files[m.name] == nil {
			files[m.name] = m
		}
	}
	try := func(file string) *loaded {
		for _, end := range []string{"", ".js", ".json", ".node", ".cjs", ".mjs", "/index.js", "/index.json",
			"/index.cjs"} {
			if m := files[file+end]; m != nil {
				return m
			}
		}
		return nil
	}
	if path.IsAbs(name) {
		return try(path.Clean(name))
	}
	relative := name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	dirs := []string{}
	if file := c.file(); file != "" {
		dirs = append(dirs, path.Dir(file))
	}
	for i := range list {
		if !list[i].own {
			dirs = append(dirs, path.Dir(list[i].name))
		}
	}
	for _, dir := range dirs {
		if relative {
			if m := try(path.Join(dir, name)); m != nil {
				return m
			}
			continue
		}
		for ; ; dir = path.Dir(dir) {
			if m := c.inPackage(list, try, path.Join(dir, "node_modules", name)); m != nil {
				return m
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return nil
}

// inPackage finds the module that a package begins with: its index, else the one that others load of it, as they
// load that first.
func (c *Console) inPackage(list []loaded, try func(file string) *loaded, folder string) *loaded {
	if m := try(folder); m != nil {
		return m
	}
	for i := range list {
		if m := &list[i]; !m.own && strings.HasPrefix(m.name, folder+"/") &&
			!strings.Contains(m.name[len(folder):], "/node_modules/") {
			return m
		}
	}
	return nil
}

// file is the file of the current frame's function; "" if there is none.
func (c *Console) file() string {
	if !c.framed || c.at.Function == 0 {
		return ""
	}
	f, err := c.v.Objects.Function(target.Tagged(c.v, c.at.Function))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(f.File, "file://")
}

// moduleNames are the variables of a module of CommonJS, which its functions need not keep, with the property of the
// module that each is.
var moduleNames = map[string]string{"module": "", "exports": "exports", "__filename": "filename", "__dirname": "path"}

// OfModule reports whether a name is a variable of the module that the current frame's function is in; without a
// frame, of the program's first module.
func OfModule(ctx context.Context, s *commands.Session, v *v8.V8, name string) bool {
	if _, ok := moduleNames[name]; !ok {
		return false
	}
	_, ok := New(ctx, s, v).moduleVariable(name)
	return ok
}

// moduleVariable returns a variable of the module that the current frame's function is in; without a frame, of the
// program's first module.
func (c *Console) moduleVariable(name string) (object.Slot, bool) {
	property, ok := moduleNames[name]
	if !ok {
		return object.Slot{}, false
	}
	list, err := loadedModules(c.ctx, c.v, c.s.Thread)
	if err != nil {
		return object.Slot{}, false
	}
	file := c.file()
	for i := range list {
		m := &list[i]
		if m.own || file != "" && m.name != file {
			continue
		}
		if file == "" {
			if id, err := c.v.Objects.Member(m.object, []string{"id"}); err != nil || id.Raw ||
				!c.v.Objects.IsString(id.Word) || c.v.Objects.Text(id.Word) != "." {
				continue
			}
		}
		if property == "" {
			return m.object, true
		}
		x, err := c.v.Objects.Member(m.object, []string{property})
		return x, err == nil
	}
	return object.Slot{}, false
}

// errNoText says that a function's text is not in the core.
var errNoText = errors.New("the text of the function is not known")

// arrow reports whether the current frame's function is an arrow function, as far as its text tells.
func (c *Console) arrow() bool {
	n, err := c.functionTree()
	return err == nil && n.Arrow
}

// functionTree parses the current frame's function.
func (c *Console) functionTree() (*syntax.Node, error) {
	shared, ok := c.v.Objects.ClosureShared(target.Tagged(c.v, c.at.Function))
	if c.at.Function == 0 || !ok {
		return nil, errNoText
	}
	info, ok := c.v.Objects.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return nil, errNoText
	}
	start, end := c.v.Objects.Extent(shared)
	text, err := c.v.Objects.Source(info.Script, start, end, syntax.MaxText)
	if err != nil {
		return nil, err
	}
	return syntax.ParseFunction(text)
}
