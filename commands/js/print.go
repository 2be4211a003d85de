package js

import (
	"cmp"
	"context"
	"errors"

	"coredbg/commands"
	"coredbg/commands/js/console"
	"coredbg/commands/js/names"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var jsprintCommand = commands.Command{
	Name: "jsprint", Module: target.Module, Often: "dnbs", Addr: commands.AddrOptional,
	Views: []commands.View{{Language: runtimes.LanguageJavaScript, Subject: commands.Values}},
	Options: []commands.Option{
		{Letter: 'a', Help: "show the address of each value"},
		{Letter: 'b', Help: "be brief: one line, nothing inside the objects that it holds"},
		{Letter: 'd', Arg: "depth", Help: "open this many levels of objects inside (default 2)"},
		{Letter: 'h', Help: "show properties that are not enumerable too"},
		{Letter: 'n', Arg: "count", Help: "show at most this many elements, entries and bytes of each (default 100) and properties (default 10000)"},
		{Letter: 'r', Help: "show objects as they are, not as their own functions [util.inspect.custom] say"},
		{Letter: 's', Arg: "length", Help: "show at most this many characters of a string (default 10000)"},
		{Letter: 'x', Help: "exactly as util.inspect: no private members, not where a generator is suspended"},
	},
	Args:    "[member ...]",
	Summary: "print a value of JavaScript",
	Detail: `Prints the value at the address as util.inspect of the process' own version of
Node would, and more: private members, where generators are suspended, the entries of weak
collections, the stack of errors even if the program never asked for it. A member is a path:
a.b[0]["x y"].#secret. Without an address the path starts at a variable that the
current frame sees, the one that ::frame chose or the first of the program, else at a
global: a property of globalThis, or a top-level let, const or class of a script. Else it starts in the program's
modules: at a variable that functions of a module use, an export, a function or class by its name, or a static member
of a class. All values with the name are shown, each with its file; server.js:sessions is the one in that file.

Other expressions are evaluated, as in the console of a browser: 'Object.keys(cache).length', 'list.map(x => x.id)',
'JSON.stringify(this)', 'arguments[0]'. So are statements: 'let a = 1; a + 1', 'for (const c of clients) console.log(c)'.
The variables that they declare are there for the next expression, and $_ is the last value. Functions of the
program and of V8 run over a copy, and the core stays as it is. require('fs') is a module that the process has loaded.
Functions that are written in C++, such as process.memoryUsage(), process.uptime() and process._getActiveHandles(),
have an answer where the core has it. Times, as of Date.now(), are as of the last turn of the event loop. A function
that asks the kernel, such as os.cpus(), has no value, nor has a property that is made when it is first asked for,
such as process.stdout, until the program did. queryObjects(Class), getEventListeners(emitter) and import.meta are as
in Chrome's console. An object of a class of C++ is made without its C++, and
a warning names the class. console.log(a, b) shows a and b.

If an object has a function [util.inspect.custom], as web objects do and
classes of programs may, that runs over the core and says how the object looks. One that
needs something outside the heap cannot run: such an object is shown without it, and if
only a property needs it, the property is <not in the core: reason>.

Objects inside themselves are [Circular *1], where <ref *1> marks what they refer
to; [Class] stands for an object deeper than -d. A reason stands for an unreadable value,
as <not dumped> or <corrupt: reason>.

In JSON objects are as they are, and a value is plain where JSON can say it, and else an object with the key
"$", which names its kind: {"$":"undefined"}, {"$":"hole"}, "123n" for a BigInt,
{"$":"number","value":"NaN"}, {"$":"symbol","description":"d"},
{"$":"function","name":"f","addr":"0x..."}, {"$":"Map","entries":[[k,v]]},
{"$":"Set","values":[]}, {"$":"Date","iso":"..."}, {"$":"RegExp","source":"s","flags":"g"},
{"$":"Uint8Array","values":[]}, {"$":"TypeError","message":"m","cause":V,"stack":"..."},
{"$":"Promise","state":"pending","value":V}, {"$":"Proxy","target":V,"handler":V},
{"$":"Generator","function":"g","line":12}, {"$":"accessor"}, {"$":"ref","addr":"0x..."}
for an object that is printed further out or lies too deep, {"$":"more","count":N}
at the end of a truncated list or object, {"$":"string","length":N,"value":"prefix"}.
Symbols as keys are "[Symbol(d)]"; "$class" is the class of an object.`,
	Example: "::jsprint -d 1 process.versions",
	SeeAlso: []string{"jsglobal", "jsarray", "jsconstructor", "v8print"},
	Words:   memberWords,
	Run:     runPrint,
}

// valueRecord is a value of JavaScript, named if it is one of several.
type valueRecord struct {
	kind  string // the record's type
	label string
	value *inspect.Value
	form  inspect.FormatOptions
	brief bool
	// at is the value's address; 0 for a number without one.
	at      core.Addr
	name    string    // for programs; "" if it is one value by itself
	context core.Addr // that has the variable; 0 if it is none
}

// inspectOptions reads the options that printing commands share.
func inspectOptions(c *commands.Call) (o inspect.InspectOptions, err error) {
	o = inspect.DefaultInspect()
	if o.Depth, err = c.Int('d', o.Depth); err != nil {
		return o, err
	}
	if c.Flag('n') {
		n, err := c.Int('n', 0)
		if err != nil {
			return o, err
		}
		o.Show(n)
	}
	if o.MaxString, err = c.Int('s', o.MaxString); err != nil {
		return o, err
	}
	if _, given := c.Opt('d'); c.Flag('b') && !given {
		o.Depth = 0
	}
	o.ShowHidden, o.Custom = c.Flag('h'), !c.Flag('r')
	return o, nil
}

func runPrint(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	o, err := inspectOptions(c)
	if err != nil {
		return err
	}
	paths := make([]string, 0, len(c.Args))
	for _, a := range c.Args {
		paths = append(paths, c.Text(a))
	}
	if len(paths) == 0 {
		if !c.HasAddr && c.Dot == 0 {
			return c.Usage("it takes the address of a value, or the name of a variable")
		}
		paths = []string{""}
	}
	for _, path := range paths {
		label := ""
		if len(paths) > 1 {
			label = path
		}
		if err := printPath(ctx, c, v, path, label, o); err != nil {
			return err
		}
		sayOthers(ctx, c, v, path)
	}
	return nil
}

// printPath emits the value that a path leads to, under the label if there are several.
func printPath(ctx context.Context, c *commands.Call, v *v8.V8, path, several string, o inspect.InspectOptions) error {
	if !c.HasAddr && console.OwnWord(c.Session, names.First(path)) {
		if done, err := printTyped(ctx, c, v, path, o); done || err != nil {
			return err
		}
	}
	x, err := valueOf(ctx, c, v, path, o)
	if err != nil && !c.HasAddr {
		if done, failed := printOther(ctx, c, v, path, several, err, o); done || failed != nil {
			return failed
		}
	}
	if err != nil {
		return names.Unnamed(ctx, c, v, path, err)
	}
	if x.Kind == object.KindCorrupt {
		c.Warn("%w", c.Unknown("%s is not a value that can be read: %w", cmp.Or(path, c.Dot.String()), x.Err))
		return nil
	}
	r := newValue(v, x, c)
	r.label = several
	return c.Emit(r)
}

// printOther prints what a text means that is no path to a value, as err says; it is false if the text means nothing.
func printOther(ctx context.Context, c *commands.Call, v *v8.V8, path, several string, err error,
	o inspect.InspectOptions) (bool, error) {
	name := names.First(path)
	if console.OfModule(ctx, c.Session, v, name) {
		return printTyped(ctx, c, v, path, o)
	}
	found, failed := printNamed(ctx, c, v, path, func(label string, x object.Slot) error {
		r := newValue(v, v.Values.InspectSlot(x, o), c)
		r.label = cmp.Or(label, several)
		return c.Emit(r)
	})
	if found || failed != nil {
		return true, failed
	}
	_, handled := names.Thrown(ctx, c.Session, v, name)
	if !console.IsPath(path) || errors.Is(err, object.ErrAccessor) || errors.Is(err, object.ErrComputed) ||
		errors.Is(err, object.ErrPrimitive) || console.Answered(ctx, c.Session, v, path) ||
		errors.Is(err, object.ErrNoGlobal) && (handled || console.OfConsole(name) || inModule(ctx, v, name)) {
		return printTyped(ctx, c, v, path, o)
	}
	return false, nil
}

// inModule reports whether a name means something in the modules of the program.
func inModule(ctx context.Context, v *v8.V8, name string) bool {
	list, err := names.InModules(ctx, v, "", []string{name})
	return err == nil && len(list) > 0
}

// startOf finds what a path means: a member of dot, or without an address what its first name
// means where the current thread is.
func startOf(ctx context.Context, c *commands.Call, v *v8.V8, path string) (object.Slot, error) {
	members, err := object.Path(path)
	if err != nil {
		return object.Slot{}, err
	}
	return startAt(ctx, c, v, members)
}

// startAt is startOf of the names of a path.
func startAt(ctx context.Context, c *commands.Call, v *v8.V8, members []string) (object.Slot, error) {
	if c.HasAddr || len(members) == 0 {
		return v.Objects.Member(object.Slot{Word: target.Tagged(v, c.Dot)}, members)
	}
	return names.Visible(ctx, c.Session, v, members)
}

func newValue(v *v8.V8, x *inspect.Value, c *commands.Call) *valueRecord {
	r := &valueRecord{kind: "jsvalue", value: x, brief: c.Flag('b'), at: core.Addr(x.Word)}
	r.form = inspect.FormatOptions{ShowHidden: c.Flag('h'), Addresses: c.Flag('a'), Exact: c.Flag('x'),
		Dialect: v.Values.Dialect()}
	if r.brief {
		r.form.OneLine = true
	}
	return r
}

// Addr returns the address of the value, as V8 tags it.
func (r *valueRecord) Addr() (core.Addr, bool) { return r.at, r.at != 0 }

// Text writes the value as util.inspect would.
func (r *valueRecord) Text(w *out.Writer) {
	if r.label != "" {
		w.Paint(out.Symbol, "%s", inspect.Printable(r.label))
		w.Printf(": ")
	}
	w.Value(r.value.Format(r.form))
	w.Printf("\n")
}

// A valueJSON is a value as programs see it.
type valueJSON struct {
	Type    string         `json:"type" record:"jsvalue,jsclosure"`
	Addr    core.Addr      `json:"addr,omitzero"`    // of an object; absent for other values
	Name    string         `json:"name,omitempty"`   // of the variable or property that holds it
	Context core.Addr      `json:"context,omitzero"` // of the variable
	Value   *inspect.Value `json:"value"`
}

// JSON implements out.Formed.
func (r *valueRecord) JSON() any {
	j := &valueJSON{Type: r.kind, Name: r.name, Context: r.context, Value: r.value}
	if r.value.Word.IsHeap() { // others are not addresses
		j.Addr = r.at
	}
	return j
}

var jsglobalCommand = commands.Command{
	Name: "jsglobal", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'a', Help: "also the ones that JavaScript and the embedder define"},
		{Letter: 'm', Help: "the variables of the program's modules instead, each with its file"},
	},
	Args:    "[name ...]",
	Summary: "list the globals of JavaScript programs",
	Detail: `Lists the properties of each realm's global object that a program can enumerate,
and the top-level let, const and class bindings of its scripts; with names only
those. A pipe gets the addresses of their values.

A module keeps the variables that its functions use; -m shows those. In a frame of JavaScript ::locals shows what the
function sees, and ::jsclosure what a closure does.`,
	Example: "::jsglobal T | ::jsprint -d 0",
	SeeAlso: []string{"jsprint"},
	Run:     runGlobal,
}

// brief are the limits for a value on a line of a listing.
var brief = inspect.InspectOptions{Depth: 0, MaxArray: 6, MaxProperties: 6, MaxString: 80, MaxValues: 200}

// listed makes the record of a value in a listing.
func listed(v *v8.V8, label string, s object.Slot) *valueRecord {
	x := v.Values.InspectSlot(s, brief)
	return &valueRecord{kind: "jsvalue", label: label, value: x, brief: true, at: core.Addr(x.Word),
		form: inspect.FormatOptions{OneLine: true, Dialect: v.Values.Dialect()}, name: label}
}

func runGlobal(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	realms, err := v.Objects.Realms(ctx, c.Session.Thread)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, a := range c.Args {
		wanted[c.Text(a)] = true
	}
	if c.Flag('m') {
		return emitModules(ctx, c, v, wanted)
	}
	for _, native := range realms {
		if err := emitGlobals(c, v, native, wanted); err != nil {
			return err
		}
	}
	return nil
}

func emitGlobals(c *commands.Call, v *v8.V8, native layout.Tagged, wanted map[string]bool) error {
	g, err := v.Objects.GlobalObject(native)
	if err != nil {
		return err
	}
	const most = 1 << 16
	list, _, err := v.Objects.Properties(g, most)
	if err != nil {
		c.Warn("%v", err)
	}
	for i := range list {
		p := &list[i]
		name := p.Key.String()
		if len(wanted) > 0 && !wanted[name] || len(wanted) == 0 && !p.Enumerable && !c.Flag('a') ||
			p.Accessor || p.Native {
			continue
		}
		if err := c.Emit(listed(v, name, p.Value)); err != nil {
			return err
		}
	}
	for _, s := range v.Objects.ScriptContexts(native) {
		for _, x := range s.Variables {
			if len(wanted) > 0 && !wanted[x.Name] {
				continue
			}
			if err := c.Emit(listed(v, x.Name, x.Slot)); err != nil {
				return err
			}
		}
	}
	return nil
}

var jsconstructorCommand = commands.Command{
	Name: "jsconstructor", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'v', Help: "also the address of the constructor"}},
	Summary: "show the class of an object",
	Detail: `The class is the name of the first constructor on the object's prototype chain of
which it is an instance, so that an instance of a subclass has that class' name.
A pipe gets the address of the constructor.`,
	Example: "::jsprint -b T.gadget | ::jsconstructor -v",
	SeeAlso: []string{"jsprint", "jsfunction"},
	Run:     runConstructor,
}

// constructorRecord names the class of an object.
type constructorRecord struct {
	_       out.Record `record:"jsconstructor"`
	Object  core.Addr  `json:"addr"`
	Class   string     `json:"constructor"`
	At      core.Addr  `json:"function,omitempty" dot:"nonzero"`
	verbose bool
}

func runConstructor(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	fn, class, err := v.Objects.Constructor(t)
	if err != nil {
		return err
	}
	return c.Emit(&constructorRecord{Object: core.Addr(t), Class: class, At: core.Addr(fn), verbose: c.Flag('v')})
}

// Text writes the name, with -v with the address.
func (r *constructorRecord) Text(w *out.Writer) {
	switch {
	case !r.verbose:
		w.Printf("%s\n", inspect.Printable(r.Class))
	case r.At == 0:
		w.Printf("%s (no constructor)\n", inspect.Printable(r.Class))
	default:
		w.Printf("%s (JSFunction: %x)\n", inspect.Printable(r.Class), uint64(r.At))
	}
}
