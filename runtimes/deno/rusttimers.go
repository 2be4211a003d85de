package deno

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// WebTimers (core/web_timeout.rs) has two trees: a BTreeMap of numbers to callbacks, and a BTreeSet of
// times with these numbers. A ContextState contains it; the native context leads to that.

const (
	maxContextState = 4096 // bytes
	setKey          = 40   // TimerKey: Instant, u64, TimerType; with a bool from deno_core 0.29x on
	oldSetKey       = 32
	nanoseconds     = 1_000_000_000
)

// timerDataSizes are the sizes of a TimerData: a Global, which is two pointers, a number, a flag.
var timerDataSizes = []core.Addr{32, 24}

// rustTimers returns the timers that Rust keeps, in the order of their due times.
func (dr *Reader) rustTimers(ctx context.Context) ([]Timer, error) {
	natives, err := dr.nativeContexts(ctx)
	if err != nil {
		return nil, err
	}
	var out []Timer
	found := false
	for _, native := range natives {
		for _, state := range dr.embedderPointers(native) {
			list, ok := dr.webTimers(state)
			if ok {
				out, found = append(out, list...), true
				break
			}
		}
	}
	if !found {
		return nil, errNoTimers
	}
	return out, nil
}

// webTimers finds both trees in a block of memory.
func (dr *Reader) webTimers(block core.Addr) ([]Timer, bool) {
	data := map[uint64]Timer{}
	for at := block; at < block+maxContextState && len(data) == 0; at += 8 {
		dr.timerData(at, data)
	}
	if len(data) == 0 {
		return nil, false
	}
	for at := block; at < block+maxContextState; at += 8 {
		if list, ok := dr.timerSet(at, data); ok {
			return list, true
		}
	}
	return nil, false
}

// timerData reads the map of numbers to callbacks: numbers rise, and each value has the address of
// a handle of V8's with a function.
func (dr *Reader) timerData(at core.Addr, data map[uint64]Timer) {
	for _, size := range timerDataSizes {
		last := uint64(0)
		begin := func() { last = 0; clear(data) }
		ok := dr.treeAt(at, treeForms(8, 8, size), begin, func(key, value core.Addr) bool {
			id, ok := dr.Word(key)
			if !ok || id <= last || id > 1<<53 {
				return false
			}
			last = id
			fn, flag, ok := dr.timerValue(value, size)
			if !ok {
				return false
			}
			t := Timer{ID: id}
			t.Callback, t.Unref = fn, flag
			t.Place, _ = dr.frames.FunctionPlace(fn)
			data[id] = t
			return true
		})
		if ok {
			return
		}
	}
	clear(data)
}

// timerValue reads a TimerData: among its words is one address of a handle with a function; its
// flag is the only byte that is 0 or 1 and comes after the number of 4 bytes.
func (dr *Reader) timerValue(at, size core.Addr) (fn layout.Tagged, unref, ok bool) {
	for off := core.Addr(0); off+8 <= size; off += 8 {
		slot, ok := dr.Word(at + off)
		if !ok || slot&7 != 0 || slot < core.TracePage {
			continue
		}
		w, ok := dr.Word(core.Addr(slot))
		if o := dr.Full(w); ok && o&3 == 1 && dr.IsReceiver(o) && dr.IsFunction(o) {
			fn = o
			break
		}
	}
	if fn == 0 {
		return 0, false, false
	}
	var flag [1]byte
	if !dr.Bytes(flag[:], at+size-8) || flag[0] > 1 {
		return 0, false, false
	}
	return fn, flag[0] == 1, true
}

// timerSet reads the set of times: each key has a time, the number of a timer and, of an interval,
// its milliseconds. Times rise. Timers that were cancelled are in it without a callback.
func (dr *rustMemory) timerSet(at core.Addr, data map[uint64]Timer) ([]Timer, bool) {
	for _, size := range []core.Addr{setKey, oldSetKey} {
		for _, order := range keyOrders {
			var list []Timer
			last := 0.0
			begin := func() { list, last = nil, 0 }
			ok := dr.treeAt(at, treeForms(size, 8, 0), begin, func(key, _ core.Addr) bool {
				seconds, _ := dr.Word(key + order.time)
				nanos, ok := dr.U32(key + order.time + 8)
				id, _ := dr.Word(key + order.id)
				repeat, _ := dr.Word(key + order.repeat)
				due := float64(seconds)*1000 + float64(nanos)/1e6
				if !ok || nanos >= nanoseconds || seconds == 0 || seconds > 1<<40 || id == 0 || id > 1<<53 ||
					repeat > 1<<53 || due < last {
					return false
				}
				last = due
				if t, ok := data[id]; ok {
					t.Due, t.Repeats, t.After, t.HasAfter = due, repeat != 0, float64(repeat), repeat != 0
					list = append(list, t)
				}
				return true
			})
			if ok && len(list) == len(data) {
				return list, true
			}
		}
	}
	return nil, false
}

// keyOrders are the possible orders of the parts of a TimerKey.
var keyOrders = []struct{ time, id, repeat core.Addr }{{0, 16, 24}, {16, 0, 8}, {16, 8, 0}, {0, 24, 16},
	{8, 0, 24}, {8, 24, 0}}
