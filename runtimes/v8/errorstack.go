package v8

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
)

// Bits of CallSiteInfo's flags; objects/call-site-info.tq. Until V8 9.2 the
// object was StackFrameInfo with the same bits.
const (
	siteWasm        = 1 << 0
	siteConstructor = 1 << 3
	siteAsync       = 1 << 5
	// sitePosition says that the position was computed; a bit came in front
	// of it in V8 11.
	sitePosition = 1<<6 | 1<<7
)

// maxCallSites bounds the frames of one captured stack.
const maxCallSites = 1 << 12

// ErrorStack returns the property "stack" of an error: the text that was made
// when it was first asked for, or text made here from the frames that were
// captured. It is "" if the error has none.
func (r *reader) ErrorStack(o Tagged) (string, error) {
	var captured Tagged
	var text string
	header := r.errorHeader(o)
	r.properties(o, func(p property) bool {
		if r.nameIs(p.key, "stack") && r.IsString(p.value) {
			text = r.text(p.value)
			return false
		}
		if !p.value.IsHeap() || !r.isPrivateSymbol(p.key) {
			return true
		}
		switch s, ok := r.formatted(p.value); {
		case ok && (strings.Contains(s, "\n    at ") || text == "" && strings.HasPrefix(s, header) && header != ""):
			text = s
		case !ok && r.isCapturedStack(p.value):
			captured = p.value
		}
		return true
	})
	if text != "" || captured == 0 {
		return text, nil
	}
	sites, err := r.callSites(captured)
	if len(sites) == 0 {
		return "", err
	}
	var b strings.Builder
	b.WriteString(header)
	for _, s := range sites {
		b.WriteString("\n    at " + s)
	}
	return b.String(), err
}

// isPrivateSymbol reports whether a key is a symbol of V8's own. Those that
// the heap is born with, error_stack_symbol among them, have no description.
func (r *reader) isPrivateSymbol(key Tagged) bool {
	if !r.is(key, r.types.symbol) {
		return false
	}
	flags, ok := r.u32Field(key, r.layout.Symbol.Flags)
	return ok && flags&symbolPrivate != 0 && flags&symbolPrivateName == 0
}

// isCapturedStack reports whether t holds frames that were captured.
func (r *reader) isCapturedStack(t Tagged) bool {
	if r.typeNamed(t, "ERROR_STACK_DATA") || r.typeNamed(t, "STACK_TRACE_INFO") {
		return true
	}
	if !r.typeNamed(t, "FIXED_ARRAY") {
		return false
	}
	first, ok := r.wordAt(t, 0)
	return ok && (r.isCallSite(first) || r.isFlatStack(t))
}

// isFlatStack reports whether the array t holds frames as V8 14 keeps them.
func (r *reader) isFlatStack(t Tagged) bool {
	n, ok := r.fixedLength(t)
	if !ok || n < flatSite || n%flatSite != 0 {
		return false
	}
	fn, _ := r.wordAt(t, 2)
	at, _ := r.wordAt(t, 3)
	bits, _ := r.wordAt(t, 5)
	return at.IsSmi() && bits.IsSmi() && (r.isFunction(fn) || r.isSharedFunctionInfo(fn))
}

// formatted returns the text of a stack that was formatted already: the value
// itself, or the first word of an ErrorStackData (objects/js-objects.tq).
func (r *reader) formatted(t Tagged) (string, bool) {
	if r.typeNamed(t, "ERROR_STACK_DATA") {
		t, _ = r.field(t, 8)
	}
	if !r.IsString(t) {
		return "", false
	}
	s, _ := r.String(t, 1<<16)
	return s, true
}

// errorHeader is ErrorUtils::ToString: name and message.
func (r *reader) errorHeader(o Tagged) string {
	name, message := r.errorText(o, "name"), r.errorText(o, "message")
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
func (r *reader) callSites(t Tagged) ([]string, error) {
	for range 4 {
		if r.typeNamed(t, "FIXED_ARRAY") {
			break
		}
		// ErrorStackData, StackTraceInfo: the array is among their first words.
		next := Tagged(0)
		for off := 8; off <= 32 && next == 0; off += 8 {
			if w, ok := r.field(t, off); ok && w.IsHeap() && (r.typeNamed(w, "FIXED_ARRAY") || r.typeNamed(w, "ERROR_STACK_DATA") || r.typeNamed(w, "STACK_TRACE_INFO")) {
				next = w
			}
		}
		if next == 0 {
			return nil, nil
		}
		t = next
	}
	n, ok := r.fixedLength(t)
	if !ok {
		return nil, fmt.Errorf("corrupt: captured stack %v has no length", core.Addr(t))
	}
	if r.isFlatStack(t) {
		return r.flatSites(t, n), nil
	}
	var out []string
	for i := range min(n, maxCallSites) {
		site, ok := r.wordAt(t, i)
		if !ok || !r.isCallSite(site) {
			break
		}
		out = append(out, r.callSite(site))
	}
	return out, nil
}

func (r *reader) isCallSite(t Tagged) bool {
	return r.typeNamed(t, "CALL_SITE_INFO") || r.typeNamed(t, "STACK_FRAME_INFO")
}

// flatSite is the number of words that a frame takes where V8 14 keeps them
// in one array: the code in a wrapper, the receiver, the function, the
// position, the arguments, the flags.
const flatSite = 6

func (r *reader) flatSites(t Tagged, n int) []string {
	var out []string
	for i := 0; i+flatSite <= n && len(out) < maxCallSites; i += flatSite {
		var w [flatSite]Tagged
		for k := range w {
			w[k], _ = r.wordAt(t, i+k)
		}
		code, _ := r.field(w[0], 8)
		out = append(out, r.site(code, w[1], w[2], w[3], w[5]))
	}
	return out
}

// callSite formats one captured frame as Error.stack prints it. Its words are
// the receiver, the function, the position, the flags and the arguments; the
// code stands behind the function, or since V8 12 in front of all.
func (r *reader) callSite(o Tagged) string {
	var words []Tagged
	var code Tagged
	for off := 8; off <= 48; off += 8 {
		w, ok := r.field(o, off)
		if !ok {
			break
		}
		if typ, ok := r.instanceType(w); code == 0 && ok && (typ == r.types.bytecodeArray || typ == r.types.code ||
			r.typeNamed(w, "CODE_DATA_CONTAINER")) {
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
func (r *reader) site(code, receiver, fn, at, bits Tagged) string {
	if !at.IsSmi() || !bits.IsSmi() {
		return "<unknown>"
	}
	flags, position := int(bits.Smi()), int(at.Smi())
	if flags&siteWasm != 0 {
		return "wasm"
	}
	c := call{receiver: receiver, hasReceiver: true, construct: flags&siteConstructor != 0}
	if r.isFunction(fn) {
		c.closure = fn
		c.shared, _ = r.closureShared(fn)
	} else if r.isSharedFunctionInfo(fn) {
		c.shared = fn
	} else {
		return "<unknown>"
	}
	if r.is(code, r.types.bytecodeArray) && flags&sitePosition == 0 {
		if p, ok := r.bytecodePosition(code, position); ok {
			position = p
		}
	}
	return r.siteText(c, position, flags)
}

func (r *reader) siteText(c call, position, flags int) string {
	name := r.callName(c)
	if flags&siteAsync != 0 {
		name = "async " + name
	}
	f, _ := r.function(c.shared)
	place := "<anonymous>"
	if loc := r.locate(f.script, position); loc.file != "" {
		place = loc.file
		if loc.line > 0 {
			place = fmt.Sprintf("%s:%d:%d", loc.file, loc.line, loc.column)
		}
	}
	if name == "" {
		return place
	}
	return name + " (" + place + ")"
}

// ErrorsOnStack returns the errors that words of a thread's stack refer to,
// the nearest to its top first.
func (r *reader) ErrorsOnStack(ctx context.Context, t *core.Thread) []Tagged {
	var out []Tagged
	seen := map[Tagged]bool{}
	r.eachStackWord(ctx, t, func(w Tagged) {
		if !seen[w] && r.typeNamed(w, "JS_ERROR") {
			out = append(out, w)
		}
		seen[w] = true
	})
	return out
}
