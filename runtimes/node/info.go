package node

import (
	"context"
	"errors"
	"slices"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Info is what the process object says of a Node process. Empty fields
// are unknown.
type Info struct {
	Process                 layout.Tagged // the process object
	Version                 string        // "v20.20.2"
	Versions                []Version
	Release                 string // process.release.lts or name
	Arch, Platform          string
	PID                     int
	Title, ExecPath         string
	Argv, ExecArgv          []string
	CWD                     string // as process.cwd() last returned it
	ExitCode                string // as process.exitCode was set; "" if it was not
	Main                    string // file of the main module
	Uptime                  float64
	HasUptime               bool // Uptime is known, in seconds
	Worker                  bool // the realm is that of a worker thread
	MaxListeners, DebugPort float64
}

// A Version is an entry of process.versions.
type Version struct{ Name, Version string }

// maxArgs bounds lists of the process object.
const maxArgs = 1 << 12

// Infos reads the process object of each realm that has one: the main
// thread's first, then those of workers.
func (nr *Reader) Infos(ctx context.Context) ([]Info, error) {
	realms, err := nr.objects.Realms(ctx, nil)
	if err != nil {
		return nil, err
	}
	var out []Info
	for _, native := range realms {
		p, err := nr.objects.Global(native, "process")
		if err != nil || p.Raw || !nr.IsReceiver(p.Word) {
			continue
		}
		if slices.ContainsFunc(out, func(x Info) bool { return x.Process == p.Word }) {
			continue
		}
		n := nr.nodeInfo(p.Word)
		if n.Version != "" {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("v8: no realm has the process object of Node")
	}
	out[0].Uptime, out[0].HasUptime = nr.UV.Uptime(ctx)
	return out, nil
}

func (nr *Reader) nodeInfo(process layout.Tagged) Info {
	n := Info{Process: process}
	root := object.Slot{Word: process}
	text := func(path ...string) string {
		s, err := nr.objects.Member(root, path)
		if err != nil || s.Raw || !nr.objects.IsString(s.Word) {
			return ""
		}
		return nr.objects.Text(s.Word)
	}
	n.Version, n.Arch, n.Platform, n.ExecPath = text("version"), text("arch"), text("platform"), text("execPath")
	n.Release, n.Title = text("release", "lts"), text("title")
	if n.Release == "" {
		n.Release = text("release", "name")
	}
	if pid, ok := nr.members.Number(process, "pid"); ok {
		n.PID = int(pid)
	}
	if n.Title == "" {
		n.Title = nr.UV.Title()
	}
	if n.Title == "" {
		n.Title = nr.Process.Name // libuv sets the thread's name too
	}
	n.Argv, n.ExecArgv = nr.members.Strings(root, "argv"), nr.members.Strings(root, "execArgv")
	n.Main = text("mainModule", "filename")
	if n.Main == "" && len(n.Argv) > 1 {
		n.Main = n.Argv[1]
	}
	if s, err := nr.objects.Member(root, []string{"cwd"}); err == nil && nr.IsFunction(s.Word) {
		if c, ok := nr.members.ClosureVariable(s.Word, "cachedCwd"); ok && nr.objects.IsString(c.Word) {
			n.CWD = nr.objects.Text(c.Word)
		}
	}
	n.ExitCode = nr.exitCode(process)
	if s, err := nr.objects.Member(root, []string{"versions"}); err == nil && nr.IsReceiver(s.Word) {
		list, _, _ := nr.objects.Properties(s.Word, maxArgs)
		for _, p := range list {
			if !p.Accessor && !p.Native && nr.objects.IsString(p.Value.Word) {
				n.Versions = append(n.Versions, Version{p.Name, nr.objects.Text(p.Value.Word)})
			}
		}
	}
	return n
}

// exitCode returns process.exitCode: data until Node 18, later what its getter
// closes over.
func (nr *Reader) exitCode(process layout.Tagged) string {
	s, err := nr.objects.Member(object.Slot{Word: process}, []string{"exitCode"})
	if err != nil {
		p, ok := nr.objects.OwnProperty(process, "exitCode")
		if !ok || !nr.Is(p.Value, nr.Types.AccessorPair) {
			return ""
		}
		getter, _ := nr.Field(p.Value, nr.Layout.AccessorPair.Getter)
		if s, ok = nr.members.ClosureVariable(getter, "exitCode"); !ok {
			return ""
		}
	}
	if !s.Raw && (nr.objects.OddballKind(s.Word) == object.KindUndefined ||
		s.Word.IsHeap() && nr.objects.IsHole(s.Word)) {
		return ""
	}
	if s.Raw {
		return layout.FormatNumber(s.Double)
	}
	if f, ok := nr.Number(s.Word); ok {
		return layout.FormatNumber(f)
	}
	if nr.objects.IsString(s.Word) {
		return nr.objects.Text(s.Word)
	}
	return ""
}
