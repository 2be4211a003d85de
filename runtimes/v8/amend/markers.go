package amend

import (
	"iter"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// Numbers of frame types differ between builds of one version: types of WebAssembly come and go with build
// options, and until V8 14.6 they come before JavaScript's types (execution/frames.h: STACK_FRAME_TYPE_LIST).
// Two can be seen on stacks. JSEntry, which is marked Entry in all builds, calls JSEntryTrampoline, whose frame
// is Internal, or RunMicrotasks, whose frame is Stub. Frames of builtins in C++ have their function.

// Limits of looking for frames: words of a stack that are read, frames below entries that are evidence,
// how far the number of builtins in C++ may have moved, and more than the arguments of a call.
const (
	maxMarkerWords = 64 << 10
	maxEntries     = 32
	maxMarkerShift = 2
	maxExitArgs    = 1 << 10
)

// Markers corrects the numbers of frame types.
func (v *Build) Markers() {
	v.internalMarker()
	v.exitMarker()
}

// marker returns the table's number for a frame type; -1 if the table does not have it.
func (v *Build) marker(name string) int { return numberOf(v.Memory.Markers, name) }

// numberOf returns the number of a frame type; -1 if there is none.
func numberOf(types layout.FrameTypes, name string) int {
	for n, s := range types {
		if s == name {
			return n
		}
	}
	return -1
}

// internalMarker corrects the numbers if Internal has another one than in the table. Then the only known types
// of WebAssembly are the first, if it comes right after Exit, and the types after Internal, as from V8 14.6 on.
// If markers on stacks refute the table's order, it takes the order of another table that they refute less, or
// that names more of the markers.
func (v *Build) internalMarker() {
	internal, stub, entry := v.marker("Internal"), v.marker("Stub"), v.marker("Entry")
	called := v.calledByEntry(entry)
	if internal < 0 || entry < 0 || len(called) == 0 || called[internal] > 0 || stub >= 0 && called[stub] > 0 {
		return
	}
	seen := MostOf(called)
	if as := seen + internal - stub; stub >= 0 && called[as] > 0 {
		seen = as // that was what runs microtasks
	}
	v.Memory.Markers = movedInternal(v.Memory.Markers, seen)
	if v.Image.Constants.Table == nil {
		return
	}
	// Frames of C++ have anything in the place of a marker, but do not return to generated code.
	used, generated := map[int]int{}, map[int]int{}
	v.markers(func(own, _ int, returns core.Addr) bool {
		used[own]++
		if v.Objects.Place(returns).Kind != code.Elsewhere {
			generated[own]++
		}
		return true
	})
	least, nameless := refuted(v.Memory.Markers, used), unnamed(v.Memory.Markers, generated)
	for _, peer := range v.Image.Constants.Table.PeerFrameTypes() {
		if numberOf(peer, "Internal") < 0 {
			continue
		}
		moved := movedInternal(peer, seen)
		if n, m := refuted(moved, used), unnamed(moved, generated); n < least || n == least && m < nameless {
			v.Memory.Markers, least, nameless = moved, n, m
		}
	}
}

// unnamed counts the markers of generated code that have no name.
func unnamed(types layout.FrameTypes, used map[int]int) (n int) {
	for number, times := range used {
		if types[number] == "" {
			n += times
		}
	}
	return n
}

// movedInternal returns frame types with another number for Internal, which they have.
func movedInternal(types layout.FrameTypes, seen int) layout.FrameTypes {
	internal, exit := numberOf(types, "Internal"), numberOf(types, "Exit")
	moved := layout.FrameTypes{}
	for n, name := range types {
		switch {
		case n <= exit, name == "Wasm" && n == exit+1:
			moved[n] = name
		case !strings.Contains(name, "Wasm") && name != "StackSwitch" || n > internal:
			moved[n+seen-internal] = name
		}
	}
	return moved
}

// refuted counts the markers on stacks whose types have frames without markers: a frame with a function has its
// context in that place (execution/frame-constants.h: StandardFrameConstants).
func refuted(types layout.FrameTypes, used map[int]int) (n int) {
	for _, name := range []string{"Interpreted", "Baseline", "Maglev", "Optimized", "Turbofan", "TurbofanJS"} {
		if number := numberOf(types, name); number >= 0 {
			n += used[number]
		}
	}
	return n
}

// exitMarker corrects the number of frames of builtins written in C++, and the numbers from there to the frames
// of constructors, which come right after Internal. V8 11.7 has a type for fast constructors there, 11.3 does
// not, and 8.7 has a type for adaptors that 9.2 does not have. The frame of a builtin in C++ has its function
// and the number of its arguments (execution/frame-constants.h: BuiltinExitFrameConstants).
func (v *Build) exitMarker() {
	construct, exit := v.marker("Construct"), v.marker("BuiltinExit")
	if construct < 0 || exit < construct || v.Layout.Frame.ExitTarget == layout.Unknown {
		return
	}
	votes := map[int]int{}
	v.exits(func(n int) { votes[n]++ })
	best := exit
	for n := max(exit-maxMarkerShift, construct+1); n <= exit+maxMarkerShift; n++ {
		if votes[n] > votes[best] {
			best = n
		}
	}
	if best == exit || votes[exit] > 0 {
		return
	}
	moved := layout.FrameTypes{}
	for n, name := range v.Memory.Markers {
		if to := n + best - exit; n <= construct {
			moved[n] = name
		} else if to > construct {
			moved[to] = name
		}
	}
	if best > exit {
		moved[construct+1] = "FastConstruct"
	}
	v.Memory.Markers = moved
}

// stacks yields the beginnings of the threads' stacks with their addresses.
func (v *Build) stacks() iter.Seq2[core.Addr, []byte] {
	return func(yield func(core.Addr, []byte) bool) {
		for _, th := range v.Process.Threads {
			for _, s := range layout.Stacks(v.Process, th) {
				data, _ := core.ReadBytes(v.Space, s.Start, min(8*maxMarkerWords, uint64(s.End-s.Start)))
				if !yield(s.Start, data) {
					return
				}
			}
		}
	}
}

// exits visits the markers of possible frames of builtins in C++: a pair of words on the stack, the frame
// pointer of the caller and a return address into code, with the marker below and the function above.
func (v *Build) exits(visit func(marker int)) {
	target := v.Layout.Frame.ExitTarget
	for at, data := range v.stacks() {
		for i := 8; i+target+16 <= len(data); i += 8 {
			fp, pc := v.Order.Uint64(data[i:]), v.Order.Uint64(data[i+8:])
			marker := v.Order.Uint64(data[i-8:])
			if marker&1 != 0 || marker == 0 || marker>>8 != 0 || core.Addr(fp) <= at+core.Addr(i) ||
				core.Addr(fp) >= at+core.Addr(len(data)) {
				continue
			}
			fn, argc := v.Full(v.Order.Uint64(data[i+target:])), v.Full(v.Order.Uint64(data[i+target+8:]))
			if !v.Process.Executable(core.Addr(pc)) || !argc.IsSmi() || argc.Smi() < 0 || argc.Smi() > maxExitArgs ||
				!v.IsFunction(fn) {
				continue
			}
			// Functions with bytecodes have no such frame.
			shared, ok := v.Objects.ClosureShared(fn)
			if _, has := v.Objects.BytecodeOf(shared); ok && !has {
				visit(int(marker >> 1))
			}
		}
	}
}

// calledByEntry counts the markers of frames whose caller is an entry frame: Internal for JSEntryTrampoline,
// Stub for RunMicrotasks.
func (v *Build) calledByEntry(entry int) map[int]int {
	count := map[int]int{}
	total := 0
	v.markers(func(own, caller int, _ core.Addr) bool {
		if caller == entry {
			total++
			count[own]++
		}
		return total < maxEntries
	})
	return count
}

// markers visits the markers of frames, with their callers' markers, or -1, and their return addresses, until
// visit returns false. A frame record is a pair of words on the stack: the frame pointer of the caller, and a
// return address into V8's code. The marker is below it.
func (v *Build) markers(visit func(own, caller int, returns core.Addr) bool) {
	number := func(w uint64) int {
		if w&1 != 0 || w>>8 != 0 || w == 0 {
			return -1
		}
		return int(w >> 1)
	}
	for at, data := range v.stacks() {
		for i := 8; i+16 <= len(data); i += 8 {
			fp := core.Addr(v.Order.Uint64(data[i:]))
			if fp <= at+core.Addr(i) || fp >= at+core.Addr(len(data)) || fp&7 != 0 {
				continue
			}
			own := number(v.Order.Uint64(data[i-8:]))
			returns := core.Addr(v.Order.Uint64(data[i+8:]))
			if own < 0 || !v.Process.Executable(returns) {
				continue
			}
			if !visit(own, number(v.Order.Uint64(data[fp-at-8:])), returns) {
				return
			}
		}
	}
}
