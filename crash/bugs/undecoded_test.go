package bugs

import (
	"slices"
	"strings"
	"testing"

	"coredbg/runtimes"
	"coredbg/stack"
)

// placed makes frames of "module name" pairs; a name is absent as -, and so is a module.
func placed(rows ...string) []stack.Frame {
	var list []stack.Frame
	for _, r := range rows {
		module, name, _ := strings.Cut(r, " ")
		list = append(list, stack.Frame{Kind: runtimes.Native, Module: strings.Trim(module, "-"),
			Name: strings.Trim(name, "-")})
	}
	return list
}

const (
	jvm    = "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so"
	ctypes = "/usr/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so"
	python = "/usr/bin/python3.11"
)

// Stacks as gdb shows them for java -cp . A, python3 s1.py (of Debian, without symbols, and with) and perl x.pl.
var (
	javaStack = placed(jvm+" Unsafe_PutInt", "- -", "- -", jvm+" JavaCalls::call_helper", jvm+" jni_invoke_static",
		"/usr/lib/jvm/java-17-openjdk-amd64/lib/libjli.so JavaMain")
	javaMade    = placed("- -", "- -", jvm+" JavaCalls::call_helper")
	javaBare    = placed("- -", "- -")
	javaCompile = placed(jvm+" PhaseIdealLoop::build_loop_late", jvm+" Compile::Optimize",
		jvm+" C2Compiler::compile_method", "/lib/libc.so.6 start_thread")
	pythonStack = placed("/lib/libc.so.6 __strlen_evex", ctypes+" -", "/lib/libffi.so.8.1.2 -",
		"/lib/libffi.so.8.1.2 ffi_call", ctypes+" -", python+" _PyObject_MakeTpCall",
		python+" _PyEval_EvalFrameDefault", python+" Py_BytesMain")
	pythonSyms = placed(ctypes+" i_get", "/usr/lib/libpython3.11.so.1.0 _PyEval_EvalFrameDefault",
		"/usr/lib/libpython3.11.so.1.0 pymain_main")
	extension = placed("/lib/libc.so.6 free", "/srv/venv/site-packages/fast/_fast.so parse_row",
		python+" cfunction_call", python+" _PyEval_EvalFrameDefault")
	bareExt = placed("/lib/libc.so.6 free", "/srv/venv/site-packages/fast/_fast.so -", python+" cfunction_call",
		python+" _PyEval_EvalFrameDefault")
	perlStack = placed("/lib/libc.so.6 strlen", "/usr/bin/perl Perl_newSVpv", "/usr/bin/perl -",
		"/usr/bin/perl Perl_runops_standard", "/usr/bin/perl main")
	luaInside = placed("/srv/game luaV_execute", "/srv/game luaD_call", "/srv/game lua_pcallk", "/srv/game tick",
		"/srv/game main")
	looksLike = placed("- -", "/srv/tool R_reduce", "/srv/tool main")
)

// TestSignUndecoded: the frames of an interpreter name no bug; the program, its script and its words do.
func TestSignUndecoded(t *testing.T) {
	for _, c := range []struct {
		frames []stack.Frame
		args   string
		name   string
	}{
		{javaStack, "java -Xmx64m -cp . app.Resize", "null-dereference | code of Java in app.Resize, not decoded"},
		{javaMade, "java -jar /srv/app.jar", "null-dereference | code of Java in app.jar, not decoded"},
		{javaBare, "java --module-path m -m app/app.Main", "null-dereference | code of Java in app.Main, not decoded"},
		{javaCompile, "java A", "null-dereference | PhaseIdealLoop::build_loop_late | Compile::Optimize | C2Compiler::compile_method"},
		{pythonStack, "python3 -X dev /srv/load.py 5", "null-dereference | code of Python in load.py, not decoded"},
		{pythonSyms, "python3 -m tool.run", "null-dereference | code of Python in tool.run, not decoded"},
		{pythonSyms, "python3", "null-dereference | code of Python, not decoded"},
		{extension, "python3 a.py", "null-dereference | free | parse_row"},
		{bareExt, "python3 a.py", "null-dereference | free | _fast.so+0x0"},
		{perlStack, "perl -w -I lib /srv/x.pl", "null-dereference | code of Perl in x.pl, not decoded"},
		{luaInside, "/srv/game level", "null-dereference | code of Lua, not decoded"},
		{looksLike, "tool", "null-dereference | R_reduce | main"},
	} {
		args := strings.Fields(c.args)
		p := &Program{Name: args[0], Args: args}
		if &c.frames[0] == &javaBare[0] {
			p.Language = "Java"
		}
		s := DefaultRules().SignProgram(NullDereference, c.frames, p)
		if s.Name != c.name || s.Coarse == "" || (s.Undecoded != "") != strings.HasSuffix(c.name, "not decoded") {
			t.Errorf("%s: %+v, want %s", c.args, s, c.name)
		}
	}
}

// TestUndecodedKeys: the script and its words tell programs apart, and options and numbers do not.
func TestUndecodedKeys(t *testing.T) {
	of := func(frames []stack.Frame, args ...string) string {
		return DefaultRules().SignProgram(WildPointer, frames, &Program{Name: args[0], Args: args}).Coarse
	}
	same := of(javaStack, "java", "-cp", ".", "Main", "load", "17")
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"java", "-Xmx1g", "-cp", "/other", "Main", "load", "18"}, true},
		{[]string{"java", "-cp", ".", "Main", "save", "17"}, false},
		{[]string{"java", "-cp", ".", "Other", "load", "17"}, false},
		{[]string{"java", "-jar", "Main.jar", "load"}, false},
	} {
		if got := of(javaStack, c.args...); (got == same) != c.want {
			t.Errorf("%q is the same bug: %t", c.args, got == same)
		}
	}
	a, b := of(pythonStack, "python3", "-c", "import a; a.f(0)"), of(pythonStack, "python3", "-c", "import b; b.f(0)")
	if a == b {
		t.Error("what two command lines say is one bug")
	}
	if of(javaStack, "java", "Main") != of(javaMade, "java", "Main") {
		t.Error("a function that the compiler has replaced is another bug")
	}
}

// TestScriptOf: the command lines of interpreters.
func TestScriptOf(t *testing.T) {
	for _, c := range []struct{ lang, args, script, rest string }{
		{"Python", "python3.11 -W ignore -u run.py migrate now", "run.py", "migrate now"},
		{"Python", "python3 -m http.server 8000", "http.server", "8000"},
		{"Python", "python3 -mhttp.server", "http.server", ""},
		{"Java", "/opt/jdk/bin/java --add-opens a/b=c -Da=b Main x", "Main", "x"},
		{"Java", "java --module=m/p.Main", "m/p.Main", ""},
		{"Perl", "perl -wle code x", "code", "x"},
		{"Perl", "perl -MPOSIX x.pl", "x.pl", ""},
		{"Ruby", "ruby -I lib bin/app serve", "app", "serve"},
		{"PHP", "php-fpm8.2 --nodaemonize", "", ""},
		{"Lua", "lua5.4 - x", "x", ""},
		{"R", "R --slave --file=a.R", "a.R", ""},
		{"Lua", "game x", "", "x"},
		{"Erlang", "beam.smp -- -root /usr", "", "-- -root /usr"},
		{"Python", "python3 -c", "", ""},
		{"Python", "", "", ""},
	} {
		args := strings.Fields(c.args)
		p := &Program{Args: args}
		script, rest := scriptOf(c.lang, p)
		if script != c.script || !slices.Equal(rest, strings.Fields(c.rest)) {
			t.Errorf("%s: %q, %q", c.args, script, rest)
		}
	}
}
