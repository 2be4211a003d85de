package builtin

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/sym"
)

func moduleCommands() []commands.Command {
	return []commands.Command{
		{Name: "which", Alias: "whence", Args: "name ...",
			Options: []commands.Option{{Letter: 'v', Help: "list all definitions of the name"}},
			Summary: "show which module a command or walker is from",
			Detail:  "Says for each name whether it is a command or a walker, and its module. ::module`name is the one of a module, where several have the name.",
			Example: "::which -v walk", SeeAlso: []string{"::dmods", "::dcmds"}, Run: which},
		{Name: "dmods", Args: "[module]", Options: []commands.Option{{Letter: 'l',
			Help: "with their commands and walkers"}},
			Summary: "list the modules of commands",
			Detail:  "Lists the modules that commands and walkers belong to, or one of them. All are built in.",
			Example: "::dmods -l v8", SeeAlso: []string{"::load", "::which", "::dcmds"}, Run: dmods},
		{Name: "load", Args: "module", RawArgs: true, Summary: "say what a module found in the core",
			Detail: "All modules are built in, and look for their subjects by themselves. As MDB does when it loads a module, this " +
				"says which runtime was found, if it is the name of one, such as v8 or art. A path, \"mdb_\" and \".so\" around the name do not matter.",
			Example: "::load native", SeeAlso: []string{"::dmods", "::which"}, Run: load},
		{Name: "dem", Args: "name ...", RawArgs: true, Summary: "demangle names of C++ and Rust",
			Detail:  "Shows each name with its readable form.",
			Example: "::dem _ZN4node5AbortEv", SeeAlso: []string{"::which"}, Run: dem},
	}
}

// A lineRecord is a line about a subject, with its contents as fields.
type lineRecord struct {
	Type    string `json:"type" record:"dmod,command,walker,runtime,demangled"`
	Name    string `json:"name"`
	Module  string `json:"module,omitempty"`
	Version string `json:"version,omitempty"`
	Of      string `json:"demangled,omitempty"`
	text    string
}

// Text writes the line.
func (r *lineRecord) Text(w *out.Writer) { w.Printf("%s\n", r.text) }

// moduleName returns a module's name without the path and the extension that a
// file of MDB has.
func moduleName(file string) string {
	name := strings.TrimPrefix(path.Base(file), "mdb_")
	name, _, _ = strings.Cut(name, ".so")
	return name
}

// modules returns the names of all modules, sorted.
func modules(r *commands.Registry) []string {
	var all []string
	for _, c := range r.Commands() {
		all = append(all, c.Module)
	}
	for _, w := range r.Walkers() {
		all = append(all, w.Module)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
}

func dmods(_ context.Context, c *commands.Call) error {
	r := c.Session.Commands
	names := modules(r)
	if len(c.Args) > 1 {
		return c.Usage("it takes one module")
	}
	if len(c.Args) == 1 {
		name := moduleName(c.Text(c.Args[0]))
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no module %q; there are %s", name, strings.Join(names, ", "))
		}
		names = []string{name}
	}
	for _, name := range names {
		if err := emitModule(c, name); err != nil {
			return err
		}
	}
	return nil
}

// emitModule emits a module's line or, with -l, its heading and contents.
func emitModule(c *commands.Call, name string) error {
	if !c.Flag('l') {
		return c.Emit(&lineRecord{Type: "dmod", Name: name, text: name})
	}
	if err := c.Emit(&lineRecord{Type: "dmod", Name: name, text: "\n" + name + "\n" +
		strings.Repeat("-", 70)}); err != nil {
		return err
	}
	r := c.Session.Commands
	for _, cmd := range r.Commands() {
		if cmd.Module == name {
			if err := c.Emit(memberOf("dcmd", "command", name, cmd.Name, cmd.Summary)); err != nil {
				return err
			}
		}
	}
	for _, w := range r.Walkers() {
		if w.Module == name {
			if err := c.Emit(memberOf("walk", "walker", name, w.Name, w.Summary)); err != nil {
				return err
			}
		}
	}
	return nil
}

func memberOf(kind, typ, module, name, summary string) *lineRecord {
	return &lineRecord{Type: typ, Name: name, Module: module, text: fmt.Sprintf("  %s %-20s - %s", kind, name, summary)}
}

func which(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes the names of commands and walkers")
	}
	for _, a := range c.Args {
		if err := whichName(c, c.Text(a)); err != nil {
			return err
		}
	}
	return nil
}

func whichName(c *commands.Call, name string) error {
	r := c.Session.Commands
	var lines []*lineRecord
	define := func(kind, typ, from string, all []string) {
		text := fmt.Sprintf("%s is a %s from module %s", name, kind, from)
		if from == module {
			text = fmt.Sprintf("%s is a built-in %s", name, kind)
		}
		if c.Flag('v') {
			text += "\n   >  definition list:"
			for i, m := range all {
				text += fmt.Sprintf("\n  [%d] %s`%s", i+1, m, name)
			}
		}
		lines = append(lines, &lineRecord{Type: typ, Name: name, Module: from, text: text})
	}
	short := strings.TrimPrefix(name, "::")
	if cmd, ok := r.Command(short); ok {
		all := []string{cmd.Module}
		for _, other := range r.Commands() {
			if other != cmd && (other.Name == short || other.Alias == short) {
				all = append(all, other.Module)
			}
		}
		define("dcmd", "command", cmd.Module, all)
	}
	if w, ok := r.Walker(short); ok {
		define("walker", "walker", w.Module, []string{w.Module})
	}
	if len(lines) == 0 {
		return fmt.Errorf("%s not found", name)
	}
	return commands.EmitAll(c, lines)
}

func load(_ context.Context, c *commands.Call) error {
	args := c.Args
	if len(args) == 2 && (args[0].Text == "-s" || args[0].Text == "-d") { // what MDB knows
		args = args[1:]
	}
	if len(args) != 1 {
		return c.Usage("it takes the name of a module")
	}
	name := moduleName(c.Text(args[0]))
	for _, rt := range c.Session.Found() {
		if rt.Name() == name {
			title := strings.ToUpper(name)
			return c.Emit(&lineRecord{Type: "runtime", Name: name, Version: rt.Version(), text: fmt.Sprintf(
				"%s version: %s\nAutoconfigured %s support from target\nC++ symbol demangling enabled", title,
				rt.Version(), title)})
		}
	}
	if slices.Contains(c.Session.Probed, name) {
		return fmt.Errorf("%s was not found in this process; ::status -v has warnings, if there are some",
			strings.ToUpper(name))
	}
	names := modules(c.Session.Commands)
	if !slices.Contains(names, name) {
		names = slices.Compact(slices.Sorted(slices.Values(append(names, c.Session.Probed...))))
		return fmt.Errorf("there is no module %q, and modules cannot be loaded; there are %s", name,
			strings.Join(names, ", "))
	}
	return c.Emit(&lineRecord{Type: "dmod", Name: name, text: "module " + name + " is built in"})
}

func dem(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes mangled names")
	}
	for _, a := range c.Args {
		name := c.Text(a)
		readable := sym.Demangle(name, false)
		if err := c.Emit(&lineRecord{Type: "demangled", Name: name, Of: readable,
			text: name + " == " + readable}); err != nil {
			return err
		}
	}
	return nil
}
