// Package uv reads the event loops of libuv, their handles and requests, and the objects of JavaScript that stand for
// them. It also follows the handles between a node::BaseObject and its object of JavaScript, for package binding and
// for the names of workers.
//
// The chain of objects of libuv and of Node's wraps, as the V8 runtime meets them in a Node process:
//
//	uv_loop_t.handle_queue -> uv_handle_t -> data: node::HandleWrap
//	  -> BaseObject::persistent_handle_ -> JSObject (TCP, Timer, …) -> its owner (Socket, Server, …)
//	JSObject -> internal field: BaseObject -> ReqWrap<uv_req_t>::req_, whose data is the wrap
//
// Each number is checked on the core: queues must link back, wq_async must name its loop, a wrap and its object must
// name each other.
//
// Files:
//
//	uv.go       Reader, Loop, Handle, Request
//	wrap.go     Wrap: a BaseObject and its object; requests
//	libuv.go    Libuv: the numbers
//	envloop.go  loops that no symbol leads to
//	clock.go    when a loop began its last turn
//	phase.go    what a loop is doing
//
// LIMITATIONS: The numbers are for 64-bit Linux and macOS, where locks and uv__io_t are larger. The loop of a worker is
// found only if an object that stands for one of C++ is on its heap.
package uv

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Bounds of loops and wraps.
const (
	maxHandles   = 1 << 20
	maxQueue     = 1 << 20
	maxWrapBytes = 1 << 10
)

// handleTypes is uv_handle_type; reqTypes is uv_req_type (include/uv.h).
var (
	handleTypes = []string{"unknown", "async", "check", "fs_event", "fs_poll", "handle", "idle", "pipe", "poll",
		"prepare", "process", "stream", "tcp", "timer", "tty", "udp", "signal", "file"}
	reqTypes = []string{"unknown", "req", "connect", "write", "shutdown", "udp_send", "fs", "work", "getaddrinfo",
		"getnameinfo", "random"}
)

// A Loop is a uv_loop_t.
type Loop struct {
	Addr    core.Addr
	Default bool // the process' main loop
	// Thread runs the loop: the main thread, or the worker on whose stack the
	// loop lies; nil if unknown.
	Thread *core.Thread
	// ActiveHandles counts handles that are active and referenced;
	// ActiveRequests requests under way: both keep the loop alive.
	ActiveHandles, ActiveRequests uint32
	Stop                          bool // uv_stop was called
	BackendFD                     int32
	FDs, Watchers                 uint32 // descriptors watched, and room for them
	Time                          uint64 // milliseconds of the monotonic clock, as of the last turn
	Timers                        uint32 // in the heap
	// Queues are counts of what waits; -1 where a queue is damaged.
	Pending, ChangedWatchers, WorkDone int
	Closing                            int
	Handles                            []Handle
	// Err says what could not be read.
	Err error
}

// Alive reports whether uv_run would go on.
func (l *Loop) Alive() bool { return l.ActiveHandles > 0 || l.ActiveRequests > 0 || l.Closing > 0 }

// A Handle is a uv_handle_t.
type Handle struct {
	Addr core.Addr
	Loop core.Addr
	Type string // as uv_handle_type names it: "tcp"
	// Active, Referenced and so on are the handle's flags.
	Active, Referenced, Internal, Closing, Listening, Reading bool
	FD                                                        int32  // -1 if it has none
	Due                                                       uint64 // of a timer, in the loop's milliseconds
	Repeat                                                    uint64 // of a timer, milliseconds; 0 if it fires once
	Signal                                                    int32
	PID                                                       int32
	Callback                                                  core.Addr // 0 for streams
	// Wrap is the JSObject that stands for the handle, Owner what it belongs
	// to in JavaScript; 0 if unknown.
	Wrap, Owner           layout.Tagged
	WrapClass, OwnerClass string
}

// A Request is a uv_req_t under way.
type Request struct {
	Addr      core.Addr
	Type      string // as uv_req_type names it: "fs"
	Wrap      layout.Tagged
	WrapClass string
}

// A Reader reads event loops, their handles and requests, and the objects of C++ that stand for them in JavaScript.
type Reader struct {
	*layout.Memory
	objects *object.Reader
	frames  *frame.Decoder
	uv      *Libuv
}

// New returns a reader of the event loops of the process whose V8 the rooms read.
func New(r *object.Reader, dec *frame.Decoder) *Reader {
	return &Reader{Memory: r.Memory, objects: r, frames: dec, uv: libuv(r.Process.OS)}
}

// Libuv returns the numbers that what libuv keeps is read by.
func (r *Reader) Libuv() *Libuv { return r.uv }

// loopAsync returns where wq_async lies in the loop at a: its type is
// UV_ASYNC, and it names the loop.
func (r *Reader) loopAsync(a core.Addr) (core.Addr, bool) {
	for off := core.Addr(160); off <= 208; off += 8 {
		loop, ok1 := r.Word(a + off + core.Addr(r.uv.Handle.Loop))
		typ, ok2 := r.U32(a + off + core.Addr(r.uv.Handle.Type))
		if ok1 && ok2 && core.Addr(loop) == a && typ == 1 {
			return a + off, true
		}
	}
	return 0, false
}

// Loops returns the event loops of the process: the default one, then those that
// the wraps on the heap lead to, or their Environments, in order of address.
func (r *Reader) Loops(ctx context.Context) ([]Loop, error) {
	var found []core.Addr
	main := core.Addr(0)
	if s, ok := r.Symbols.Find(r.Image.Module.Path, "default_loop_struct"); ok {
		if _, ok := r.loopAsync(s.Addr); ok {
			main = s.Addr
			found = append(found, main)
		}
	}
	wraps, err := r.Wraps(ctx)
	if err != nil {
		return nil, err
	}
	var bases []core.Addr
	for _, w := range wraps {
		bases = append(bases, w.Base)
		if h, ok := r.handleIn(w.Base); ok {
			loop, _ := r.Word(h + core.Addr(r.uv.Handle.Loop))
			if a := core.Addr(loop); !slices.Contains(found, a) {
				found = append(found, a)
			}
		}
	}
	for _, a := range r.envLoops(bases) {
		if !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	if main == 0 && len(found) > 0 {
		main = r.staticLoop(found)
	}
	slices.Sort(found)
	out := make([]Loop, 0, len(found))
	for _, a := range found {
		l := r.loop(a)
		l.Default, l.Thread = a == main, r.loopThread(a)
		if l.Default {
			l.Thread = r.Process.Thread(r.Process.PID)
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b Loop) int {
		if a.Default != b.Default && a.Default {
			return -1
		}
		if a.Default != b.Default {
			return 1
		}
		return 0
	})
	return out, nil
}

// staticLoop returns the loop that is not part of a stack or heap but a
// variable of an image, which the default loop is.
func (r *Reader) staticLoop(loops []core.Addr) core.Addr {
	for _, a := range loops {
		if r.Process.MappedModule(a) != nil || r.Process.Module(a) != nil {
			return a
		}
	}
	return 0
}

// loopThread returns the thread whose stack holds the loop at a: a worker's is
// part of a local variable of its thread (src/node_worker.cc: WorkerThreadData).
func (r *Reader) loopThread(a core.Addr) *core.Thread {
	t := r.frames.ThreadOf(a)
	if t == nil {
		return nil
	}
	sp, _ := t.Regs.Get(r.Process.Arch.SP)
	stack, ok := r.Process.Mapping(core.Addr(sp))
	if !ok || a < stack.Start || a >= stack.End {
		return nil
	}
	return t
}

func (r *Reader) loop(a core.Addr) Loop {
	l := Loop{Addr: a, BackendFD: -1}
	async, ok := r.loopAsync(a)
	if !ok {
		l.Err = fmt.Errorf("no uv_loop_t at %v", a)
		return l
	}
	u32 := func(at core.Addr) uint32 { n, _ := r.U32(at); return n }
	l.ActiveHandles, l.ActiveRequests = u32(a+core.Addr(r.uv.Loop.ActiveHandles)),
		u32(a+core.Addr(r.uv.Loop.ActiveReqs))
	l.Stop = u32(a+core.Addr(r.uv.Loop.StopFlag)) != 0
	l.BackendFD = int32(u32(a + core.Addr(r.uv.Loop.BackendFD)))
	l.FDs, l.Watchers = u32(a+core.Addr(r.uv.Loop.NFDs)), u32(a+core.Addr(r.uv.Loop.NWatchers))
	l.Timers = u32(async + core.Addr(r.uv.Async.TimerHeap) + 8)
	l.Time, _ = r.Word(async + core.Addr(r.uv.Async.Time))
	l.Pending = r.queueLength(a + core.Addr(r.uv.Loop.PendingQueue))
	l.ChangedWatchers = r.queueLength(a + core.Addr(r.uv.Loop.WatcherQueue))
	l.WorkDone = r.queueLength(a + core.Addr(r.uv.Loop.WorkQueue))
	next, _ := r.Word(async + core.Addr(r.uv.Async.ClosingHandles))
	for next != 0 && l.Closing < maxHandles {
		l.Closing++
		next, _ = r.Word(core.Addr(next) + core.Addr(r.uv.Handle.NextClosing))
	}
	l.Err = r.queue(a+core.Addr(r.uv.Loop.HandleQueue), func(at core.Addr) {
		l.Handles = append(l.Handles, r.HandleAt(at-core.Addr(r.uv.Handle.Queue)))
	})
	return l
}

// queue calls yield for each node of a uv__queue, {next, prev}, whose head is
// at a.
func (r *Reader) queue(a core.Addr, yield func(core.Addr)) error {
	at := a
	for range maxQueue {
		next, ok := r.Word(at)
		back, ok2 := r.Word(core.Addr(next) + 8)
		if !ok || !ok2 || core.Addr(back) != at {
			return fmt.Errorf("corrupt: the queue at %v does not link back", a)
		}
		if core.Addr(next) == a {
			return nil
		}
		at = core.Addr(next)
		yield(at)
	}
	return fmt.Errorf("corrupt: the queue at %v does not end", a)
}

func (r *Reader) queueLength(a core.Addr) int {
	n := 0
	if err := r.queue(a, func(core.Addr) { n++ }); err != nil {
		return -1
	}
	return n
}

// HandleAt decodes the uv_handle_t at a.
func (r *Reader) HandleAt(a core.Addr) Handle {
	h := Handle{Addr: a, FD: -1, Type: "unknown"}
	loop, _ := r.Word(a + core.Addr(r.uv.Handle.Loop))
	h.Loop = core.Addr(loop)
	typ, _ := r.U32(a + core.Addr(r.uv.Handle.Type))
	if int(typ) < len(handleTypes) {
		h.Type = handleTypes[typ]
	}
	flags, _ := r.U32(a + core.Addr(r.uv.Handle.Flags))
	h.Active, h.Referenced, h.Internal = flags&uint32(r.uv.Flag.Active) != 0, flags&uint32(r.uv.Flag.Ref) != 0,
		flags&uint32(r.uv.Flag.Internal) != 0
	h.Closing = flags&(uint32(r.uv.Flag.Closing)|uint32(r.uv.Flag.Closed)) != 0
	fd := func(off core.Addr) {
		if n, ok := r.U32(a + off); ok {
			h.FD = int32(n)
		}
	}
	switch h.Type {
	case "tcp", "pipe", "tty", "stream":
		fd(core.Addr(r.uv.Stream.FD))
		cb, _ := r.Word(a + core.Addr(r.uv.Stream.ConnectionCB))
		h.Listening, h.Reading = cb != 0, flags&uint32(r.uv.Flag.Reading) != 0
	case "udp":
		fd(core.Addr(r.uv.UDP.FD))
	case "poll":
		fd(core.Addr(r.uv.Poll.FD))
	case "timer":
		h.Due, _ = r.Word(a + core.Addr(r.uv.Timer.Timeout))
		h.Repeat, _ = r.Word(a + core.Addr(r.uv.Timer.Repeat))
	case "signal":
		n, _ := r.U32(a + core.Addr(r.uv.Signal.Number))
		h.Signal = int32(n)
	case "process":
		n, _ := r.U32(a + core.Addr(r.uv.Process.PID))
		h.PID = int32(n)
	}
	switch h.Type {
	case "async", "check", "idle", "poll", "prepare", "process", "timer", "signal":
		cb, _ := r.Word(a + core.Addr(r.uv.Handle.Size))
		h.Callback = core.Addr(cb)
	}
	data, _ := r.Word(a + core.Addr(r.uv.Handle.Data))
	if w, ok := r.WrapOf(core.Addr(data)); ok {
		h.Wrap, h.WrapClass = w, r.objects.Class(w)
		if h.Owner = r.ownerOf(w); h.Owner != 0 {
			h.OwnerClass = r.objects.Class(h.Owner)
		}
	}
	return h
}

// Title reads the title that libuv keeps: process_title.str, a variable of
// src/unix/proctitle.c that compilers may split.
func (r *Reader) Title() string {
	const longest = 4096
	for _, name := range []string{"process_title", "process_title.0", "process_title.2"} {
		s, ok := r.Symbols.Find(r.Image.Module.Path, name)
		if !ok {
			continue
		}
		str, ok := r.Word(s.Addr)
		if !ok || str < 4096 {
			continue
		}
		data, _ := core.ReadBytes(r.Space, core.Addr(str), longest)
		if text, _, ok := strings.Cut(string(data), "\x00"); ok && text != "" {
			return text
		}
	}
	return ""
}
