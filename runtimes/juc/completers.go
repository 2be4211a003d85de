package juc

import (
	"slices"
	"strings"

	"coredbg/core"
)

const (
	executor = "java.util.concurrent.ThreadPoolExecutor"
	worker   = executor + "$Worker"
)

// poolOf returns the ThreadPoolExecutor that a thread works for, 0 if for none.
func poolOf(h heap, thread core.Addr) core.Addr {
	task, _ := h.ref(thread, "target")
	if task == 0 { // since JDK 19
		holder, _ := h.ref(thread, "holder")
		task, _ = h.ref(holder, "task")
	}
	if task == 0 || !h.isA(task, worker) {
		return 0
	}
	pool, _ := h.ref(task, "this$0")
	return pool
}

// workersOf returns the threads of an executor.
func workersOf(h heap, pool core.Addr) (list []core.Addr) {
	for _, t := range h.Peers() {
		if poolOf(h, t) == pool {
			list = append(list, t)
		}
	}
	return list
}

// queued returns the threads of the executor in whose queue a task waits.
func queued(h heap, task core.Addr) (Owners, bool) {
	workers := map[core.Addr][]core.Addr{}
	var pools []core.Addr
	for _, t := range h.Peers() {
		if p := poolOf(h, t); p != 0 {
			if workers[p] == nil {
				pools = append(pools, p)
			}
			workers[p] = append(workers[p], t)
		}
	}
	for _, p := range pools {
		queue, _ := h.ref(p, "workQueue")
		if queueHas(h, queue, task) {
			return Owners{Kind: Queued, Threads: workers[p], Any: true}, true
		}
	}
	return Owners{}, false
}

// queueHas reports whether an element of a BlockingQueue leads to an object. Queues of java.util.concurrent are chains
// of nodes or have an array.
func queueHas(h heap, queue, target core.Addr) bool {
	if queue == 0 {
		return false
	}
	for _, name := range []string{"items", "queue"} {
		if array, ok := h.ref(queue, name); ok {
			return slices.ContainsFunc(h.elements(array, maxChain),
				func(e core.Addr) bool { return leads(h, e, target, maxDepth) })
		}
	}
	node, ok := h.ref(queue, "head")
	if !ok {
		node, _ = h.ref(queue, "first")
	}
	for n := 0; node != 0 && n < maxChain; n++ {
		item, ok := h.ref(node, "item")
		if !ok {
			return false
		}
		if leads(h, item, target, maxDepth) {
			return true
		}
		next, _ := h.ref(node, "next")
		if next == node {
			return false
		}
		node = next
	}
	return false
}

// completers returns the threads whose stacks lead to an object, without the threads that wait for the same
// object. If there are none, it returns the threads of an executor with a task that leads to the object.
func completers(h heap, thread, blocker, object core.Addr) (Owners, bool) {
	o := Owners{Kind: Completes, Any: true}
	for _, t := range h.Peers() {
		if t == thread || awaits(h, t, blocker, object) {
			continue
		}
		if slices.ContainsFunc(h.Stack(t), func(r core.Addr) bool { return leads(h, r, object, maxDepth) }) {
			o.Threads = append(o.Threads, t)
		}
	}
	q, waits := queued(h, object)
	if len(o.Threads) == 0 {
		return q, waits
	}
	o.Threads = append(o.Threads, q.Threads...)
	return o, true
}

// awaits reports whether a thread waits for the same object as another thread that is parked for a blocker.
func awaits(h heap, thread, blocker, object core.Addr) bool {
	b := h.blocker(thread)
	return b == blocker || b != 0 && counted(h, object) && awaited(h, thread, b) == object
}

// counted reports whether threads that wait for an object need others to count it down, release it or arrive.
// The object does not say which threads will.
func counted(h heap, object core.Addr) bool {
	return slices.ContainsFunc([]string{
		"java.util.concurrent.CountDownLatch$Sync", "java.util.concurrent.Semaphore$Sync",
		"java.util.concurrent.Phaser",
		"java.util.concurrent.CyclicBarrier", "java.util.concurrent.locks.StampedLock",
	}, func(class string) bool { return h.isA(object, class) })
}

// awaited returns the object that a thread waits for, given the blocker that it is parked for; 0 if it is not
// known. The thread's frames refer to the object.
func awaited(h heap, thread, blocker core.Addr) core.Addr {
	switch {
	case h.isA(blocker, "java.util.concurrent.CompletableFuture$Signaller"):
		return signalled(h, thread, blocker)
	case h.isA(blocker, "java.util.concurrent.Phaser$QNode"):
		phaser, _ := h.ref(blocker, "phaser")
		return phaser
	case h.isA(blocker, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"):
		for _, r := range h.Stack(thread) {
			for _, field := range []string{"trip", "termination"} { // of a CyclicBarrier, of a ThreadPoolExecutor
				if at, ok := h.ref(r, field); ok && at == blocker && (h.isA(r, "java.util.concurrent.CyclicBarrier") ||
					h.isA(r, executor)) {
					return r
				}
			}
		}
		return 0
	}
	return blocker
}

// signalled returns the CompletableFuture that a thread waits for, given the blocker, which depends on
// it: the thread's frames refer to it.
func signalled(h heap, thread, signaller core.Addr) core.Addr {
	for _, r := range h.Stack(thread) {
		if !h.isA(r, "java.util.concurrent.CompletableFuture") {
			continue
		}
		at, _ := h.ref(r, "stack")
		for n := 0; at != 0 && n < maxChain; n++ {
			if at == signaller {
				return r
			}
			at, _ = h.ref(at, "next")
		}
	}
	return 0
}

// maxDepth is the maximum number of objects between a frame and an object that it has at hand.
const maxDepth = 4

// wrappers are the fields of objects of the Java library that lead to the wrapped objects.
var wrappers = []string{"callable", "task", "sync", "fn", "dep", "target", "firstTask", "stack", "next"}

// leads reports whether an object is the target, or has it in its fields or, through wrappers, in the
// fields of others.
func leads(h heap, o, target core.Addr, depth int) bool {
	if o == target {
		return o != 0
	}
	if o == 0 || depth == 0 {
		return false
	}
	class := h.class(o)
	if class == "java.lang.Thread" || class == "java.lang.Class" || class == "java.lang.String" ||
		h.isA(o, "java.lang.ClassLoader") {
		return false
	}
	if !strings.HasPrefix(class, "java.") {
		return slices.ContainsFunc(h.References(o), func(r core.Addr) bool { return leads(h, r, target, depth-1) })
	}
	return slices.ContainsFunc(wrappers, func(name string) bool {
		r, ok := h.ref(o, name)
		return ok && leads(h, r, target, depth-1)
	})
}
