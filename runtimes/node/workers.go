package node

import (
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/node/cxx"
	"coredbg/runtimes/v8/layout"
)

// maxWorkerBytes bounds the C++ object of a worker.
const maxWorkerBytes = 1024

// WorkerNames returns the names that worker threads were started with, by their isolates:
// what new Worker was given, or Node's own name for those without one, from the version on
// that has one. A worker without a name, and one whose name is not known, is not in it.
func (nr *Reader) WorkerNames(ctx context.Context) (map[core.Addr]string, error) {
	h, err := nr.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	isolates := map[core.Addr]bool{}
	for _, x := range h.Isolates(ctx) {
		if x.Addr != 0 {
			isolates[x.Addr] = true
		}
	}
	wraps, err := nr.UV.Wraps(ctx)
	if err != nil {
		return nil, err
	}
	out := map[core.Addr]string{}
	for _, w := range wraps {
		if !nr.isWorker(w.Object) {
			continue
		}
		if isolate, name, ok := nr.workerName(w.Base, func(a core.Addr) bool { return isolates[a] }); ok {
			out[isolate] = name
		}
	}
	return out, nil
}

// maxWorkerStack bounds what is read of the stack of a worker, in bytes from its end.
const maxWorkerStack = 1 << 20

// WorkerName returns the name that the worker of a thread was started with; see WorkerNames. It
// walks no heap: Worker::Run, which the stack began with, has the address of the worker. It
// fails for other threads.
func (nr *Reader) WorkerName(t *core.Thread) (string, bool) {
	isolate, known := nr.objects.Isolate(t)
	if !known && t.TID == nr.Process.PID {
		return "", false
	}
	stack, ok := endOfStack(nr.Process, t)
	if !ok {
		return "", false
	}
	// Where the image has no symbol for a thread's isolate, it is among what the worker and the stack have both.
	isIsolate := func(a core.Addr) bool { return a == isolate }
	if !known {
		isIsolate = func(a core.Addr) bool { return slices.Contains(stack, a) }
	}
	seen := map[core.Addr]bool{}
	for _, base := range slices.Backward(stack) {
		if base < core.TracePage || base&7 != 0 || seen[base] {
			continue
		}
		seen[base] = true
		if w, ok := nr.UV.WrapOf(base); ok && nr.isWorker(w) {
			if _, name, ok := nr.workerName(base, isIsolate); ok {
				return name, true
			}
		}
	}
	return "", false
}

// endOfStack returns the words with which the stack of a thread began.
func endOfStack(p *core.Process, t *core.Thread) ([]core.Addr, bool) {
	areas := layout.Stacks(p, t)
	if len(areas) == 0 {
		return nil, false
	}
	own := areas[len(areas)-1]
	from := max(own.Start, own.End-min(own.End, maxWorkerStack)).Align(8)
	if from >= own.End {
		return nil, false
	}
	b, err := core.ReadBytes(p.Space, from, uint64(own.End-from))
	if err != nil {
		return nil, false
	}
	words := make([]core.Addr, len(b)/8)
	for i := range words {
		words[i] = core.Addr(p.Arch.Order.Uint64(b[8*i:]))
	}
	return words, true
}

// isWorker reports whether an object is what stands for a worker in the thread that started it.
func (nr *Reader) isWorker(o layout.Tagged) bool { return nr.objects.ConstructorName(o) == "Worker" }

// workerName reads a node::worker::Worker (src/node_worker.h): the first word that is the
// address of an isolate is isolate_, and name_ is a string after it. The other string there is
// custom_error_str_, which comes after a pointer to the code of an error, custom_error_.
func (nr *Reader) workerName(base core.Addr, isIsolate func(core.Addr) bool) (isolate core.Addr, name string, ok bool) {
	var names []string
	for off := core.Addr(24); off < cxx.BlockEnd(nr.Memory, base, maxWorkerBytes); off += 8 {
		w, read := nr.Word(base + off)
		if !read {
			break
		}
		if isolate == 0 {
			if isIsolate(core.Addr(w)) {
				isolate = core.Addr(w)
			}
			continue
		}
		if text, is := nr.cxx.StdString(base + off); is && text != "" {
			before, _ := nr.Word(base + off - 8)
			if code, err := core.CString(nr.Process.Space, core.Addr(before), 64); err == nil &&
				strings.HasPrefix(code, "ERR_") {
				continue
			}
			names = append(names, text)
		}
	}
	if isolate == 0 || len(names) != 1 {
		return 0, "", false
	}
	return isolate, names[0], true
}
