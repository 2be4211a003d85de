package callsite

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// wasmSite is the bit of CallSiteInfo's flags of a frame of WebAssembly, in all versions
// (objects/call-site-info.tq: IsWasm).
const wasmSite = 1 << 0

// maxCallSites bounds the frames of one captured stack, maxStackText the text of one.
const (
	maxCallSites = 1 << 12
	maxStackText = 1 << 18
)

// ErrorStack returns the property "stack" of an error: the text that was made
// when it was first asked for, or text made here from the captured frames.
// It is "" if the error does not have the property.
func (r *Reader) ErrorStack(o layout.Tagged) (string, error) {
	value, captured := r.stackProperty(o)
	if r.IsString(value) {
		text, _ := r.Characters(value, maxStackText)
		return text, nil
	}
	if captured == 0 {
		return "", nil
	}
	sites, err := r.callSites(captured)
	if len(sites) == 0 {
		return "", err
	}
	var b strings.Builder
	b.WriteString(r.errorHeader(o))
	for _, s := range sites {
		b.WriteString("\n    at " + s)
	}
	return b.String(), err
}

// StackValue returns the value of the property "stack" of an error where that is known and not made
// of captured frames: 0 else.
func (r *Reader) StackValue(o layout.Tagged) layout.Tagged {
	value, _ := r.stackProperty(o)
	return value
}

// stackProperty returns the value of an error's property "stack", or the captured frames if the value is not
// made yet. The value is own data if a program defined it. Otherwise V8's own accessors read and write the
// value of error_stack_symbol, which is the first private symbol that the error, or one of its prototypes, got.
func (r *Reader) stackProperty(o layout.Tagged) (value, captured layout.Tagged) {
	p, ok := r.Lookup(o, "stack")
	if !ok {
		return 0, 0
	}
	if !r.TypeNamed(p.Value, "ACCESSOR_INFO") && !r.Is(p.Value, r.Types.AccessorPair) {
		return p.Value, 0
	}
	r.Prototypes(o, func(o layout.Tagged) bool {
		symbol := r.FirstPrivate(o)
		if symbol == 0 {
			return true
		}
		if value = r.formatted(symbol); value == 0 && r.isCapturedStack(symbol) {
			captured = symbol
		}
		return false
	})
	return value, captured
}

// isCapturedStack reports whether t holds frames that were captured.
func (r *Reader) isCapturedStack(t layout.Tagged) bool {
	if r.TypeNamed(t, "ERROR_STACK_DATA") || r.TypeNamed(t, "STACK_TRACE_INFO") {
		return true
	}
	if !r.TypeNamed(t, "FIXED_ARRAY") {
		_, ok := r.frameArray(t)
		return ok
	}
	first, ok := r.WordAt(t, 0)
	return ok && (r.isCallSite(first) || r.flatSize(t) > 0 || r.frameOfArray(first) != nil)
}

// formatted returns the value of a stack that was formatted already, or set: the value
// itself, or the first word of an ErrorStackData (objects/js-objects.tq). It is 0 if
// that is still to be made.
func (r *Reader) formatted(t layout.Tagged) layout.Tagged {
	if r.TypeNamed(t, "ERROR_STACK_DATA") {
		if t, _ = r.Field(t, r.Slots(1)); !r.IsString(t) {
			return 0
		}
	}
	if r.isCapturedStack(t) {
		return 0
	}
	return t
}

// errorHeader is ErrorUtils::ToString: name and message.
func (r *Reader) errorHeader(o layout.Tagged) string {
	name, kind := r.ErrorProperty(o, "name")
	if kind == object.KindUndefined {
		name = "Error"
	}
	message := r.ErrorText(o, "message")
	switch {
	case name == "":
		return message
	case message == "":
		return name
	}
	return name + ": " + message
}

// callSites formats the captured frames in t: a FixedArray of CallSiteInfo,
// or an object that holds one.
func (r *Reader) callSites(t layout.Tagged) ([]string, error) {
	if array, ok := r.frameArray(t); ok {
		var out []string
		for w := r.storedFrame(array, 0); w != nil; w = r.storedFrame(array, len(out)) {
			out = append(out, r.storedSite(w))
		}
		return out, nil
	}
	t, ok := r.capturedArray(t)
	if !ok {
		return nil, nil
	}
	n, ok := r.FixedLength(t)
	if !ok {
		return nil, fmt.Errorf("corrupt: captured stack %v has no length", core.Addr(t))
	}
	if size := r.flatSize(t); size > 0 {
		return r.flatSites(t, n, size), nil
	}
	var out []string
	for i := range min(n, maxCallSites) {
		site, ok := r.WordAt(t, i)
		if w := r.frameOfArray(site); ok && w != nil {
			out = append(out, r.storedSite(w))
			continue
		}
		if !ok || !r.isCallSite(site) {
			break
		}
		out = append(out, r.callSite(site))
	}
	return out, nil
}

func (r *Reader) isCallSite(t layout.Tagged) bool {
	return r.TypeNamed(t, "CALL_SITE_INFO") || r.TypeNamed(t, "STACK_FRAME_INFO")
}

// flatSites formats the frames of an array of n words, with size words for each frame.
func (r *Reader) flatSites(t layout.Tagged, n, size int) []string {
	var out []string
	for i := 0; i+size <= n && len(out) < maxCallSites; i += size {
		var w [4]layout.Tagged
		for k := range w {
			w[k], _ = r.WordAt(t, i+k)
		}
		flags, _ := r.WordAt(t, i+size-1)
		code, _ := r.TrustedField(w[0], r.Slots(1))
		out = append(out, r.site(code, w[1], w[2], w[3], flags))
	}
	return out
}

// callSite formats one captured frame as Error.stack prints it. Its words are
// the receiver, the function, the position, the flags and the arguments; the
// code comes after the function, or since V8 12 before all.
func (r *Reader) callSite(o layout.Tagged) string {
	var words []layout.Tagged
	var code layout.Tagged
	for i := 1; i <= 6; i++ {
		if r.Sandbox != nil && i == 1 {
			code, _ = r.TrustedField(o, r.Slots(i)) // V8's own is not found by its handle
			continue
		}
		w, ok := r.Field(o, r.Slots(i))
		if !ok {
			break
		}
		if typ, ok := r.InstanceType(w); code == 0 && ok && (typ == r.Types.BytecodeArray || typ == r.Types.Code ||
			r.TypeNamed(w, "CODE_DATA_CONTAINER")) {
			code = w
			continue
		}
		words = append(words, w)
	}
	if len(words) < 4 {
		return "<unknown>"
	}
	return r.site(code, words[0], words[1], words[2], words[3])
}

// site formats a frame. The position is one in the bytecode until it is asked
// for.
func (r *Reader) site(code, receiver, fn, at, bits layout.Tagged) string {
	if !at.IsSmi() || !bits.IsSmi() {
		return "<unknown>"
	}
	flags, position := int(bits.Smi()), int(at.Smi())
	is := &r.Layout.CallSiteInfo
	if flags&wasmSite != 0 {
		return "wasm"
	}
	c := Call{Receiver: receiver, HasReceiver: true, Construct: flags&is.ConstructorMask != 0}
	if r.IsFunction(fn) {
		c.Closure = fn
		c.Shared, _ = r.ClosureShared(fn)
	} else if r.IsSharedFunctionInfo(fn) {
		c.Shared = fn
	} else {
		return "<unknown>"
	}
	if flags&is.PositionMask == 0 {
		position = r.sitePosition(code, c.Shared, position)
	}
	return r.siteText(c, position, flags&is.AsyncMask != 0)
}

// sitePosition returns the position in the script of one in the code of a frame: -1 if it
// is one in optimised code, or the code was not found. Since V8 14 baseline code is kept as it
// ran.
func (r *Reader) sitePosition(code, shared layout.Tagged, at int) int {
	array := code
	if c := r.CodeObject(code); c != nil && c.Kind != r.Layout.Code.KindBuiltin {
		var ok bool
		if array, ok = r.BytecodeOf(shared); !ok || c.Kind != r.Layout.Code.KindBaseline {
			return -1
		}
		// It is where the call returns to: with a call that ends the code of a bytecode that is
		// of the next one.
		if at, ok = r.BaselinePosition(c, array, at-1); !ok {
			return -1
		}
	}
	if r.Is(array, r.Types.BytecodeArray) {
		if p, ok := r.PositionIn(shared, array, at); ok {
			return p
		}
	}
	return -1
}

func (r *Reader) siteText(c Call, position int, async bool) string {
	name, prefix := r.CallName(c), ""
	if async {
		prefix = "async "
	}
	f, _ := r.SharedInfo(c.Shared)
	place := "<anonymous>"
	if loc := r.Locate(f.Script, position); loc.File != "" {
		place = loc.File
		if loc.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", loc.File, loc.Line, loc.Column)
		}
	}
	if name == "" {
		return prefix + place
	}
	return prefix + name + " (" + place + ")"
}
