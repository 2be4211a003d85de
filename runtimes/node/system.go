package node

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/object"
)

func (q *asked) parent(*ecma.Machine) eval.Answer {
	if q.Process.PPID == 0 {
		return absent("process.ppid", "no note of the core has the parent")
	}
	return number(q.Process.PPID)
}

func (q *asked) title(*ecma.Machine) eval.Answer {
	if title := q.UV.Title(); title != "" {
		return eval.Answer{Value: title}
	}
	return eval.Answer{Value: q.Process.Name, Note: "process.title: the name of the main thread, which libuv sets, too"}
}

// user is the user of the process. The note of the core has the real one, which is also the effective one of nearly
// all programs.
func (q *asked) user(*ecma.Machine) eval.Answer {
	if q.Process.UID < 0 {
		return absent("the user", "no note of the core has it")
	}
	a := number(q.Process.UID)
	if q.path == "process.geteuid()" {
		a.Note = "process.geteuid(): the real user; the effective one is not in the core"
	}
	return a
}

func (q *asked) group(*ecma.Machine) eval.Answer {
	if q.Process.GID < 0 {
		return absent("the group", "no note of the core has it")
	}
	a := number(q.Process.GID)
	if q.path == "process.getegid()" {
		a.Note = "process.getegid(): the real group; the effective one is not in the core"
	}
	return a
}

// says is a text that the process object has.
func (q *asked) says(name string) eval.Answer {
	if q.process == 0 {
		return absent("process."+name, "the program had not asked for process")
	}
	if w, ok := q.members.Word(q.process, name); ok && q.objects.IsString(w) {
		return eval.Answer{Value: q.objects.Text(w)}
	}
	return absent("process."+name, "the process object lacks it")
}

// environment returns a variable of the environment.
func (q *asked) environment(name string) (value string, ok bool) {
	list, err := core.Environ(q.Process)
	if err != nil {
		return "", false
	}
	for _, s := range list {
		if value, ok := strings.CutPrefix(s, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// environmentOf answers process.env.NAME where process.env is not read: in a worker, whose copy only C++ has, and in
// Deno.
func environmentOf(name string) answerer {
	return func(q *asked, _ *ecma.Machine) (a eval.Answer) {
		if _, err := core.Environ(q.Process); err != nil {
			return absent(q.path, err.Error())
		}
		if s, ok := q.environment(name); ok {
			a.Value = s
		}
		if q.thread != nil && q.thread.TID != q.Process.PID {
			a.Note = q.path + ": as the environment was when the process began; a worker has a copy of its own"
		}
		return a
	}
}

// named is Deno.env.get(name): undefined for a variable that there is not.
func (q *asked) named(m *ecma.Machine) eval.Answer {
	if len(q.args) == 0 {
		m.Throw("TypeError: 1 argument required, but only 0 present")
	}
	if s, ok := q.environment(m.Text(q.args[0])); ok {
		return eval.Answer{Value: s}
	}
	return eval.Answer{}
}

// variables is Deno.env.toObject().
func (q *asked) variables(*ecma.Machine) eval.Answer {
	list, err := core.Environ(q.Process)
	if err != nil {
		return absent("Deno.env.toObject()", err.Error())
	}
	o := eval.Record()
	for _, s := range list {
		if name, value, ok := strings.Cut(s, "="); ok {
			o.Set(ecma.Key{Name: name}, value)
		}
	}
	return eval.Answer{Value: o}
}

// program is Deno.execPath().
func (q *asked) program(*ecma.Machine) eval.Answer {
	if q.Image.Module != nil && q.Image.Module.Path != "" {
		return eval.Answer{Value: q.Image.Module.Path}
	}
	return absent("Deno.execPath()", "no note of the core has the path of the program")
}

// home is os.homedir(), which libuv takes from the environment if it is there.
func (q *asked) home(*ecma.Machine) eval.Answer {
	if s, ok := q.environment("HOME"); ok && s != "" {
		return eval.Answer{Value: s, Note: q.path + ": as the environment said when the process began"}
	}
	return absent(q.path, "the environment has no HOME")
}

// host is os.hostname(), as containers have it in the environment.
func (q *asked) host(*ecma.Machine) eval.Answer {
	if s, ok := q.environment("HOSTNAME"); ok && s != "" {
		return eval.Answer{Value: s, Note: q.path + ": HOSTNAME of the environment; the kernel has the name"}
	}
	return absent(q.path, "the kernel has the name of the machine")
}

// userInfo is os.userInfo(), as far as the notes of the core and the environment have it.
func (q *asked) userInfo(m *ecma.Machine) eval.Answer {
	said := func(names ...string) ecma.Value {
		for _, name := range names {
			if s, ok := q.environment(name); ok && s != "" {
				return s
			}
		}
		return ecma.Unknown{Err: &eval.AbsentError{What: q.path, Why: "the environment has no " + names[0]}}
	}
	value := func(a eval.Answer) ecma.Value {
		if a.Err != nil {
			return ecma.Unknown{Err: a.Err}
		}
		return a.Value
	}
	return eval.Answer{Note: q.path + ": the environment has the names", Value: eval.Record(
		eval.Field{Name: "uid", Value: value(q.user(m))}, eval.Field{Name: "gid", Value: value(q.group(m))},
		eval.Field{Name: "username", Value: said("USER", "LOGNAME")},
		eval.Field{Name: "homedir", Value: said("HOME")}, eval.Field{Name: "shell", Value: said("SHELL")})}
}

// endOfLine is os.EOL (lib/os.js).
func (q *asked) endOfLine(*ecma.Machine) eval.Answer {
	if q.Process.OS == "windows" {
		return eval.Answer{Value: "\r\n"}
	}
	return eval.Answer{Value: "\n"}
}

// endianness is os.endianness().
func (q *asked) endianness(*ecma.Machine) eval.Answer {
	if order, _ := q.Process.Words(); order.Uint16([]byte{0, 1}) == 1 {
		return eval.Answer{Value: "BE"}
	}
	return eval.Answer{Value: "LE"}
}

// temporary is os.tmpdir: lib/os.js.
func (q *asked) temporary(*ecma.Machine) eval.Answer {
	if q.Process.OS == "windows" {
		return absent(q.path, "Node takes it from several variables, and the system's folder")
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		if s, ok := q.environment(name); ok && s != "" {
			if len(s) > 1 {
				s = strings.TrimSuffix(s, "/")
			}
			return eval.Answer{Value: s}
		}
	}
	return eval.Answer{Value: "/tmp"}
}

// folder is process.cwd(): what it last returned, else what the shell said when the process began.
func (q *asked) folder(*ecma.Machine) eval.Answer {
	if q.process == 0 {
	} else if n := q.nodeInfo(q.process); n.CWD != "" {
		return eval.Answer{Value: n.CWD, Note: "process.cwd(): as it last returned"}
	}
	if s, ok := q.environment("PWD"); ok && strings.HasPrefix(s, "/") {
		return eval.Answer{Value: s, Note: q.path + ": PWD of the environment when the process began; " +
			"the kernel has the folder, and the program had not asked for it"}
	}
	return absent(q.path, "the kernel has the folder, and the program had not asked for it")
}

// debugPort is process.debugPort: what the options of Node say, else 9229 (src/node_options.h: kDefaultInspectorPort).
func (q *asked) debugPort(*ecma.Machine) eval.Answer {
	options, ok := q.environment("NODE_OPTIONS")
	if ok && strings.Contains(options, "--inspect") {
		return absent("process.debugPort", "NODE_OPTIONS says it: "+options)
	}
	port := 9229
	for _, option := range q.members.Strings(object.Slot{Word: q.process}, "execArgv") {
		name, value, _ := strings.Cut(option, "=")
		if !strings.HasPrefix(name, "--inspect") && name != "--debug-port" {
			continue
		}
		if n, err := strconv.Atoi(value[strings.LastIndexByte(value, ':')+1:]); err == nil {
			port = n
		}
	}
	return number(port)
}

// exitStatus is process.exitCode, where its getter cannot run: the variable that it closes over.
func (q *asked) exitStatus(m *ecma.Machine) eval.Answer {
	if p, ok := q.objects.OwnProperty(q.process, "exitCode"); ok && q.Is(p.Value, q.Types.AccessorPair) {
		getter, _ := q.Field(p.Value, q.Layout.AccessorPair.Getter)
		if s, ok := q.members.ClosureVariable(getter, "exitCode"); ok {
			return eval.Answer{Value: m.Of(s)}
		}
		// lib/internal/bootstrap/node.js since 20: fields[kHasExitCode] ? fields[kExitCode] : undefined
		fields, ok1 := q.members.ClosureVariable(getter, "fields")
		has, ok2 := q.members.ClosureVariable(getter, "kHasExitCode")
		code, ok3 := q.members.ClosureVariable(getter, "kExitCode")
		if ok1 && ok2 && ok3 && !fields.Raw && q.IsReceiver(fields.Word) {
			at := func(i object.Slot) ecma.Value {
				return m.Get(m.Of(fields), ecma.Key{Name: m.Text(m.Of(i))})
			}
			if at(has) == 0.0 {
				return eval.Answer{}
			}
			return eval.Answer{Value: at(code)}
		}
		return absent("process.exitCode", "what its getter returns was not found")
	}
	return eval.Answer{}
}

// listenerCount is process.listenerCount(event), where the function cannot run.
func (q *asked) listenerCount(m *ecma.Machine) eval.Answer {
	events, ok := q.members.Word(q.process, "_events")
	if !ok || !q.IsReceiver(events) || len(q.args) == 0 {
		return absent("process.listenerCount()", "the listeners are not in the core")
	}
	switch x := m.Get(ecma.Heap(events), ecma.Key{Name: m.Text(q.args[0])}); {
	case x == nil:
		return number(0)
	case eval.IsArray(m, x):
		return eval.Answer{Value: m.Get(x, ecma.Key{Name: "length"})}
	}
	return number(1)
}

// userAgent is navigator.userAgent of Deno, and of Node since 21.
func (q *asked) userAgent(*ecma.Machine) eval.Answer {
	if realms, err := q.objects.Realms(q.ctx, q.thread); err == nil && q.Image.OfDeno() {
		for _, native := range realms {
			d, err := q.objects.Global(native, "Deno")
			if err != nil {
				continue
			}
			x, err := q.objects.Member(d, []string{"version", "deno"})
			if err == nil && !x.Raw && q.objects.IsString(x.Word) {
				return eval.Answer{Value: "Deno/" + q.objects.Text(x.Word)}
			}
		}
	}
	return eval.Answer{Value: "Node.js/" + strconv.Itoa(q.release())}
}

// system is os.type(): what uname says.
func (q *asked) system(*ecma.Machine) eval.Answer {
	names := map[string]string{"linux": "Linux", "darwin": "Darwin", "windows": "Windows_NT", "android": "Linux"}
	if name := names[q.Process.OS]; name != "" {
		return eval.Answer{Value: name}
	}
	return absent(q.path, "the kernel says it")
}

// release returns the first number of Node's version; 0 if it is not known.
func (q *asked) release() int {
	version, _ := q.says("version").Value.(string)
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, _ := strconv.Atoi(major)
	return n
}

// mainModule is Deno.mainModule: the first argument after "run" that is no option.
func (q *asked) mainModule(*ecma.Machine) eval.Answer {
	args, _ := core.Argv(q.Process)
	for i := 2; i < len(args); i++ {
		switch a := args[i]; {
		case strings.HasPrefix(a, "-"):
		case strings.HasPrefix(a, "/"):
			return eval.Answer{Value: "file://" + a}
		case strings.Contains(a, "://"):
			return eval.Answer{Value: a}
		}
	}
	return absent(q.path, "the command line names no file by its whole path")
}

// entries answers for the entries of performance where its functions cannot run. There are no entries if the module
// that keeps them was not loaded.
func (q *asked) entries(*ecma.Machine) eval.Answer {
	if q.process != 0 {
		list := q.members.Strings(object.Slot{Word: q.process}, "moduleLoadList")
		if len(list) > 0 && !slices.Contains(list, "NativeModule internal/perf/observe") {
			return eval.Answer{Value: eval.List()}
		}
	}
	return absent(q.path, "the functions of performance cannot run")
}
