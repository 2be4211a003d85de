package uv

import (
	"context"
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
