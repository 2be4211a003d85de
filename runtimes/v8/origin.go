package v8

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// SecurityToken returns the text that an embedder compares to decide whether realms may access each other. It
// is in a slot of the native context, the only string there that begins as an address. Blink sets it to the
// origin of the frame or worker (bindings/core/v8/local_window_proxy.cc: SetSecurityToken), except for opaque
// origins, and appends the origin of an isolated world that has one. Other embedders set objects, or nothing.
func SecurityToken(v *V8, native layout.Tagged) (string, bool) {
	n, ok := v.Objects.ContextLength(native)
	if !ok {
		return "", false
	}
	found := ""
	for i := range n {
		w, ok := v.Objects.WordAt(native, i)
		if !ok || !w.IsHeap() || !v.Objects.IsString(w) {
			continue
		}
		if text := v.Objects.Text(w); beginsAsAddress(text) {
			if found != "" && found != text {
				return "", false
			}
			found = text
		}
	}
	return found, found != ""
}

// beginsAsAddress reports whether a text begins with the scheme of an address. A message of a policy for
// scripts, which is another slot, only has addresses in it.
func beginsAsAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && scheme != "" && !strings.ContainsFunc(scheme, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("+-.", r)
	})
}

// agentDigits are how many digits of an unguessable token Blink adds to an origin, for the cluster of
// agents that the realm is in.
const agentDigits = 32

// Origin returns the origin in a security token of Chromium, or "" if the token has no origin or two.
func Origin(token string) string {
	if strings.Count(token, "://") != 1 {
		return ""
	}
	if n := len(token) - agentDigits; n > 0 && strings.Trim(token[n:], "0123456789ABCDEF") == "" {
		token = token[:n]
	}
	return token
}

// Bounds of the search for a worker of workerd, in bytes.
const (
	maxWorkerIsolate = 1024
	maxWorkerID      = 1024
)

// ServiceName returns the name of the worker of workerd that an isolate runs: the embedder's slots
// of the isolate lead to the workerd::Worker::Isolate, known by its table of virtual functions,
// whose first kj::String is its id (src/workerd/io/worker.h). It is the service's in the
// configuration.
func ServiceName(v *V8, isolate core.Addr) (string, bool) {
	table, ok := v.Symbols.Find("", "_ZTVN7workerd6Worker7IsolateE")
	if !ok || isolate == 0 {
		return "", false
	}
	const header = 16 // of the table: the offset to the top, and the type
	for off := core.Addr(0); off < code.MaxIsolate; off += 8 {
		w, ok := v.Word(isolate + off)
		if !ok {
			break
		}
		if w == 0 || w&7 != 0 {
			continue
		}
		if p, ok := v.Word(core.Addr(w)); ok && core.Addr(p) == table.Addr+header {
			return kjString(v, core.Addr(w))
		}
	}
	return "", false
}

// kjString finds the first kj::String of an object: the address of its bytes, how many there are with
// the zero after them, and the address of a kj::ArrayDisposer (kj/string.h, kj/array.h).
func kjString(v *V8, o core.Addr) (string, bool) {
	for off := core.Addr(0); off < maxWorkerIsolate; off += 8 {
		p, ok1 := v.Word(o + off)
		n, ok2 := v.Word(o + off + 8)
		disposer, ok3 := v.Word(o + off + 16)
		if !ok1 || !ok2 || !ok3 {
			return "", false
		}
		if n < 2 || n > maxWorkerID {
			continue
		}
		y, at, ok := v.Symbols.Lookup(core.Addr(disposer))
		if !ok || at != 0 || !strings.Contains(y.Name, "ArrayDisposer") {
			continue
		}
		b := make([]byte, n)
		if v.Bytes(b, core.Addr(p)) && b[n-1] == 0 && strings.IndexByte(string(b[:n-1]), 0) < 0 {
			return string(b[:n-1]), true
		}
	}
	return "", false
}
