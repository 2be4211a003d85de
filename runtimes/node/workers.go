package node

import (
	"context"
	"strings"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Bounds of the C++ object of a worker, and of its name, in bytes.
const (
	maxWorkerBytes = 1024
	maxWorkerName  = 4096
)

// WorkerNames returns the names that worker threads were started with, by their isolates:
// what new Worker was given, or Node's own name for those without one, from the version on
// that has one. A worker without a name, and one whose name is not known, is not in it.
func (nr *Reader) WorkerNames(ctx context.Context) (map[core.Addr]string, error) {
	h, err := nr.heaps.Heap(ctx)
	if err != nil {
		return nil, err
	}
	isolates := map[core.Addr]bool{}
	for _, x := range h.Isolates(ctx) {
		if x.Addr != 0 {
			isolates[x.Addr] = true
		}
	}
	wraps, err := nr.wraps(ctx)
	if err != nil {
		return nil, err
	}
	out := map[core.Addr]string{}
	for _, w := range wraps {
		if !nr.isWorker(w.object) {
			continue
		}
		if isolate, name, ok := nr.workerName(w.base, isolates); ok {
			out[isolate] = name
		}
	}
	return out, nil
}

// maxWorkerStack bounds what is read of the stack of a worker, in bytes from its end.
const maxWorkerStack = 1 << 20

// WorkerName returns the name that the worker of a thread was started with; see WorkerNames. It
// walks no heap: Worker::Run, which the stack began with, has the address of the worker. It
// fails for other threads, and where the image has no symbol for a thread's isolate.
func (nr *Reader) WorkerName(t *core.Thread) (string, bool) {
	isolate, ok := nr.objects.Isolate(t)
	sp, ok2 := t.Regs.Get(nr.Process.Arch.SP)
	if !ok || !ok2 {
		return "", false
	}
	stack, ok := nr.Process.Mapping(core.Addr(sp))
	if !ok {
		return "", false
	}
	from := max(core.Addr(sp), stack.End-min(stack.End, maxWorkerStack)).Align(8)
	if from >= stack.End {
		return "", false
	}
	b, err := core.ReadBytes(nr.Process.Space, from, uint64(stack.End-from))
	if err != nil {
		return "", false
	}
	seen := map[core.Addr]bool{}
	for i := len(b)/8*8 - 8; i >= 0; i -= 8 {
		base := core.Addr(nr.Process.Arch.Order.Uint64(b[i:]))
		if base < core.TracePage || base&7 != 0 || base >= stack.Start && base < stack.End || seen[base] {
			continue
		}
		seen[base] = true
		if w, ok := nr.wrapOf(base); ok && nr.isWorker(w) {
			if _, name, ok := nr.workerName(base, map[core.Addr]bool{isolate: true}); ok {
				return name, true
			}
		}
	}
	return "", false
}

// isWorker reports whether an object is what stands for a worker in the thread that started it.
func (nr *Reader) isWorker(o layout.Tagged) bool { return nr.objects.ConstructorName(o) == "Worker" }

// workerName reads a node::worker::Worker (src/node_worker.h): the first word that is the
// address of an isolate is isolate_, and name_ is a string after it. The other string there is
// custom_error_str_, which comes after a pointer to the code of an error, custom_error_.
func (nr *Reader) workerName(base core.Addr, isolates map[core.Addr]bool) (isolate core.Addr, name string, ok bool) {
	var names []string
	for off := core.Addr(24); off < nr.blockEnd(base, maxWorkerBytes); off += 8 {
		w, read := nr.Word(base + off)
		if !read {
			break
		}
		if isolate == 0 {
			if isolates[core.Addr(w)] {
				isolate = core.Addr(w)
			}
			continue
		}
		if text, is := nr.stdString(base + off); is && text != "" {
			before, _ := nr.Word(base + off - 8)
			if code, err := core.CString(nr.Process.Space, core.Addr(before), 64); err == nil && strings.HasPrefix(code, "ERR_") {
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

// blockEnd returns how many bytes of a C++ object there are, as far as glibc's allocator says: the
// size of its chunk is before it, with three bits for flags. It is at most limit, and limit if
// that makes no sense.
func (nr *Reader) blockEnd(base, limit core.Addr) core.Addr {
	const header, least, flags = 8, 128, 7
	w, ok := nr.Word(base - header)
	size := core.Addr(w) &^ flags
	if !ok || size%16 != 0 || size < least || size > limit {
		return limit
	}
	return size - header
}

// stdString reads a std::string of libstdc++: a pointer to its bytes, which lie in it if they are
// 15 or fewer, and its length. Bytes that a name cannot have make it none.
func (nr *Reader) stdString(a core.Addr) (string, bool) {
	const local = 15
	at, ok1 := nr.Word(a)
	n, ok2 := nr.Word(a + 8)
	if !ok1 || !ok2 || n > maxWorkerName || (core.Addr(at) == a+16) != (n <= local) {
		return "", false
	}
	if n > local {
		if capacity, ok := nr.Word(a + 16); !ok || capacity < n || capacity > 1<<32 {
			return "", false
		}
	}
	b, err := core.ReadBytes(nr.Process.Space, core.Addr(at), n+1)
	if err != nil || b[n] != 0 || strings.IndexByte(string(b[:n]), 0) >= 0 || !utf8.Valid(b[:n]) {
		return "", false
	}
	return string(b[:n]), true
}
