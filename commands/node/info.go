package node

import (
	"context"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var nodeinfoCommand = commands.Command{
	Name: "nodeinfo", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "show the versions of all components"}},
	Summary: "show the facts of Node's process object",
	Detail: `Shows version, arguments, process id, title, working directory, how long the process
had run, and the exit code if the program had set one, for each realm of Node: the main
thread's, then the workers'. Facts that the process object would have asked the system
for come from libuv's and Node's copies, and are left out if there is no copy.`,
	Example: "::nodeinfo -v",
	SeeAlso: []string{"v8version", "uvloop", "isolates", "status"},
	Run:     runNodeinfo,
}

// infoRecord is a realm's process object.
type infoRecord struct {
	_        out.Record         `record:"nodeinfo"`
	At       core.Addr          `json:"addr" dot:"always"`
	Version  string             `json:"version"`
	Release  string             `json:"release,omitempty"`
	Arch     string             `json:"arch,omitempty"`
	Platform string             `json:"platform,omitempty"`
	PID      int                `json:"pid,omitempty"`
	Title    string             `json:"title,omitempty"`
	ExecPath string             `json:"exec_path,omitempty"`
	ExecArgv []string           `json:"exec_argv"`
	Argv     []string           `json:"argv"`
	Packed   string             `json:"packed,omitempty"` // how the program was packed into the executable
	CWD      string             `json:"cwd,omitempty"`
	Env      *int               `json:"env,omitempty"`    // variables at the start
	Uptime   *float64           `json:"uptime,omitempty"` // seconds
	ExitCode string             `json:"exit_code,omitempty"`
	Versions out.Object[string] `json:"versions,omitempty"` // in the order of process.versions
	verbose  bool
}

func runNodeinfo(ctx context.Context, c *commands.Call) error {
	n, err := nodeOf(c)
	if err != nil {
		return err
	}
	list, err := n.Infos(ctx)
	if err != nil {
		return err
	}
	for i, x := range list {
		r := &infoRecord{At: core.Addr(x.Process), Version: x.Version, Release: x.Release, Arch: x.Arch,
			Platform: x.Platform, PID: x.PID, Title: x.Title, ExecPath: x.ExecPath, ExecArgv: x.ExecArgv, Argv: x.Argv,
			CWD: x.CWD, ExitCode: x.ExitCode, verbose: c.Flag('v')}
		for _, y := range x.Versions {
			r.Versions = append(r.Versions, out.Member[string]{Name: y.Name, Value: y.Version})
		}
		if x.HasUptime {
			r.Uptime = &x.Uptime
		}
		if i == 0 {
			r.Packed = n.Packed(ctx)
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
	line("packed", r.Packed)
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
			w.Printf("    %-12s %s\n", x.Name, x.Value)
		}
	}
}
