package callsite

import "coredbg/runtimes/v8/layout"

// frameArrayWords is the number of words that a FrameArray has for each frame, after the number of frames: the
// receiver, the function, the code, the position, the flags, the arguments. V8 before 9.0 keeps the frames of
// an error this way. From 7.5 on an error has an array of StackTraceFrames, and each has the FrameArray and its
// own index; before, the FrameArray is the elements of a JavaScript array (objects/frame-array.h,
// objects/stack-frame-info.tq @ 8.7).
const frameArrayWords = 6

// A storedFrame is a frame in a FrameArray.
type storedFrame [frameArrayWords]layout.Tagged

// frameOfArray returns the frame that a StackTraceFrame is; nil if it is none, or its array is
// gone. Not every version names the type.
func (r *Reader) frameOfArray(o layout.Tagged) *storedFrame {
	if typ, ok := r.InstanceType(o); !ok || typ >= r.Types.FirstReceiver {
		return nil
	}
	array, ok := r.Field(o, r.Slots(1))
	index, ok1 := r.SmiField(o, r.Slots(2))
	if !ok || !ok1 {
		return nil
	}
	return r.storedFrame(array, int(index))
}

// frameArray returns the FrameArray that is the elements of an array of JavaScript.
func (r *Reader) frameArray(o layout.Tagged) (layout.Tagged, bool) {
	if !r.TypeNamed(o, "JS_ARRAY") {
		return 0, false
	}
	array, ok := r.Field(o, r.Layout.JSObject.Elements)
	return array, ok && r.storedFrame(array, 0) != nil
}

// storedFrame returns a frame of a FrameArray by its index, nil if there is none.
func (r *Reader) storedFrame(array layout.Tagged, index int) *storedFrame {
	if !r.TypeNamed(array, "FIXED_ARRAY") || index < 0 || index >= maxCallSites {
		return nil
	}
	count, ok := r.WordAt(array, 0)
	length, ok1 := r.FixedLength(array)
	at := 1 + frameArrayWords*index
	if !ok || !ok1 || !count.IsSmi() || index >= int(count.Smi()) || at+frameArrayWords > length {
		return nil
	}
	var w storedFrame
	for k := range w {
		if w[k], ok = r.WordAt(array, at+k); !ok {
			return nil
		}
	}
	if !w[3].IsSmi() || !w[4].IsSmi() || !w[1].IsSmi() && !r.IsFunction(w[1]) {
		return nil
	}
	return &w
}

// storedSite formats such a frame.
func (r *Reader) storedSite(w *storedFrame) string { return r.site(w[2], w[0], w[1], w[3], w[4]) }
