// Package engine names engines of JavaScript that are not decoded: JavaScriptCore, Hermes, SpiderMonkey,
// QuickJS, Duktape, MuJS.
//
// An engine is known by the name of its library, or by functions that a program exports or has a symbol for. Its
// version comes from a text in its library or program. Duktape, MuJS and JavaScriptCore of WebKitGTK have no such text.
//
// LIMITATIONS: a stripped program with an engine in it is known by its name alone.
package engine

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// A kind is an engine, or one in a program that has a name of its own.
type kind struct {
	name  string
	files []string // how the names of images with it begin
	// shells are how the names of programs begin that are known by a text of theirs, too: said.
	shells []string
	has    []string // functions that each image with it has
	// said finds its version in the image: the text, and within it the version, if that is in the text.
	said    string
	program string // the program that has the version; "" for the engine
}

// kinds are the engines that are recognized.
var kinds = []kind{
	{name: "JavaScriptCore", files: []string{"bun"}, said: `Bun v([0-9]+\.[0-9]+\.[0-9]+[-+.a-z0-9]*) \(`,
		program: "Bun"},
	{name: "JavaScriptCore", files: []string{"libjavascriptcoregtk-", "libJavaScriptCore", "JavaScriptCore",
		"libjsc.so"}, has: []string{"JSGlobalContextCreate", "JSEvaluateScript"}},
	{name: "Hermes", files: []string{"libhermes", "hermes"}, has: []string{"hermes_create_runtime"},
		said: `Hermes release version: ([0-9]+\.[0-9]+\.[0-9]+)|([0-9]+\.[0-9]+\.[0-9]+)\x00OSS Release Version`},
	{name: "SpiderMonkey", files: []string{"libmozjs-", "libmozjs", "libxul."}, shells: []string{"js"},
		has: []string{"_Z27JS_GetImplementationVersionv"}, said: `JavaScript-C([0-9]+\.[0-9]+[.0-9]*)`},
	{name: "QuickJS", files: []string{"libquickjs", "qjs", "libqjs."},
		has:  []string{"JS_NewRuntime", "JS_NewContextRaw", "JS_ExecutePendingJob"},
		said: `QuickJS(?:-ng)? version ([0-9][-.0-9]+)|QuickJS(?:-ng)? memory usage -- ([0-9][-.0-9]+) version`},
	{name: "Duktape", files: []string{"libduktape."}, shells: []string{"duk"},
		has: []string{"duk_create_heap", "duk_destroy_heap", "duk_eval_raw"}, said: `\(\(o\) Duktape`},
	{name: "MuJS", files: []string{"libmujs."}, shells: []string{"mujs"}, has: []string{"js_newstate", "js_ploadstring",
		"js_pcall"}, said: `Welcome to MuJS`},
}

// An Engine is one that is in the process.
type Engine struct {
	kind    *kind
	module  *core.Module
	version string
}

// Probe finds an engine, by the images of the process.
func Probe(_ context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	if t.Process == nil || t.Process.Space == nil {
		return nil, nil
	}
	for _, m := range t.Process.Modules {
		for i := range kinds {
			k := &kinds[i]
			in, shell := k.in(m, t.Symbols), k.shell(m)
			if !in && !shell {
				continue
			}
			if version, said := k.version(t.Process, m); in || said {
				return &Engine{kind: k, module: m, version: version}, nil
			}
		}
	}
	return nil, nil
}

// in reports whether an image has the engine.
func (k *kind) in(m *core.Module, symbols *sym.Table) bool {
	base := core.BaseName(m.Path)
	for _, f := range k.files {
		rest, ok := strings.CutPrefix(base, f)
		if ok && (strings.HasPrefix(f, "lib") || strings.Trim(rest, "0123456789.-") == "") &&
			(m.Exe || strings.HasPrefix(f, "lib") || len(f) > 8) {
			return true
		}
	}
	if !m.Exe || symbols == nil || len(k.has) == 0 {
		return false
	}
	for _, name := range k.has {
		if _, ok := symbols.Exact(m, name); !ok {
			return false
		}
	}
	return true
}

// shell reports whether an image has the name of a program that may have the engine.
func (k *kind) shell(m *core.Module) bool {
	for _, f := range k.shells {
		if rest, ok := strings.CutPrefix(core.BaseName(m.Path), f); ok && m.Exe &&
			strings.Trim(rest, "0123456789.-") == "" {
			return true
		}
	}
	return false
}

// maxImage bounds the bytes of an image that its version is looked for in.
const maxImage = 256 << 20

// version looks for the text that the image has about the engine, and returns the version in it; "" if there
// is no version.
func (k *kind) version(p *core.Process, m *core.Module) (version string, said bool) {
	if k.said == "" {
		return "", false
	}
	text := regexp.MustCompile(k.said)
	const step, overlap = 1 << 20, 64
	space := p.Space.Untraced()
	for at := m.Start; at < m.End && at-m.Start < maxImage; at += step - overlap {
		b, _ := core.ReadBytes(space, at, min(step, uint64(m.End-at)))
		if found := text.FindSubmatch(b); found != nil {
			return string(slices.Concat(found[1:]...)), true
		}
	}
	return "", false
}

// Name returns the name of the engine.
func (e *Engine) Name() string { return e.kind.name }

// Version returns its version, or the version of the program that contains it; runtimes.UnknownVersion if it
// is not known.
func (e *Engine) Version() string {
	switch {
	case e.version == "":
		return runtimes.UnknownVersion
	case e.kind.program != "":
		return e.kind.program + " " + e.version
	}
	return e.version
}

// String is its name with the version.
func (e *Engine) String() string {
	if e.version == "" && e.kind.program != "" {
		return e.kind.name + " (" + e.kind.program + ")"
	}
	if e.version == "" {
		return e.kind.name
	}
	return e.kind.name + " (" + e.Version() + ")"
}

// Module returns the image that has the engine.
func (e *Engine) Module() *core.Module { return e.module }

// Undecoded says why the engine is not decoded.
func (e *Engine) Undecoded() string {
	return "functions of JavaScript have no names; they run in frames of " + e.module.Name() +
		" and of code made at run time"
}

// Error is that, with the engine's name.
func (e *Engine) Error() string { return e.String() + " is not decoded: " + e.Undecoded() }

// Holds reports whether the code at an address may be the engine's: it is in the image that has the engine,
// or in none, where an engine puts code that it makes.
func (e *Engine) Holds(p *core.Process, pc core.Addr) bool {
	m := p.Module(pc)
	return m == e.module || m == nil && p.Executable(pc)
}
