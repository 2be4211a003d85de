package node

import (
	"context"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
)

// An asked is a question about Node that a thread is asked.
type asked struct {
	*Reader
	ctx     context.Context
	thread  *core.Thread  // the one that is asked; nil for the main thread
	process layout.Tagged // its process object; 0 outside of Node
	path    string        // what is asked for
	args    []ecma.Value
}

// An answerer answers one question.
type answerer func(q *asked, m *ecma.Machine) eval.Answer

// answerers answer expressions as C++, V8 and the system would in a process of Node or Deno.
var answerers = map[string]answerer{
	"process.uptime()":        (*asked).uptime,
	"process.hrtime()":        (*asked).hrtime,
	"process.hrtime.bigint()": (*asked).hrtimeBigInt,
	"process.memoryUsage()":   (*asked).memoryUsage,
	"process.memoryUsage.rss()": func(*asked, *ecma.Machine) eval.Answer {
		return absent("process.memoryUsage.rss()", "the kernel counts the pages")
	},
	"process.cpuUsage()":               (*asked).cpuUsage,
	"v8.getHeapStatistics()":           (*asked).heapStatistics,
	"v8.getHeapSpaceStatistics()":      (*asked).heapSpaces,
	"process._getActiveHandles()":      (*asked).activeHandles,
	"process._getActiveRequests()":     (*asked).activeRequests,
	"process.getActiveResourcesInfo()": (*asked).activeResources,
	"process.pid":                      func(q *asked, _ *ecma.Machine) eval.Answer { return number(q.Process.PID) },
	"process.ppid":                     (*asked).parent,
	"process.title":                    (*asked).title,
	"process.cwd()":                    (*asked).folder,
	"process.getuid()":                 (*asked).user,
	"process.geteuid()":                (*asked).user,
	"process.getgid()":                 (*asked).group,
	"process.getegid()":                (*asked).group,
	"process.debugPort":                (*asked).debugPort,
	"performance.getEntries()":         (*asked).entries,
	"performance.getEntriesByType()":   (*asked).entries,
	"performance.getEntriesByName()":   (*asked).entries,
	"process.exitCode":                 (*asked).exitStatus,
	"process.listenerCount()":          (*asked).listenerCount,
	"process.stdin.fd":                 func(*asked, *ecma.Machine) eval.Answer { return number(0) },
	"process.stdout.fd":                func(*asked, *ecma.Machine) eval.Answer { return number(1) },
	"process.stderr.fd":                func(*asked, *ecma.Machine) eval.Answer { return number(2) },
	"os.platform()":                    func(q *asked, _ *ecma.Machine) eval.Answer { return q.says("platform") },
	"os.hostname()":                    (*asked).host,
	"Deno.hostname()":                  (*asked).host,
	"os.userInfo()":                    (*asked).userInfo,
	"os.type()":                        (*asked).system,
	"os.arch()":                        func(q *asked, _ *ecma.Machine) eval.Answer { return q.says("arch") },
	"os.homedir()":                     (*asked).home,
	"os.tmpdir()":                      (*asked).temporary,
	"Deno.pid":                         func(q *asked, _ *ecma.Machine) eval.Answer { return number(q.Process.PID) },
	"Deno.ppid":                        (*asked).parent,
	"Deno.uid()":                       (*asked).user,
	"Deno.gid()":                       (*asked).group,
	"Deno.cwd()":                       (*asked).folder,
	"Deno.execPath()":                  (*asked).program,
	"Deno.memoryUsage()":               (*asked).memoryUsage,
	"Deno.mainModule":                  (*asked).mainModule,
	"navigator.userAgent":              (*asked).userAgent,
	"Deno.env.get()":                   (*asked).named,
	"Deno.env.has()": func(q *asked, m *ecma.Machine) eval.Answer {
		return eval.Answer{Value: q.named(m).Value != nil}
	},
	"Deno.env.toObject()": (*asked).variables,
	"os.EOL":              (*asked).endOfLine,
	"os.endianness()":     (*asked).endianness,
}

// anywhere are questions that a process without Node answers, too: V8's own, and the browsers' questions.
var anywhere = map[string]answerer{
	"Date.now()": (*asked).wallClock,
	"Date()": func(q *asked, m *ecma.Machine) eval.Answer {
		a := q.wallClock(m)
		if ms, ok := a.Value.(float64); ok {
			a.Value = m.Text(eval.NewDate(m, ms))
		}
		return a
	},
	"new Date()": func(q *asked, m *ecma.Machine) eval.Answer {
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
	"process.umask()":                    "the kernel keeps the mask",
	"process.getgroups()":                "the kernel keeps the groups",
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
	deno := nr.Image.OfDeno()
	answer, own := answerers[path]
	if !own {
		answer = anywhere[path]
	}
	name, is := strings.CutPrefix(path, "process.env.")
	if is && !strings.ContainsAny(name, ".(") && (deno || t != nil && t.TID != nr.Process.PID) {
		answer, own = environmentOf(name), true
	}
	why := unanswered[path]
	if answer == nil && why == "" {
		return nil
	}
	q := &asked{Reader: nr, ctx: ctx, thread: t, process: nr.processOf(ctx, t), path: path}
	switch {
	case strings.HasPrefix(path, "Deno.") && !deno, strings.HasPrefix(path, "navigator.") && !deno && q.release() < 21:
		return nil // they are not defined
	case q.process == 0 && !deno && !strings.HasPrefix(nr.Image.Embedder, "-node.") &&
		(own || why != ""):
		return nil
	case answer == nil:
		answer = func(*asked, *ecma.Machine) eval.Answer { return absent(path, why) }
	}
	return func(m *ecma.Machine, args []ecma.Value) eval.Answer {
		asked := *q
		asked.args = args
		return answer(&asked, m)
	}
}

// processOf returns the process object of the realm that a thread works with, or of another realm; 0 if no realm has
// one of Node's.
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
