package uv

import (
	"context"
	"math"
	"time"

	"coredbg/core"
)

// Uptime is the time from the start of the process to the last turn of its
// main loop, in seconds: node::per_process::node_start_time counts nanoseconds
// on the loop's clock.
func (r *Reader) Uptime(ctx context.Context) (float64, bool) {
	start := r.startTime()
	loops, err := r.Loops(ctx)
	if start == 0 || err != nil || len(loops) == 0 || !loops[0].Default || loops[0].Time*1e6 < start {
		return 0, false
	}
	return float64(loops[0].Time)/1e3 - float64(start)/1e9, true
}

// startTime returns when the process began on the loop's clock, in nanoseconds; 0 if that is not known.
func (r *Reader) startTime() uint64 {
	for _, name := range []string{"_ZN4node11per_process15node_start_timeE", "_ZN4node11performance10timeOriginE"} {
		if s, ok := r.Symbols.Find(r.Image.Module.Path, name); ok {
			if w, ok := r.Word(s.Addr); ok && w != 0 {
				return w
			}
		}
	}
	return 0
}

// Origin returns when the process began, as Node 12 to 18 keep it in variables: on the monotonic clock, and in
// milliseconds since 1970 (src/node_perf.cc: timeOrigin, timeOriginTimestamp). Both are in milliseconds.
func (r *Reader) Origin() (monotonic, wall float64, ok bool) {
	start, ok1 := r.Symbols.Find(r.Image.Module.Path, "_ZN4node11performance10timeOriginE")
	for _, name := range []string{"_ZN4node11performance19timeOriginTimestampE",
		"_ZN4node11performanceL19timeOriginTimestampE"} {
		day, ok2 := r.Symbols.Find(r.Image.Module.Path, name)
		if !ok1 || !ok2 {
			continue
		}
		ns, ok1 := r.Word(start.Addr)
		bits, ok2 := r.Word(day.Addr)
		if us := math.Float64frombits(bits); ok1 && ok2 && ns != 0 && us > 0 && us < 1e18 {
			return float64(ns) / 1e6, us / 1e3, true
		}
	}
	return 0, 0, false
}

// Now returns the time of the last turn of a thread's loop, in milliseconds of the monotonic clock. A thread without
// one is asked for the main loop.
func (r *Reader) Now(ctx context.Context, t *core.Thread) (uint64, bool) {
	loops, err := r.Loops(ctx)
	if err != nil {
		return 0, false
	}
	l := r.LoopOf(loops, t)
	if l == nil || l.Err != nil || l.Time == 0 || l.Time > maxClock {
		return 0, false
	}
	return l.Time, true
}

// LoopOf returns the loop that a thread runs, or else the main one; nil if there is neither.
func (r *Reader) LoopOf(loops []Loop, t *core.Thread) *Loop {
	var main *Loop
	for i := range loops {
		if l := &loops[i]; t != nil && l.Thread == t {
			return l
		} else if l.Default || main == nil {
			main = l
		}
	}
	return main
}

// LastTurn returns how long the process had run when the loop of a thread, its first one, began its last turn. It needs
// no heap.
func (r *Reader) LastTurn(t *core.Thread) (time.Duration, bool) {
	start := r.startTime()
	s, ok := r.Symbols.Find(r.Image.Module.Path, "default_loop_struct")
	if !ok || start == 0 || t.TID != r.Process.PID {
		return 0, false
	}
	async, ok := r.loopAsync(s.Addr)
	if !ok {
		return 0, false
	}
	now, ok := r.Word(async + core.Addr(r.uv.Async.Time))
	if !ok || now > maxClock || now*1e6 < start {
		return 0, false
	}
	return time.Duration(now*1e6 - start), true
}

// maxClock bounds what a clock of milliseconds can show: it counts from when the machine began.
const maxClock = 1 << 40
