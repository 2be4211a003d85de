package js

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/node"
	"coredbg/runtimes/v8/inspect"
)

var nodeinfoCommand = commands.Command{
	Name: "nodeinfo", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "show the versions of all components"}},
	Summary: "show what the process object says of Node",
	Detail: `Shows version, arguments, process id, title, working directory, how long the process
had run, and the exit code if the program had set one, for each realm of Node: the main
thread's, then those of workers. What the process object would have asked the system
for is taken from what libuv and Node keep of it, and left out where they keep nothing.`,
	Example: "::nodeinfo -v",
	SeeAlso: []string{"v8version", "uvloop", "isolates", "status"},
	Run:     runNodeinfo,
}

// infoRecord is a realm's process object.
type infoRecord struct {
	_        out.Record `record:"nodeinfo"`
	At       core.Addr  `json:"addr" dot:"always"`
	Version  string     `json:"version"`
	Release  string     `json:"release,omitempty"`
	Arch     string     `json:"arch,omitempty"`
	Platform string     `json:"platform,omitempty"`
	PID      int        `json:"pid,omitempty"`
	Title    string     `json:"title,omitempty"`
	ExecPath string     `json:"exec_path,omitempty"`
	ExecArgv []string   `json:"exec_argv"`
	Argv     []string   `json:"argv"`
	CWD      string     `json:"cwd,omitempty"`
	Env      *int       `json:"env,omitempty"`    // variables at the start
	Uptime   *float64   `json:"uptime,omitempty"` // seconds
	ExitCode string     `json:"exit_code,omitempty"`
	Versions versions   `json:"versions,omitempty"`
	verbose  bool
}

// versions keep the order of process.versions.
type versions []node.Version

// MarshalJSON gives an object.
func (l versions) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(inspect.AppendString(b, x.Name), ':'), quoted(x.Version)...)
	}
	return append(b, '}'), nil
}

func runNodeinfo(ctx context.Context, c *commands.Call) error {
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	list, err := nodeOf(v).Infos(ctx)
	if err != nil {
		return err
	}
	for i, n := range list {
		r := &infoRecord{At: core.Addr(n.Process), Version: n.Version, Release: n.Release, Arch: n.Arch,
			Platform: n.Platform, PID: n.PID, Title: n.Title, ExecPath: n.ExecPath, ExecArgv: n.ExecArgv, Argv: n.Argv,
			CWD: n.CWD, ExitCode: n.ExitCode, Versions: n.Versions, verbose: c.Has('v')}
		if n.HasUptime {
			r.Uptime = &n.Uptime
		}
		if env, err := core.Environ(c.Session.Process); i == 0 && err == nil {
			count := len(env)
			r.Env = &count
		}
		if r.ExecArgv == nil {
			r.ExecArgv = []string{}
		}
		if r.Argv == nil {
			r.Argv = []string{}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// Text writes what is known in lines.
func (r *infoRecord) Text(w *out.Writer) {
	line := func(name, text string) {
		if text != "" {
			w.Printf("%-11s %s\n", name+":", text)
		}
	}
	version := r.Version
	if r.Release != "" && r.Release != "node" {
		version += " (" + r.Release + ")"
	}
	line("node", strings.TrimSpace(version+" "+strings.Trim(r.Platform+"-"+r.Arch, "-")))
	w.Printf("%-11s %x\n", "process:", uint64(r.At))
	if r.PID != 0 {
		w.Printf("%-11s %d\n", "pid:", r.PID)
	}
	line("title", r.Title)
	line("executable", r.ExecPath)
	line("flags", strings.Join(r.ExecArgv, " "))
	if len(r.Argv) > 1 {
		line("program", strings.Join(r.Argv[1:], " "))
	}
	line("directory", r.CWD)
	if r.Env != nil {
		w.Printf("%-11s %d variables at the start\n", "environ:", *r.Env)
	}
	if r.Uptime != nil {
		w.Printf("%-11s %.3f s\n", "uptime:", *r.Uptime)
	}
	line("exit code", r.ExitCode)
	if r.verbose {
		for _, x := range r.Versions {
			w.Printf("    %-12s %s\n", x.Name, x.Version)
		}
	}
}

var isolatesCommand = commands.Command{
	Name: "isolates", Module: module, Addr: commands.AddrNone,
	Summary: "list the isolates of V8 with their threads and heaps",
	Detail: `Lists each isolate with the thread that has entered it, the native context that it
works in, and the pages and bytes of objects of its heap. The main thread's comes
first; worker threads have one each. Where the image has no symbol for a thread's
isolate, heaps show where the isolates are, and the words of stacks which thread works
with which.`,
	Example: "::isolates",
	SeeAlso: []string{"jsstack", "v8heap", "v8spaces", "nodeinfo"},
	Run:     runIsolates,
}

// isolateRecord is an isolate.
type isolateRecord struct {
	_       out.Record  `record:"v8isolate" cols:"shown TID first Heap Pages Used"`
	At      core.Addr   `json:"addr,omitzero" dot:"nonzero"`
	TID     int         `json:"tid,omitzero" col:"TID,8,right"`
	Thread  string      `json:"thread,omitempty"`
	Context []core.Addr `json:"native_contexts,omitempty"`
	Heap    core.Addr   `json:"heap,omitzero" col:"HEAP,16"`
	Pages   int         `json:"pages,omitempty" col:"PAGES,6,right"`
	Used    uint64      `json:"used,omitempty" col:"USED,12,right"` // bytes of objects
	shown   string      `col:"ISOLATE,16"`
	first   core.Addr   `col:"CONTEXT,16"`
}

func runIsolates(ctx context.Context, c *commands.Call) error {
	v, h, err := heapOf(ctx, c)
	if err != nil {
		return err
	}
	list := h.Isolates(ctx)
	for _, x := range list {
		r := &isolateRecord{At: core.Addr(x.Addr), Heap: core.Addr(x.Heap)}
		if t := x.Thread; t != nil {
			r.TID, r.Thread = t.TID, t.Name
			for _, x := range v.Objects.NativeContexts(ctx, t) {
				r.Context = append(r.Context, core.Addr(x))
			}
		}
		for _, s := range h.Spaces {
			if s.Heap == x.Heap && s.Heap != 0 {
				r.Pages += s.Pages
				r.Used += s.Used()
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return c.Unknown("no thread's isolate is known, and no heap was found")
	}
	return ctx.Err()
}

// Prepare implements out.Preparer.
func (r *isolateRecord) Prepare() {
	r.shown = "unknown"
	if r.At != 0 {
		r.shown = fmt.Sprintf("%x", uint64(r.At))
	}
	if len(r.Context) > 0 {
		r.first = r.Context[0]
	}
}
