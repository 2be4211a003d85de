package node

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
)

// A moment is the time of the last turn of a thread's event loop: the newest time that a core has.
type moment struct {
	loop   float64 // on the monotonic clock, in milliseconds
	origin float64 // when the environment began, on the same clock; NaN if it is not known
	wall   float64 // the same in milliseconds since 1970; NaN if it is not known
}

// noClock says why there is no time.
func noClock(path string) eval.Answer {
	return absent(path, "the kernel has the clock, and no event loop with its time was found")
}

// moment returns the time of the last turn of the loop of the thread that is asked.
func (q *asked) moment() (x moment, ok bool) {
	loop, ok := q.UV.Now(q.ctx, q.thread)
	if !ok || q.process == 0 {
		return moment{}, false
	}
	x.loop = float64(loop)
	x.origin, x.wall = q.origin()
	return x, true
}

// origin returns when the environment began, on the monotonic clock and as the time of day, both in milliseconds;
// NaN for one that is not known. Scripts of Node's see both in the binding "performance": in the milestones
// (src/node_perf_common.h: PerformanceState), or as properties before Node 18.
func (q *asked) origin() (origin, wall float64) {
	origin, wall = math.NaN(), math.NaN()
	defer func() {
		if o, w, ok := q.UV.Origin(); origin != origin && wall != wall && ok {
			origin, wall = o, w
		}
	}()
	binding, ok := q.binding("performance")
	if !ok {
		return origin, wall
	}
	number := func(name string) (float64, bool) { return q.members.Number(binding, name) }
	if ms, ok := number("timeOrigin"); ok && ms > 0 {
		origin = ms
	}
	if ms, ok := number("timeOriginTimestamp"); ok && ms > 0 {
		wall = ms
	}
	constants, ok1 := q.members.Word(binding, "constants")
	milestones, ok2 := q.members.Word(binding, "milestones")
	if !ok1 || !ok2 {
		return origin, wall
	}
	milestone := func(name string, unit float64, into *float64) {
		i, ok := q.members.Number(constants, "NODE_PERFORMANCE_MILESTONE_"+name)
		if !ok || i < 0 || i > 64 {
			return
		}
		s, ok := q.objects.ElementAt(milestones, uint64(i))
		f := s.Double
		if !s.Raw {
			f, ok = q.Number(s.Word)
		}
		if ok && f > 0 {
			*into = f / unit
		}
	}
	milestone("TIME_ORIGIN", 1e6, &origin)
	milestone("TIME_ORIGIN_TIMESTAMP", 1e3, &wall)
	return origin, wall
}

// binding returns an object of functions and values that Node's scripts get from C++: process.binding closes over
// internalBinding, which keeps them.
func (q *asked) binding(name string) (layout.Tagged, bool) {
	for _, method := range []string{"binding", "_linkedBinding", "hrtime", "nextTick"} {
		fn, ok := q.members.Word(q.process, method)
		if !ok || !q.IsReceiver(fn) || !q.objects.IsFunction(fn) {
			continue
		}
		loader, ok := q.members.ClosureVariable(fn, "internalBinding")
		if !ok || loader.Raw || !q.IsReceiver(loader.Word) {
			continue
		}
		all, ok := q.members.ClosureVariable(loader.Word, "bindingObj")
		if !ok || all.Raw || !q.IsReceiver(all.Word) {
			continue
		}
		if w, ok := q.members.Word(all.Word, name); ok && q.IsReceiver(w) {
			return w, true
		}
	}
	return 0, false
}

// asOf says as of when a time is.
func (x *moment) asOf(path string) string {
	if x.origin != x.origin {
		return path + ": as of the last turn of the event loop"
	}
	ran := time.Duration((x.loop - x.origin) * 1e6).Round(time.Millisecond)
	return fmt.Sprintf("%s: as of the last turn of the event loop, %v after its start", path, ran)
}

// wallClock is Date.now(): the time of day when the environment began, and how long the loop had run by its last turn.
func (q *asked) wallClock(*ecma.Machine) eval.Answer {
	if x, ok := q.moment(); ok && x.wall == x.wall && x.origin == x.origin {
		return eval.Answer{Value: math.Floor(x.wall + x.loop - x.origin), Note: x.asOf("Date.now()")}
	}
	if at := q.Process.Written; !at.IsZero() {
		return eval.Answer{Value: float64(at.UnixMilli()), Note: "Date.now(): when the core was written"}
	}
	return noClock("Date.now()")
}

// sinceOrigin is performance.now().
func (q *asked) sinceOrigin(*ecma.Machine) eval.Answer {
	x, ok := q.moment()
	if !ok || x.origin != x.origin {
		return noClock("performance.now()")
	}
	return eval.Answer{Value: x.loop - x.origin, Note: x.asOf("performance.now()")}
}

// timeOrigin is performance.timeOrigin.
func (q *asked) timeOrigin(*ecma.Machine) eval.Answer {
	if _, wall := q.origin(); wall == wall {
		return eval.Answer{Value: wall}
	}
	if q.process == 0 {
		return absent(q.path, "C++ of the embedder keeps it")
	}
	return absent(q.path, "the binding performance of Node's scripts was not found")
}

// uptime is process.uptime().
func (q *asked) uptime(*ecma.Machine) eval.Answer {
	x, ok := q.moment()
	if seconds, known := q.UV.Uptime(q.ctx); known && (q.thread == nil || q.thread.TID == q.Process.PID) {
		return eval.Answer{Value: seconds, Note: x.asOf("process.uptime()")}
	}
	if !ok || x.origin != x.origin {
		return noClock("process.uptime()")
	}
	return eval.Answer{Value: (x.loop - x.origin) / 1e3, Note: x.asOf("process.uptime()")}
}

// hrtime is process.hrtime(), or the time since another.
func (q *asked) hrtime(m *ecma.Machine) eval.Answer {
	x, ok := q.moment()
	if !ok {
		return noClock("process.hrtime()")
	}
	sec, nsec := math.Floor(x.loop/1e3), math.Mod(x.loop, 1e3)*1e6
	if len(q.args) > 0 && m.IsObject(q.args[0]) {
		s, ok1 := m.Get(q.args[0], ecma.Key{Name: "0"}).(float64)
		n, ok2 := m.Get(q.args[0], ecma.Key{Name: "1"}).(float64)
		if !ok1 || !ok2 {
			m.Throw(`The "time" argument must be an array of two numbers`)
		}
		if sec, nsec = sec-s, nsec-n; nsec < 0 {
			sec, nsec = sec-1, nsec+1e9
		}
	}
	return eval.Answer{Value: eval.List(sec, nsec), Note: x.asOf("process.hrtime()")}
}

// hrtimeBigInt is process.hrtime.bigint().
func (q *asked) hrtimeBigInt(*ecma.Machine) eval.Answer {
	x, ok := q.moment()
	if !ok {
		return noClock("process.hrtime.bigint()")
	}
	return eval.Answer{Value: ecma.BigInt(strconv.FormatUint(uint64(x.loop)*1e6, 10)),
		Note: x.asOf("process.hrtime.bigint()")}
}

// cpuUsage is process.cpuUsage(), as the notes on all threads have it.
func (q *asked) cpuUsage(*ecma.Machine) eval.Answer {
	var all core.CPUTime
	for _, t := range q.Process.Threads {
		if t.CPU == nil {
			return absent("process.cpuUsage()", "the notes of the core have no times")
		}
		all.User, all.System = all.User+t.CPU.User, all.System+t.CPU.System
	}
	return eval.Answer{Value: eval.Record(eval.Field{Name: "user", Value: float64(all.User.Microseconds())},
		eval.Field{Name: "system", Value: float64(all.System.Microseconds())})}
}
