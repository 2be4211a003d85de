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
func (v *V8) ErrorStack(o Tagged) (string, error) {
	var captured Tagged
	var text string
	header := v.errorHeader(o)
	v.properties(o, func(p property) bool {
		if v.nameIs(p.key, "stack") && v.IsString(p.value) {
			text = v.text(p.value)
			return false
		}
		if !p.value.IsHeap() || !v.isPrivateSymbol(p.key) {
			return true
		}
		switch s, ok := v.formatted(p.value); {
		case ok && (strings.Contains(s, "\n    at ") || text == "" && strings.HasPrefix(s, header) && header != ""):
			text = s
		case !ok && v.isCapturedStack(p.value):
			captured = p.value
		}
		return true
	})
	if text != "" || captured == 0 {
		return text, nil
	}
	sites, err := v.callSites(captured)
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
func (v *V8) isPrivateSymbol(key Tagged) bool {
	if !v.is(key, v.types.symbol) {
		return false
	}
	flags, ok := v.u32Field(key, v.layout.Symbol.Flags)
	return ok && flags&symbolPrivate != 0 && flags&symbolPrivateName == 0
}

// isCapturedStack reports whether t holds frames that were captured.
func (v *V8) isCapturedStack(t Tagged) bool {
	if v.typeNamed(t, "ERROR_STACK_DATA") || v.typeNamed(t, "STACK_TRACE_INFO") {
		return true
	}
	if !v.typeNamed(t, "FIXED_ARRAY") {
		return false
	}
	first, ok := v.wordAt(t, 0)
	return ok && (v.isCallSite(first) || v.isFlatStack(t))
}

// isFlatStack reports whether the array t holds frames as V8 14 keeps them.
func (v *V8) isFlatStack(t Tagged) bool {
	n, ok := v.fixedLength(t)
	if !ok || n < flatSite || n%flatSite != 0 {
		return false
	}
	fn, _ := v.wordAt(t, 2)
	at, _ := v.wordAt(t, 3)
	bits, _ := v.wordAt(t, 5)
	return at.IsSmi() && bits.IsSmi() && (v.isFunction(fn) || v.isSharedFunctionInfo(fn))
}

// formatted returns the text of a stack that was formatted already: the value
// itself, or the first word of an ErrorStackData (objects/js-objects.tq).
func (v *V8) formatted(t Tagged) (string, bool) {
	if v.typeNamed(t, "ERROR_STACK_DATA") {
		t, _ = v.field(t, 8)
	}
	if !v.IsString(t) {
		return "", false
	}
	s, _ := v.String(t, 1<<16)
	return s, true
}

// errorHeader is ErrorUtils::ToString: name and message.
func (v *V8) errorHeader(o Tagged) string {
	name, message := v.errorText(o, "name"), v.errorText(o, "message")
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
func (v *V8) callSites(t Tagged) ([]string, error) {
	for range 4 {
		if v.typeNamed(t, "FIXED_ARRAY") {
			break
		}
		// ErrorStackData, StackTraceInfo: the array is among their first words.
		next := Tagged(0)
		for off := 8; off <= 32 && next == 0; off += 8 {
			if w, ok := v.field(t, off); ok && w.IsHeap() && (v.typeNamed(w, "FIXED_ARRAY") || v.typeNamed(w, "ERROR_STACK_DATA") || v.typeNamed(w, "STACK_TRACE_INFO")) {
				next = w
			}
		}
		if next == 0 {
			return nil, nil
		}
		t = next
	}
	n, ok := v.fixedLength(t)
	if !ok {
		return nil, fmt.Errorf("corrupt: captured stack %v has no length", core.Addr(t))
	}
	if v.isFlatStack(t) {
		return v.flatSites(t, n), nil
	}
	var out []string
	for i := range min(n, maxCallSites) {
		site, ok := v.wordAt(t, i)
		if !ok || !v.isCallSite(site) {
			break
		}
		out = append(out, v.callSite(site))
	}
	return out, nil
}

func (v *V8) isCallSite(t Tagged) bool {
	return v.typeNamed(t, "CALL_SITE_INFO") || v.typeNamed(t, "STACK_FRAME_INFO")
}

// flatSite is the number of words that a frame takes where V8 14 keeps them
// in one array: the code in a wrapper, the receiver, the function, the
// position, the arguments, the flags.
const flatSite = 6

func (v *V8) flatSites(t Tagged, n int) []string {
	var out []string
	for i := 0; i+flatSite <= n && len(out) < maxCallSites; i += flatSite {
		var w [flatSite]Tagged
		for k := range w {
			w[k], _ = v.wordAt(t, i+k)
		}
		code, _ := v.field(w[0], 8)
		out = append(out, v.site(code, w[1], w[2], w[3], w[5]))
	}
	return out
}

// callSite formats one captured frame as Error.stack prints it. Its words are
// the receiver, the function, the position, the flags and the arguments; the
// code stands behind the function, or since V8 12 in front of all.
func (v *V8) callSite(o Tagged) string {
	var words []Tagged
	var code Tagged
	for off := 8; off <= 48; off += 8 {
		w, ok := v.field(o, off)
		if !ok {
			break
		}
		if typ, ok := v.instanceType(w); code == 0 && ok && (typ == v.types.bytecodeArray || typ == v.types.code ||
			v.typeNamed(w, "CODE_DATA_CONTAINER")) {
			code = w
			continue
		}
		words = append(words, w)
	}
	if len(words) < 4 {
		return "<unknown>"
	}
	return v.site(code, words[0], words[1], words[2], words[3])
}

// site formats a frame. The position is one in the bytecode until it is asked
// for.
func (v *V8) site(code, receiver, fn, at, bits Tagged) string {
	if !at.IsSmi() || !bits.IsSmi() {
		return "<unknown>"
	}
	flags, position := int(bits.Smi()), int(at.Smi())
	if flags&siteWasm != 0 {
		return "wasm"
	}
	c := call{receiver: receiver, hasReceiver: true, construct: flags&siteConstructor != 0}
	if v.isFunction(fn) {
		c.closure = fn
		c.shared, _ = v.closureShared(fn)
	} else if v.isSharedFunctionInfo(fn) {
		c.shared = fn
	} else {
		return "<unknown>"
	}
	if v.is(code, v.types.bytecodeArray) && flags&sitePosition == 0 {
		if p, ok := v.bytecodePosition(code, position); ok {
			position = p
		}
	}
	return v.siteText(c, position, flags)
}

func (v *V8) siteText(c call, position, flags int) string {
	name := v.callName(c)
	if flags&siteAsync != 0 {
		name = "async " + name
	}
	f, _ := v.function(c.shared)
	place := "<anonymous>"
	if loc := v.locate(f.script, position); loc.file != "" {
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
func (v *V8) ErrorsOnStack(ctx context.Context, t *core.Thread) []Tagged {
	var out []Tagged
	seen := map[Tagged]bool{}
	v.eachStackWord(ctx, t, func(w Tagged) {
		if !seen[w] && v.typeNamed(w, "JS_ERROR") {
			out = append(out, w)
		}
		seen[w] = true
	})
	return out
}
