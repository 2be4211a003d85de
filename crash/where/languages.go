package where

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A language is one whose programs run in an interpreter or a virtual machine that is not decoded:
// functions of the program are not on the machine's stack, and the locks of its threads are not read.
// Its name appears in the rules of signatures, which list the functions that run its programs.
type language struct {
	name  string
	files []string // how the names of the images begin that have the interpreter itself
	has   string   // a function that each of these exports, and so does a program with the interpreter in it
}

// languages are the languages that are recognized.
func languages() []language {
	return []language{
		{"Java", []string{"libjvm.", "libjli."}, "JNI_CreateJavaVM"},
		{"Python", []string{"libpython", "python"}, "Py_Initialize"},
		{"Ruby", []string{"libruby", "ruby"}, "ruby_init"},
		{"Perl", []string{"libperl", "perl"}, "perl_construct"},
		{"PHP", []string{"libphp", "php"}, "php_module_startup"},
		{"Lua", []string{"liblua", "lua"}, "lua_newstate"},
		{".NET", []string{"libcoreclr.", "libmono"}, "coreclr_initialize"},
		{"Erlang", []string{"beam."}, "erts_poll_wait"},
	}
}

// Languages returns the languages of a process that are not decoded, in the order of its images.
func Languages(p *core.Process, symbols *sym.Table) (found []string) {
	for _, m := range p.Modules {
		if l := languageOf(m, symbols); l != "" && !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	return found
}

// Interprets reports whether an image has the interpreter of a language that is not decoded.
func Interprets(m *core.Module, symbols *sym.Table) bool {
	return languageOf(m, symbols) != ""
}

// languageOf returns the language whose interpreter an image has, or "" if it has no interpreter.
func languageOf(m *core.Module, symbols *sym.Table) string {
	base := core.BaseName(m.Path)
	all := languages()
	for _, l := range all {
		if slices.ContainsFunc(l.files, func(f string) bool { return isImage(base, f) }) {
			return l.name
		}
	}
	if !m.Exe || symbols == nil {
		return ""
	}
	for _, l := range all { // a program that has it built in
		if _, ok := symbols.Exact(m, l.has); ok {
			return l.name
		}
	}
	return ""
}

// isImage reports whether the name of an image is a library's or interpreter's, with a version or without.
func isImage(base, name string) bool {
	rest, ok := strings.CutPrefix(base, name)
	return ok && (strings.HasSuffix(name, ".") || strings.HasPrefix(name, "lib") ||
		strings.Trim(rest, "0123456789.-") == "")
}

// Interpreted returns the language whose interpreter runs a function of the program, which is not on
// the stack; "" if no interpreter does. f is the frame that seems to run. It belongs to the
// interpreter, or calls code made at run time.
func (x *Threads) Interpreted(frames []stack.Frame, f *stack.Frame) string {
	i := 0
	for i < len(frames) && &frames[i] != f {
		i++
	}
	made := slices.ContainsFunc(frames[:i], func(f stack.Frame) bool { return x.nameless(&f) })
	for j := range frames[i:] {
		g := &frames[i+j]
		m := x.Process.Module(g.PC)
		if m == nil || !made && f.Module != g.Module {
			continue
		}
		if l := bugs.DefaultRules().Evaluator(g.Name); l != "" && l == languageOf(m, x.Symbols) {
			return l
		}
	}
	return ""
}

// nameless reports whether a frame is in machine code that no image has and no runtime knows.
func (x *Threads) nameless(f *stack.Frame) bool {
	return f.Name == "" && f.Module == "" && f.Kind == runtimes.Native && x.Process.Executable(f.PC)
}
