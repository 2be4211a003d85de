package console

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/names"
	"coredbg/commands/js/realm"
	"coredbg/commands/js/target"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// askedNames are the first names of expressions that have answers though the process has no such variable.
var askedNames = map[string]bool{"queryObjects": true, "getEventListeners": true, "__HaveSameMap": true, "v8": true,
	"os": true, "performance": true, "process": true, "navigator": true, "Deno": true, "debug": true, "undebug": true,
	"monitor": true, "unmonitor": true, "unmonitorEvents": true, "gc": true, "location": true, "document": true,
	"origin": true}

// question returns what answers an expression that no function of the heap computes: functions of a browser's
// console, the module of the frame, and the embedder's and the system's answers.
func (c *Console) question(path string) eval.Question {
	if q := c.inPage(path); q != nil {
		return q
	}
	switch path {
	case "queryObjects()":
		return c.queryObjects
	case "v8.queryObjects()": // of Node
		return func(m *ecma.Machine, args []ecma.Value) eval.Answer {
			a := c.queryObjects(m, args)
			if o, ok := a.Value.(*ecma.Object); ok {
				a.Value = float64(len(o.List))
			}
			return a
		}
	case "debug()", "undebug()", "monitor()", "unmonitor()", "unmonitorEvents()", "gc()":
		return func(*ecma.Machine, []ecma.Value) eval.Answer { return eval.Answer{} } // they return undefined
	case "getEventListeners()":
		return c.eventListeners
	case "__HaveSameMap()":
		return c.sameMap
	case "import.meta":
		return c.module
	}
	return c.v.Question(c.ctx, c.s.Thread, path)
}

// Notes returns the notes on the answers of the embedder that were asked for.
func (c *Console) Notes() []string { return c.notes }

// note keeps a note on an answer, once.
func (c *Console) note(text string) {
	if !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// remark writes a note once in a session.
func (c *Console) remark(text string) {
	if !c.kept.said[text] {
		c.kept.said[text] = true
		c.note(text)
	}
}

// queryObjects is the function of Chrome's console: the objects that have the prototype of a class, or an object,
// among their prototypes. As there, prototypes of classes that extend it are among them, and garbage is not.
func (c *Console) queryObjects(m *ecma.Machine, args []ecma.Value) eval.Answer {
	var of ecma.Value
	if len(args) > 0 {
		of = args[0]
	}
	if p := ecma.Value(nil); m.IsObject(of) {
		if p = m.Get(of, ecma.Key{Name: "prototype"}); m.IsObject(p) {
			of = p
		}
	}
	proto, ok := of.(ecma.Heap)
	if !ok {
		m.Throw("queryObjects takes a class or a prototype")
	}
	h, err := c.v.Heaps.Snapshot(c.ctx)
	if err != nil {
		return eval.Answer{Err: err}
	}
	groups := h.Groups()
	if g, err := h.Graph(c.ctx); err == nil {
		groups = h.Part(groups, g, true)
	}
	out, inherits, all := eval.List(), map[layout.Tagged]bool{}, 0
	for i := range groups {
		if groups[i].Boilerplate {
			continue
		}
		for _, a := range h.Objects(&groups[i]) {
			t := target.Tagged(c.v, a)
			shape, _ := c.v.Values.MapOf(t)
			is, known := inherits[shape]
			if !known {
				is = c.inherits(t, layout.Tagged(proto))
				inherits[shape] = is
			}
			if !is {
				continue
			}
			if all++; all <= maxQueried {
				out.List = append(out.List, ecma.Heap(t))
			}
		}
	}
	a := eval.Answer{Value: out}
	if all > maxQueried {
		a.Note = fmt.Sprintf("queryObjects: the first %d of %d objects", maxQueried, all)
	}
	return a
}

// inherits reports whether an object has another among its prototypes.
func (c *Console) inherits(t, proto layout.Tagged) bool {
	for range object.MaxPrototypes {
		if t = c.v.Objects.PrototypeOf(t); t == 0 || t == proto {
			break
		}
	}
	return t == proto
}

// maxQueried bounds the objects of a query.
const maxQueried = 1 << 20

// sameMap is %HaveSameMap of V8.
func (c *Console) sameMap(m *ecma.Machine, args []ecma.Value) eval.Answer {
	if len(args) != 2 {
		m.Throw("%%HaveSameMap takes two objects")
	}
	a, ok1 := args[0].(ecma.Heap)
	b, ok2 := args[1].(ecma.Heap)
	if !ok1 || !ok2 {
		return eval.Answer{Value: false}
	}
	x, ok1 := c.v.Values.MapOf(layout.Tagged(a))
	y, ok2 := c.v.Values.MapOf(layout.Tagged(b))
	return eval.Answer{Value: ok1 && ok2 && x == y}
}

// eventListeners is getEventListeners of Chrome's console, for an EventEmitter of Node and for an EventTarget:
// the listeners by the names of events.
func (c *Console) eventListeners(m *ecma.Machine, args []ecma.Value) eval.Answer {
	o, ok := append(args, nil)[0].(ecma.Heap)
	if !ok {
		return eval.Answer{Value: eval.Record()}
	}
	if events := m.Get(o, ecma.Key{Name: "_events"}); m.IsObject(events) {
		return eval.Answer{Value: events}
	}
	for _, k := range m.OwnKeys(o) {
		if k.Symbol == 0 || c.v.Objects.SymbolDescription(k.Symbol) != "kEvents" {
			continue
		}
		out := eval.Record()
		for _, e := range eval.Entries(m, m.Get(o, k)) {
			list := eval.List()
			for l := m.Get(e.Value, ecma.Key{Name: "next"}); m.IsObject(l) && len(list.List) < maxQueried; {
				list.List = append(list.List, m.Get(l, ecma.Key{Name: "listener"}))
				l = m.Get(l, ecma.Key{Name: "next"})
			}
			out.Set(ecma.Key{Name: m.Text(e.Key)}, list)
		}
		return eval.Answer{Value: out}
	}
	return eval.Answer{Value: eval.Record()}
}

// errNoModule is V8's error.
var errNoModule = errors.New("SyntaxError: Cannot use 'import.meta' outside a module")

// module is import.meta of the module of the frame. Without a frame it belongs to the program's only module.
func (c *Console) module(m *ecma.Machine, _ []ecma.Value) eval.Answer {
	at := c.moduleURL()
	if at == "" {
		return eval.Answer{Err: errNoModule}
	}
	file := ""
	if u, err := url.Parse(at); err == nil && u.Scheme == "file" {
		file = u.Path
	}
	o := eval.Record()
	o.Proto = ecma.Null{}
	for _, name := range c.metaNames(file) {
		var v ecma.Value = at
		switch name {
		case "dirname":
			v = filepath.Dir(file)
		case "filename":
			v = file
		case "main":
			v = c.isMain(file)
		case "resolve":
			v = m.Native(name, resolve(at))
		}
		o.Set(ecma.Key{Name: name}, v)
	}
	return eval.Answer{Value: o}
}

// metaNames are the properties of import.meta in their order: of Deno (runtime: ModuleMap), and of Node
// (lib/internal/modules/esm/initialize_import_meta.js), which has had dirname and filename since 20.11, and main since
// 24.2.
func (c *Console) metaNames(file string) []string {
	major, minor := 0, 0
	if x, err := names.Global(c.ctx, c.s, c.v, []string{"process", "version"}); err == nil && !x.Raw {
		_, _ = fmt.Sscanf(c.v.Objects.Text(x.Word), "v%d.%d", &major, &minor)
	}
	switch {
	case c.v.Image.OfDeno() && file == "":
		return []string{"url", "main", "resolve"}
	case c.v.Image.OfDeno():
		return []string{"url", "main", "filename", "dirname", "resolve"}
	case file == "" || major < 20 || major == 20 && minor < 11:
		return []string{"resolve", "url"}
	case major < 24 || major == 24 && minor < 2:
		return []string{"dirname", "filename", "resolve", "url"}
	}
	return []string{"dirname", "filename", "main", "resolve", "url"}
}

// isMain reports whether a file is the one that the command line names.
func (c *Console) isMain(file string) bool {
	args, _ := core.Argv(c.s.Process)
	for _, a := range args[min(1, len(args)):] {
		if a == file || strings.HasSuffix(file, "/"+strings.TrimPrefix(a, "./")) || a == "file://"+file {
			return true
		}
	}
	return false
}

// resolve is import.meta.resolve for names that begin with a dot or are addresses.
func resolve(from string) func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		name, _ := append(args, nil)[0].(string)
		base, err := url.Parse(from)
		if to, e := url.Parse(name); err == nil && e == nil && (strings.HasPrefix(name, ".") || to.Scheme != "") {
			return base.ResolveReference(to).String()
		}
		m.Fail("import.meta.resolve: the package %s is not looked for", name)
		return nil
	}
}

// moduleURL returns the address of the module of the frame's function; "" if there is no module.
func (c *Console) moduleURL() string {
	if c.framed && c.at.Function != 0 {
		fn := target.Tagged(c.v, c.at.Function)
		if f, err := c.v.Objects.Function(fn); err == nil {
			if inModuleScope(c.v, fn) || !realm.MayHaveBlink(c.v) && isModule(f.File) {
				return f.File
			}
			return ""
		}
	}
	only := ""
	if !realm.MayHaveBlink(c.v) {
		only = onlyModule(c.ctx, c.v)
	}
	if only != "" {
		c.note(fmt.Sprintf("import.meta: no frame of JavaScript is chosen: %s is the only module of the program", only))
	}
	return only
}

// inModuleScope reports whether a function is in the scope of a module.
func inModuleScope(v *v8.V8, fn layout.Tagged) bool {
	list, _ := v.Objects.Contexts(fn)
	for _, c := range list {
		if v.Objects.TypeNamed(c.Word, "MODULE_CONTEXT") {
			return true
		}
	}
	return false
}

// isModule reports whether a name of a script is one that Node and Deno give to modules only.
func isModule(file string) bool {
	return strings.HasPrefix(file, "file:") || strings.HasPrefix(file, "https:") || strings.HasPrefix(file, "http:") ||
		strings.HasPrefix(file, "data:")
}

// onlyModule returns the file of the only module of the program; "" if there is no module, or several.
func onlyModule(ctx context.Context, v *v8.V8) (only string) {
	list, err := target.Functions(ctx, v)
	if err != nil {
		return ""
	}
	for i := range list {
		switch f := list[i].File; {
		case !strings.HasPrefix(f, "file:") || strings.Contains(f, "/node_modules/") || f == only:
		case only != "":
			return ""
		default:
			only = f
		}
	}
	return only
}

// unavailable reports whether an error says that a core lacks the embedder's answer.
func unavailable(err error) bool {
	absent := (*eval.AbsentError)(nil)
	return errors.As(err, &absent) || errors.Is(err, errNoModule)
}

// Missing returns the undefined name that made an evaluation fail; "" if it failed for another reason.
func (c *Console) Missing(err error) string {
	if err == nil || unavailable(err) {
		return ""
	}
	text := err.Error()
	for _, name := range c.absent {
		if strings.Contains(text, name+" is not defined") {
			return name
		}
	}
	for _, name := range c.asked { // a window may have any name
		if strings.HasSuffix(text, name+" is not defined") || strings.HasSuffix(text, "for its properties") {
			return name
		}
	}
	return ""
}

// Answered reports whether the embedder answers an expression that is typed, or a part of it.
func Answered(ctx context.Context, s *commands.Session, v *v8.V8, text string) bool {
	list, err := Parse(text)
	c := New(ctx, s, v)
	for _, n := range list {
		if err == nil && eval.Asks(n, c.question) {
			return true
		}
	}
	return false
}
