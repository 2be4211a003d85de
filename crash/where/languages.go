package where

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A Language is one whose programs an interpreter or a virtual machine runs that is not decoded: functions of the
// program are not on the stack of the machine, and the locks of its threads are not read.
type Language struct {
	Name  string
	files []string // how the name of an image begins that has the interpreter
	has   string   // a function that its image exports, whatever that is called
	runs  []string // functions that run the program
}

// languages are the languages that are recognized.
func languages() []Language {
	return []Language{
		{"Java", []string{"libjvm.", "libjli."}, "JNI_CreateJavaVM", []string{"JavaCalls::call_helper"}},
		{"Python", []string{"libpython", "python"}, "Py_Initialize", []string{"_PyEval_EvalFrameDefault", "PyEval_EvalFrameEx", "_PyEval_EvalFrame"}},
		{"Ruby", []string{"libruby", "ruby"}, "ruby_init", []string{"vm_exec_core", "vm_exec", "rb_vm_exec"}},
		{"Perl", []string{"libperl", "perl"}, "perl_construct", []string{"Perl_runops_standard", "Perl_runops_debug"}},
		{"PHP", []string{"libphp", "php"}, "php_module_startup", []string{"execute_ex", "zend_execute"}},
		{"Lua", []string{"liblua", "lua"}, "lua_newstate", []string{"luaV_execute", "lj_vm_call", "lj_vm_pcall"}},
		{"C# (.NET)", []string{"libcoreclr.", "libmono"}, "coreclr_initialize", []string{"CallDescrWorkerInternal", "mono_jit_runtime_invoke"}},
		{"Erlang", []string{"beam."}, "erts_poll_wait", []string{"process_main"}},
	}
}

// Languages returns the languages of a process that are not decoded, in the order of its images.
func Languages(p *core.Process, symbols *sym.Table) (found []Language) {
	for _, m := range p.Modules {
		if l, ok := languageOf(m, symbols); ok && !slices.ContainsFunc(found, func(o Language) bool { return o.Name == l.Name }) {
			found = append(found, l)
		}
	}
	return found
}

// Interprets reports whether an image has the interpreter of a language that is not decoded.
func Interprets(m *core.Module, symbols *sym.Table) bool {
	_, ok := languageOf(m, symbols)
	return ok
}

// languageOf returns the language whose interpreter an image has.
func languageOf(m *core.Module, symbols *sym.Table) (Language, bool) {
	base := core.BaseName(m.Path)
	all := languages()
	for _, l := range all {
		if slices.ContainsFunc(l.files, func(f string) bool { return isImage(base, f) }) {
			return l, true
		}
	}
	if !m.Exe || symbols == nil {
		return Language{}, false
	}
	for _, l := range all { // a program that has it built in
		if _, ok := symbols.Exact(m, l.has); ok {
			return l, true
		}
	}
	return Language{}, false
}

// isImage reports whether the name of an image is a library's or interpreter's, with a version or without.
func isImage(base, name string) bool {
	rest, ok := strings.CutPrefix(base, name)
	return ok && (strings.HasSuffix(name, ".") || strings.HasPrefix(name, "lib") || strings.Trim(rest, "0123456789.-") == "")
}

// Interpreted returns the language whose interpreter runs a function of the program, which is not on the stack. f is the
// frame that seems to run. It belongs to the interpreter, or calls code made at run time.
func (x *Threads) Interpreted(frames []stack.Frame, f *stack.Frame) (l Language, ok bool) {
	i := 0
	for i < len(frames) && &frames[i] != f {
		i++
	}
	made := slices.ContainsFunc(frames[:i], func(f stack.Frame) bool { return x.nameless(&f) })
	for _, l := range Languages(x.Process, x.Symbols) {
		for j := range frames[min(i, len(frames)):] {
			g := &frames[i+j]
			m := x.Process.Module(g.PC)
			if m == nil || !slices.Contains(l.runs, g.Name) {
				continue
			}
			if its, ok := languageOf(m, x.Symbols); ok && its.Name == l.Name && (made || f.Module == g.Module) {
				return l, true
			}
		}
	}
	return Language{}, false
}

// nameless reports whether a frame is in machine code that no image has and no runtime knows.
func (x *Threads) nameless(f *stack.Frame) bool {
	return f.Name == "" && f.Module == "" && f.Kind == runtimes.Native && x.Process.Executable(f.PC)
}
