package node

import (
	"context"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An asked is a question about Node that a thread is asked.
type asked struct {
	*Reader
	ctx     context.Context
	thread  *core.Thread  // the one that is asked; nil for the main thread
	process layout.Tagged // its process object; 0 outside of Node
	path    string        // what is asked for
	args    []eval.Value
}

// An answerer answers one question.
type answerer func(q *asked, m *eval.Machine) eval.Answer

// answerers answer for Node's C++, V8 and the system in a process of Node or Deno, by expression.
var answerers = map[string]answerer{
	"process.uptime()":        (*asked).uptime,
	"process.hrtime()":        (*asked).hrtime,
	"process.hrtime.bigint()": (*asked).hrtimeBigInt,
	"process.memoryUsage()":   (*asked).memoryUsage,
	"process.memoryUsage.rss()": func(*asked, *eval.Machine) eval.Answer {
		return absent("process.memoryUsage.rss()", "the kernel counts the pages")
	},
	"process.cpuUsage()":               (*asked).cpuUsage,
	"v8.getHeapStatistics()":           (*asked).heapStatistics,
	"v8.getHeapSpaceStatistics()":      (*asked).heapSpaces,
	"process._getActiveHandles()":      (*asked).activeHandles,
	"process._getActiveRequests()":     (*asked).activeRequests,
	"process.getActiveResourcesInfo()": (*asked).activeResources,
	"process.pid":                      func(q *asked, _ *eval.Machine) eval.Answer { return number(q.Process.PID) },
	"process.ppid":                     (*asked).parent,
	"process.title":                    (*asked).title,
	"process.cwd()":                    (*asked).folder,
	"process.getuid()":                 (*asked).user,
	"process.geteuid()":                (*asked).user,
	"process.getgid()":                 (*asked).group,
	"process.getegid()":                (*asked).group,
	"process.debugPort":                (*asked).debugPort,
	"process.exitCode":                 (*asked).exitStatus,
	"process.listenerCount()":          (*asked).listenerCount,
	"process.stdin.fd":                 func(*asked, *eval.Machine) eval.Answer { return number(0) },
	"process.stdout.fd":                func(*asked, *eval.Machine) eval.Answer { return number(1) },
	"process.stderr.fd":                func(*asked, *eval.Machine) eval.Answer { return number(2) },
	"os.platform()":                    func(q *asked, _ *eval.Machine) eval.Answer { return q.says("platform") },
	"os.arch()":                        func(q *asked, _ *eval.Machine) eval.Answer { return q.says("arch") },
	"os.homedir()":                     (*asked).home,
	"os.tmpdir()":                      (*asked).temporary,
	"Deno.pid":                         func(q *asked, _ *eval.Machine) eval.Answer { return number(q.Process.PID) },
	"Deno.ppid":                        (*asked).parent,
	"Deno.uid()":                       (*asked).user,
	"Deno.gid()":                       (*asked).group,
	"Deno.cwd()":                       (*asked).folder,
	"Deno.execPath()":                  (*asked).program,
	"Deno.memoryUsage()":               (*asked).memoryUsage,
	"Deno.mainModule":                  (*asked).mainModule,
	"navigator.userAgent":              (*asked).userAgent,
	"Deno.env.get()":                   (*asked).named,
	"Deno.env.has()": func(q *asked, m *eval.Machine) eval.Answer {
		return eval.Answer{Value: q.named(m).Value != nil}
	},
	"Deno.env.toObject()": (*asked).variables,
	"os.EOL":              (*asked).endOfLine,
	"os.endianness()":     (*asked).endianness,
}

// anywhere are questions that a process without Node answers, too: questions of V8 and of browsers.
var anywhere = map[string]answerer{
	"Date.now()": (*asked).wallClock,
	"Date()": func(q *asked, m *eval.Machine) eval.Answer {
		a := q.wallClock(m)
		if ms, ok := a.Value.(float64); ok {
			a.Value = m.Text(eval.NewDate(m, ms))
		}
		return a
	},
	"new Date()": func(q *asked, m *eval.Machine) eval.Answer {
		a := q.wallClock(m)
		if ms, ok := a.Value.(float64); ok {
			a.Value = eval.NewDate(m, ms)
		}
		return a
	},
	"performance.now()":      (*asked).sinceOrigin,
	"performance.timeOrigin": (*asked).timeOrigin,
	"performance.memory":     (*asked).pageMemory,
	"console.memory":         (*asked).pageMemory,
}

// unanswered are the questions that only the system could answer, with the reason why no core has the answer.
var unanswered = map[string]string{
	"os.hostname()":                      "the kernel has the name of the machine",
	"os.cpus()":                          "the kernel lists the processors",
	"os.availableParallelism()":          "the kernel counts the processors",
	"os.totalmem()":                      "the kernel knows the memory of the machine",
	"os.freemem()":                       "the kernel knows the memory of the machine",
	"os.loadavg()":                       "the kernel has the load",
	"os.uptime()":                        "the kernel has the time of its start",
	"os.release()":                       "the kernel has its release",
	"os.version()":                       "the kernel has its version",
	"os.machine()":                       "the kernel has the name of its machine",
	"os.networkInterfaces()":             "the kernel lists the interfaces",
	"os.userInfo()":                      "the system has the list of users",
	"process.umask()":                    "the kernel keeps the mask",
	"process.getgroups()":                "the kernel keeps the groups",
	"Deno.hostname()":                    "the kernel has the name of the machine",
	"Deno.osRelease()":                   "the kernel has its release",
	"Deno.osUptime()":                    "the kernel has the time of its start",
	"Deno.loadavg()":                     "the kernel has the load",
	"Deno.systemMemoryInfo()":            "the kernel knows the memory of the machine",
	"Deno.networkInterfaces()":           "the kernel lists the interfaces",
	"navigator.hardwareConcurrency":      "the kernel counts the processors",
	"process.resourceUsage()":            "the kernel counts the resources",
	"process.constrainedMemory()":        "the kernel keeps the limit",
	"process.availableMemory()":          "the kernel counts the memory",
	"performance.eventLoopUtilization()": "the counting starts with the first call",
}

// Question returns the function that answers an expression such as "process.uptime()" on a thread, as Node's C++ and
// the system would. It is nil for other expressions.
func (nr *Reader) Question(ctx context.Context, t *core.Thread, path string) eval.Question {
	answer, own := answerers[path]
	if !own {
		answer = anywhere[path]
	}
	why := unanswered[path]
	if answer == nil && why == "" {
		return nil
	}
	q := &asked{Reader: nr, ctx: ctx, thread: t, process: nr.processOf(ctx, t), path: path}
	deno := nr.Image.OfDeno()
	switch {
	case strings.HasPrefix(path, "Deno.") && !deno:
		return nil
	case q.process == 0 && !deno && !strings.HasPrefix(nr.Image.Embedder, "-node.") &&
		(own || why != ""):
		return nil
	case answer == nil:
		answer = func(*asked, *eval.Machine) eval.Answer { return absent(path, why) }
	}
	return func(m *eval.Machine, args []eval.Value) eval.Answer {
		asked := *q
		asked.args = args
		return answer(&asked, m)
	}
}

// processOf returns Node's process object in the realm that a thread works with, or else in another realm; 0 if no
// realm has one.
func (nr *Reader) processOf(ctx context.Context, t *core.Thread) layout.Tagged {
	realms, err := nr.objects.Realms(ctx, t)
	if err != nil {
		return 0
	}
	for _, native := range realms {
		p, err := nr.objects.Global(native, "process")
		if err == nil && !p.Raw && nr.IsReceiver(p.Word) && nr.objects.Class(p.Word) == "process" {
			return p.Word
		}
	}
	return 0
}

func absent(what, why string) eval.Answer {
	return eval.Answer{Err: &eval.AbsentError{What: what, Why: why}}
}

func number[T int | uint64 | int64](n T) eval.Answer { return eval.Answer{Value: float64(n)} }

func (q *asked) parent(*eval.Machine) eval.Answer {
	if q.Process.PPID == 0 {
		return absent("process.ppid", "no note of the core has the parent")
	}
	return number(q.Process.PPID)
}

func (q *asked) title(*eval.Machine) eval.Answer {
	if title := q.UV.Title(); title != "" {
		return eval.Answer{Value: title}
	}
	return eval.Answer{Value: q.Process.Name, Note: "process.title: the name of the main thread, which libuv sets, too"}
}

// user is the user of the process. The note of the core has the real user.
func (q *asked) user(*eval.Machine) eval.Answer {
	if q.Process.UID < 0 {
		return absent("the user", "no note of the core has it")
	}
	a := number(q.Process.UID)
	if q.path == "process.geteuid()" {
		a.Note = "process.geteuid(): the real user; the effective one is not in the core"
	}
	return a
}

func (q *asked) group(*eval.Machine) eval.Answer {
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

// named is Deno.env.get(name): undefined if the environment lacks the variable.
func (q *asked) named(m *eval.Machine) eval.Answer {
	if len(q.args) == 0 {
		m.Throw("TypeError: 1 argument required, but only 0 present")
	}
	if s, ok := q.environment(m.Text(q.args[0])); ok {
		return eval.Answer{Value: s}
	}
	return eval.Answer{}
}

// variables is Deno.env.toObject().
func (q *asked) variables(*eval.Machine) eval.Answer {
	list, err := core.Environ(q.Process)
	if err != nil {
		return absent("Deno.env.toObject()", err.Error())
	}
	o := eval.Record()
	for _, s := range list {
		if name, value, ok := strings.Cut(s, "="); ok {
			o.Set(eval.Key{Name: name}, value)
		}
	}
	return eval.Answer{Value: o}
}

// program is Deno.execPath().
func (q *asked) program(*eval.Machine) eval.Answer {
	if q.Image.Module != nil && q.Image.Module.Path != "" {
		return eval.Answer{Value: q.Image.Module.Path}
	}
	return absent("Deno.execPath()", "no note of the core has the path of the program")
}

// home is os.homedir(), which libuv takes from the environment if it is there.
func (q *asked) home(*eval.Machine) eval.Answer {
	if s, ok := q.environment("HOME"); ok && s != "" {
		return eval.Answer{Value: s, Note: q.path + ": as the environment said when the process began"}
	}
	return absent(q.path, "the environment has no HOME")
}

// endOfLine is os.EOL (lib/os.js).
func (q *asked) endOfLine(*eval.Machine) eval.Answer {
	if q.Process.OS == "windows" {
		return eval.Answer{Value: "\r\n"}
	}
	return eval.Answer{Value: "\n"}
}

// endianness is os.endianness().
func (q *asked) endianness(*eval.Machine) eval.Answer {
	if order, _ := q.Process.Words(); order.Uint16([]byte{0, 1}) == 1 {
		return eval.Answer{Value: "BE"}
	}
	return eval.Answer{Value: "LE"}
}

// temporary is os.tmpdir() (lib/os.js).
func (q *asked) temporary(*eval.Machine) eval.Answer {
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

// folder is process.cwd(): the folder that it last returned, or else the shell's when the process began.
func (q *asked) folder(*eval.Machine) eval.Answer {
	if q.process != 0 {
		if n := q.nodeInfo(q.process); n.CWD != "" {
			return eval.Answer{Value: n.CWD, Note: "process.cwd(): as it last returned"}
		}
	}
	if s, ok := q.environment("PWD"); ok && strings.HasPrefix(s, "/") {
		return eval.Answer{Value: s, Note: q.path + ": PWD of the environment when the process began; " +
			"the kernel has the folder, and the program had not asked for it"}
	}
	return absent(q.path, "the kernel has the folder, and the program had not asked for it")
}

// debugPort is process.debugPort: the port of Node's options, else 9229 (src/node_options.h: kDefaultInspectorPort).
func (q *asked) debugPort(*eval.Machine) eval.Answer {
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
func (q *asked) exitStatus(m *eval.Machine) eval.Answer {
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
			at := func(i object.Slot) eval.Value {
				return m.Get(m.Of(fields), eval.Key{Name: m.Text(m.Of(i))})
			}
			if at(has) == 0.0 {
				return eval.Answer{}
			}
			return eval.Answer{Value: at(code)}
		}
		return absent("process.exitCode", "the variable of its getter was not found")
	}
	return eval.Answer{}
}

// listenerCount is process.listenerCount(event), where the function cannot run.
func (q *asked) listenerCount(m *eval.Machine) eval.Answer {
	events, ok := q.members.Word(q.process, "_events")
	if !ok || !q.IsReceiver(events) || len(q.args) == 0 {
		return absent("process.listenerCount()", "the listeners are not in the core")
	}
	switch x := m.Get(eval.Heap(events), eval.Key{Name: m.Text(q.args[0])}); {
	case x == nil:
		return number(0)
	case eval.IsArray(m, x):
		return eval.Answer{Value: m.Get(x, eval.Key{Name: "length"})}
	}
	return number(1)
}

// userAgent is navigator.userAgent of Deno, and of Node since 21.
func (q *asked) userAgent(*eval.Machine) eval.Answer {
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
	version, _ := q.says("version").Value.(string)
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err == nil && n >= 21 {
		return eval.Answer{Value: "Node.js/" + major}
	}
	return absent(q.path, "the process has no navigator")
}

// mainModule is Deno.mainModule: the first argument after "run" that is no option.
func (q *asked) mainModule(*eval.Machine) eval.Answer {
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
