package node

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads what Node and libuv keep.
type Reader struct {
	*layout.Memory
	objects *object.Reader
	heaps   *heap.Heaps
	frames  *frame.Decoder
	uv      *Libuv

	env       sync.Once
	envObject layout.Tagged // process.env of the main thread; 0 if it is not known
}

// Libuv returns the numbers that what libuv keeps is read by.
func (nr *Reader) Libuv() *Libuv { return nr.uv }

// New returns a reader of what Node keeps in the process whose V8 the rooms read.
func New(r *object.Reader, hs *heap.Heaps, dec *frame.Decoder) *Reader {
	return &Reader{Memory: r.Memory, objects: r, heaps: hs, frames: dec, uv: libuv()}
}

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
	out[0].Uptime, out[0].HasUptime = nr.uptime(ctx)
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
	if pid, ok := nr.memberNumber(process, "pid"); ok {
		n.PID = int(pid)
	}
	if n.Title == "" {
		n.Title = nr.uvTitle()
	}
	if n.Title == "" {
		n.Title = nr.Process.Name // libuv sets the thread's name too
	}
	n.Argv, n.ExecArgv = nr.strings(root, "argv"), nr.strings(root, "execArgv")
	n.Main = text("mainModule", "filename")
	if n.Main == "" && len(n.Argv) > 1 {
		n.Main = n.Argv[1]
	}
	if s, err := nr.objects.Member(root, []string{"cwd"}); err == nil && nr.IsFunction(s.Word) {
		if c, ok := nr.ClosureVariable(s.Word, "cachedCwd"); ok && nr.objects.IsString(c.Word) {
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
		if s, ok = nr.ClosureVariable(getter, "exitCode"); !ok {
			return ""
		}
	}
	if !s.Raw && (nr.objects.OddballKind(s.Word) == object.KindUndefined || s.Word.IsHeap() && nr.objects.IsHole(s.Word)) {
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

// strings reads an array of strings.
func (nr *Reader) strings(root object.Slot, name string) []string {
	s, err := nr.objects.Member(root, []string{name})
	if err != nil || s.Raw || !nr.IsReceiver(s.Word) {
		return nil
	}
	var out []string
	_ = nr.objects.Elements(s.Word, func(_ uint64, e object.Slot) bool {
		if !e.Raw && nr.objects.IsString(e.Word) {
			out = append(out, nr.objects.Text(e.Word))
		}
		return len(out) < maxArgs
	})
	return out
}

// uvTitle reads the title that libuv keeps: process_title.str, a variable of
// src/unix/proctitle.c that compilers may split.
func (nr *Reader) uvTitle() string {
	const longest = 4096
	for _, name := range []string{"process_title", "process_title.0", "process_title.2"} {
		s, ok := nr.Symbols.Find(nr.Image.Module.Path, name)
		if !ok {
			continue
		}
		str, ok := nr.Word(s.Addr)
		if !ok || str < 4096 {
			continue
		}
		data, _ := core.ReadBytes(nr.Space, core.Addr(str), longest)
		if text, _, ok := strings.Cut(string(data), "\x00"); ok && text != "" {
			return text
		}
	}
	return ""
}

// uptime is the time from the start of the process to the last turn of its
// main loop, in seconds: node::per_process::node_start_time counts nanoseconds
// on the loop's clock.
func (nr *Reader) uptime(ctx context.Context) (float64, bool) {
	start := startTime(nr)
	loops, err := nr.Loops(ctx)
	if start == 0 || err != nil || len(loops) == 0 || !loops[0].Default || loops[0].Time*1e6 < start {
		return 0, false
	}
	return float64(loops[0].Time)/1e3 - float64(start)/1e9, true
}

// startTime returns when the process began on the loop's clock, in nanoseconds; 0 if that is not known.
func startTime(nr *Reader) uint64 {
	for _, name := range []string{"_ZN4node11per_process15node_start_timeE", "_ZN4node11performance10timeOriginE"} {
		if s, ok := nr.Symbols.Find(nr.Image.Module.Path, name); ok {
			if w, ok := nr.Word(s.Addr); ok && w != 0 {
				return w
			}
		}
	}
	return 0
}

// LastTurn returns how long the process had run when the loop of a thread, its first one, began its last turn. It needs
// no heap.
func LastTurn(nr *Reader, t *core.Thread) (time.Duration, bool) {
	start := startTime(nr)
	s, ok := nr.Symbols.Find(nr.Image.Module.Path, "default_loop_struct")
	if !ok || start == 0 || t.TID != nr.Process.PID {
		return 0, false
	}
	async, ok := nr.loopAsync(s.Addr)
	if !ok {
		return 0, false
	}
	now, ok := nr.Word(async + core.Addr(nr.uv.Async.Time))
	if !ok || now > maxClock || now*1e6 < start {
		return 0, false
	}
	return time.Duration(now*1e6 - start), true
}

// maxClock bounds what a clock of milliseconds can show: it counts from when the machine began.
const maxClock = 1 << 40

// A LoopPhase is what the event loop of a thread is doing.
type LoopPhase struct {
	Name string // "timers", "pending", "idle", "prepare", "poll", "check", "closing"; "starting", "stopped", "between"; "" if unknown
	// Inside says what runs in it: "microtasks", "nextTick"; "" if neither is
	// on the stack.
	Inside string
	// By is the function on the stack that shows it.
	By string
}

// loopPhases are the functions of libuv that run the phases of uv_run
// (src/unix/core.c), and of Node that run what comes before and after.
var loopPhases = []struct{ function, phase string }{
	{"uv__run_timers", "timers"}, {"uv__run_pending", "pending"}, {"uv__run_idle", "idle"},
	{"uv__run_prepare", "prepare"}, {"uv__io_poll", "poll"}, {"uv__run_check", "check"},
	{"uv__run_closing_handles", "closing"}, {"uv__finish_close", "closing"},
	// Callbacks of phases whose function was inlined into uv_run.
	{"node::Environment::RunTimers", "timers"}, {"node::Environment::CheckImmediate", "check"},
	{"uv_run", "between"},
	{"node::EmitProcessBeforeExit", "stopped"}, {"node::EmitProcessExit", "stopped"},
	{"node::LoadEnvironment", "starting"}, {"node::worker::Worker::Run", "starting"},
}

// PhaseOf returns the phase of the event loop from the names of the native
// functions on a thread's stack, innermost first.
func PhaseOf(functions []string) LoopPhase {
	var p LoopPhase
	for _, p2 := range loopPhases {
		i := slices.IndexFunc(functions, func(f string) bool { return base(f) == p2.function })
		if i < 0 {
			continue
		}
		p.Name, p.By = p2.phase, p2.function
		break
	}
	for _, f := range functions {
		switch b := base(f); {
		case strings.HasSuffix(b, "MicrotaskQueue::RunMicrotasks"):
			p.Inside = "microtasks"
		case b == "node::InternalCallbackScope::Close" && p.Inside == "":
			p.Inside = "nextTick"
		}
	}
	return p
}

// base cuts the parameters off a demangled name.
func base(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 {
		name = name[:i]
	}
	return name
}
