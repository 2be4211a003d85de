package callsite

import "coredbg/runtimes/v8/layout"

// CapturedAsWords reports whether the frames captured for an error are words of one array, rather than an
// object each. This is known only if the error's stack has not been read since.
func (r *Reader) CapturedAsWords(o layout.Tagged) (words, known bool) {
	_, captured := r.stackProperty(o)
	array, ok := r.capturedArray(captured)
	if captured == 0 || !ok {
		return false, false
	}
	if first, ok := r.WordAt(array, 0); ok && r.isCallSite(first) {
		return false, true
	}
	words = r.flatSize(array) > 0
	return words, words
}

// flatSize returns how many words of the array t each frame takes, if it holds frames as
// V8 keeps them since 14: the code in a wrapper, the receiver, the function, the position,
// until 15 the arguments, the flags. It returns 0 if that is not so.
func (r *Reader) flatSize(t layout.Tagged) int {
	n, ok := r.FixedLength(t)
	if !ok || n == 0 {
		return 0
	}
	for size := 6; size >= 5; size-- {
		if n%size == 0 && r.isFlat(t, min(n, maxCallSites), size) {
			return size
		}
	}
	return 0
}

func (r *Reader) isFlat(t layout.Tagged, n, size int) bool {
	for i := 0; i < n; i += size {
		fn, _ := r.WordAt(t, i+2)
		at, ok1 := r.WordAt(t, i+3)
		bits, ok2 := r.WordAt(t, i+size-1)
		if !ok1 || !ok2 || !at.IsSmi() || !bits.IsSmi() || !r.IsFunction(fn) && !r.IsSharedFunctionInfo(fn) {
			return false
		}
	}
	return true
}

// capturedArray returns the array of frames that t is or holds, an ErrorStackData or StackTraceInfo, among
// its first words.
func (r *Reader) capturedArray(t layout.Tagged) (layout.Tagged, bool) {
	for range 4 {
		if r.TypeNamed(t, "FIXED_ARRAY") {
			break
		}
		next := layout.Tagged(0)
		for i := 1; i <= 4 && next == 0; i++ {
			if w, ok := r.Field(t, r.Slots(i)); ok && w.IsHeap() && (r.TypeNamed(w, "FIXED_ARRAY") ||
				r.TypeNamed(w, "ERROR_STACK_DATA") || r.TypeNamed(w, "STACK_TRACE_INFO")) {
				next = w
			}
		}
		if next == 0 {
			return 0, false
		}
		t = next
	}
	return t, true
}
