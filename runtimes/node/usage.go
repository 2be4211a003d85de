package node

import (
	"errors"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/node/tasks"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/heap"
)

// A usage has V8's statistics of a heap, or sums of the heap's pages where V8's own code cannot be asked.
type usage struct {
	said        *heap.HeapStatistics
	err         error // why V8's code cannot be asked
	used, total uint64
	buffers     uint64
	walked      bool
}

// heapOf returns the usage of the heap of the thread that is asked.
func (q *asked) heapOf() (u usage) {
	h, err := q.heaps.Snapshot(q.ctx)
	if err != nil {
		return usage{err: err}
	}
	var of heap.Isolate
	for _, x := range h.Isolates(q.ctx) {
		if of.Addr == 0 && of.Heap == 0 || x.Thread != nil && x.Thread == q.thread {
			of = x
		}
	}
	for i := range h.Spaces {
		if s := &h.Spaces[i]; s.Name != heap.FreedPages && core.Addr(s.Heap) == of.Heap && of.Heap != 0 {
			u.used, u.total, u.walked = u.used+s.Used(), u.total+s.Committed, true
		}
	}
	_, u.buffers = h.ArrayBuffers()
	if of.Addr == 0 {
		u.err = errors.New("the isolate was not found")
		return u
	}
	u.said, u.err = q.heaps.HeapStatistics(of.Addr)
	return u
}

// known returns the number that v8.getHeapStatistics() has under a name, or the reason why it is not known.
func (u *usage) known(name string) ecma.Value {
	if u.err == nil {
		for _, x := range u.said.Heap {
			if x.Name == name && x.Known {
				return float64(x.Value)
			}
		}
	}
	switch {
	case name == "used_heap_size" && u.walked:
		return float64(u.used)
	case name == "total_heap_size" && u.walked:
		return float64(u.total)
	}
	return ecma.Unknown{Err: &eval.AbsentError{What: name, Why: "V8's code computes it, and could not be followed"}}
}

// note says where the numbers are from.
func (u *usage) note(path string) string {
	if u.err != nil && u.walked {
		return path + ": as the pages of the heap show; V8 may count some of them otherwise"
	}
	return ""
}

// memoryUsage is process.memoryUsage() (src/node_process_methods.cc: MemoryUsage).
func (q *asked) memoryUsage(*ecma.Machine) eval.Answer {
	u := q.heapOf()
	note := u.note(q.path)
	rss := ecma.Value(ecma.Unknown{Err: &eval.AbsentError{What: "rss", Why: "the kernel counts the pages"}})
	if bytes, ok := q.lastResident(); ok {
		rss = bytes
		if note != "" {
			note += "; "
		}
		note += q.path + ": rss is as it was when the program last asked"
	}
	buffers := ecma.Value(float64(u.buffers))
	if !u.walked {
		buffers = ecma.Unknown{Err: &eval.AbsentError{What: "arrayBuffers", Why: "no heap was found"}}
	}
	o := eval.Record(eval.Field{Name: "rss", Value: rss},
		eval.Field{Name: "heapTotal", Value: u.known("total_heap_size")},
		eval.Field{Name: "heapUsed", Value: u.known("used_heap_size")},
		eval.Field{Name: "external", Value: u.known("external_memory")})
	if !strings.HasPrefix(q.path, "Deno.") {
		o.Set(ecma.Key{Name: "arrayBuffers"}, buffers)
	}
	return eval.Answer{Value: o, Note: note}
}

// lastResident returns the rss that process.memoryUsage() last returned; ok is false if it was not called. C++ writes
// it into an array that the function keeps (lib/internal/process/per_thread.js).
func (q *asked) lastResident() (bytes float64, ok bool) {
	fn, ok := q.members.Word(q.process, "memoryUsage")
	if !ok || q.process == 0 || !q.IsReceiver(fn) || !q.objects.IsFunction(fn) {
		return 0, false
	}
	values, ok := q.members.ClosureVariable(fn, "memValues")
	if !ok || values.Raw || !q.IsReceiver(values.Word) {
		return 0, false
	}
	s, ok := q.objects.ElementAt(values.Word, 0)
	if bytes = s.Double; ok && !s.Raw {
		bytes, ok = q.Number(s.Word)
	}
	return bytes, ok && bytes > 0
}

// pageMemory is performance.memory of Chrome.
func (q *asked) pageMemory(*ecma.Machine) eval.Answer {
	u := q.heapOf()
	return eval.Answer{Note: u.note(q.path), Value: eval.Record(
		eval.Field{Name: "totalJSHeapSize", Value: u.known("total_heap_size")},
		eval.Field{Name: "usedJSHeapSize", Value: u.known("used_heap_size")},
		eval.Field{Name: "jsHeapSizeLimit", Value: u.known("heap_size_limit")})}
}

// heapStatistics is v8.getHeapStatistics().
func (q *asked) heapStatistics(*ecma.Machine) eval.Answer {
	u := q.heapOf()
	o := eval.Record()
	for _, name := range heapNumbers {
		o.Set(ecma.Key{Name: name}, u.known(name))
	}
	return eval.Answer{Note: u.note(q.path), Value: o}
}

// heapNumbers are the properties of the result of v8.getHeapStatistics() (lib/v8.js).
var heapNumbers = []string{"total_heap_size", "total_heap_size_executable", "total_physical_size",
	"total_available_size", "used_heap_size", "heap_size_limit", "malloced_memory", "peak_malloced_memory",
	"does_zap_garbage", "number_of_native_contexts", "number_of_detached_contexts", "total_global_handles_size",
	"used_global_handles_size", "external_memory"}

// heapSpaces is v8.getHeapSpaceStatistics().
func (q *asked) heapSpaces(*ecma.Machine) eval.Answer {
	u := q.heapOf()
	if u.err != nil {
		return absent("v8.getHeapSpaceStatistics()", u.err.Error())
	}
	list := eval.List()
	for _, space := range u.said.Spaces {
		o := eval.Record(eval.Field{Name: "space_name", Value: space.Name})
		for _, x := range space.Sizes {
			if x.Known {
				o.Set(ecma.Key{Name: x.Name}, float64(x.Value))
			}
		}
		list.List = append(list.List, o)
	}
	return eval.Answer{Value: list}
}

// handles returns the handles of the loop of the thread that is asked that keep it alive and that an object of
// JavaScript stands for (src/node_process_methods.cc: GetActiveHandles).
func (q *asked) handles() (list []uv.Handle, err error) {
	loops, err := q.UV.Loops(q.ctx)
	if err != nil {
		return nil, err
	}
	l := q.UV.LoopOf(loops, q.thread)
	if l == nil {
		return nil, errors.New("no event loop was found")
	}
	for i := range l.Handles {
		if h := &l.Handles[i]; h.Wrap != 0 && h.Referenced && !h.Closing {
			list = append(list, *h)
		}
	}
	return list, nil
}

// activeHandles is process._getActiveHandles(): the objects that own the handles.
func (q *asked) activeHandles(*ecma.Machine) eval.Answer {
	list, err := q.handles()
	if err != nil {
		return absent("process._getActiveHandles()", err.Error())
	}
	out := eval.List()
	for i := range list {
		owner := list[i].Owner
		if owner == 0 {
			owner = list[i].Wrap
		}
		out.List = append(out.List, ecma.Heap(owner))
	}
	return eval.Answer{Value: out}
}

// activeRequests is process._getActiveRequests().
func (q *asked) activeRequests(*ecma.Machine) eval.Answer {
	list, err := q.UV.Requests(q.ctx)
	if err != nil {
		return absent("process._getActiveRequests()", err.Error())
	}
	out := eval.List()
	for i := range list {
		out.List = append(out.List, ecma.Heap(q.UV.OwnerOf(list[i].Wrap)))
	}
	return eval.Answer{Value: out}
}

// resourceNames are Node's names of the objects for handles, where these differ from the class
// (MemoryInfoName in src/*_wrap.h).
var resourceNames = map[string]string{"TTY": "TTYWrap", "Pipe": "PipeWrap", "UDP": "UDPWrap", "Signal": "SignalWrap",
	"FSEvent": "FSEventWrap", "Process": "ProcessWrap", "TCP": "TCPSocketWrap"}

// activeResources is process.getActiveResourcesInfo().
func (q *asked) activeResources(*ecma.Machine) eval.Answer {
	requests, err := q.UV.Requests(q.ctx)
	handles, err2 := q.handles()
	timers, err3 := q.Tasks.Timers(q.ctx)
	if err := errors.Join(err, err2, err3); err != nil {
		return absent("process.getActiveResourcesInfo()", err.Error())
	}
	out := eval.List()
	for i := range requests {
		out.List = append(out.List, requests[i].WrapClass)
	}
	for i := range handles {
		name := handles[i].WrapClass
		if other := resourceNames[name]; other != "" {
			name = other
		}
		if name == "TCPSocketWrap" && handles[i].Listening {
			name = "TCPServerWrap"
		}
		out.List = append(out.List, name)
	}
	for _, immediate := range []bool{false, true} {
		for i := range timers {
			if t := &timers[i]; t.Immediate == immediate && !t.Unref {
				out.List = append(out.List, timerName(t))
			}
		}
	}
	return eval.Answer{Value: out}
}

func timerName(t *tasks.Timer) string {
	if t.Immediate {
		return "Immediate"
	}
	return "Timeout"
}
