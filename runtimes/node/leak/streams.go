package leak

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// crowdedStream is how many times the high-water mark of a stream waits to be written where
// a program does not heed what write() returns.
const crowdedStream = 8

// streams looks at the streams of a process.
type streams struct{ *Reader }

// crowded finds streams whose program writes faster than they take it, and does not
// wait for "drain": all of it is kept (lib/internal/streams/writable.js; length and
// highWaterMark of WritableState are bytes, or objects with objectMode).
func (s streams) crowded(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	h, err := s.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var out []graph.Evidence
	for _, g := range h.Groups() {
		if !slices.Contains(g.Props, "_writableState") && (!g.Dictionary || len(g.Props) > 0) {
			continue
		}
		for i, a := range h.Objects(&g) {
			if i&0xfff == 0 && ctx.Err() != nil {
				return out, ctx.Err()
			}
			if e, ok := s.crowdedOne(layout.Tagged(a)); ok {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

func (s streams) crowdedOne(stream layout.Tagged) (e graph.Evidence, ok bool) {
	state, ok := s.members.Word(stream, "_writableState")
	if !ok || !s.IsReceiver(state) {
		return e, false
	}
	length, ok1 := s.members.Number(state, "length")
	mark, ok2 := s.members.Number(state, "highWaterMark")
	if !ok1 || !ok2 || math.IsNaN(length) || !(mark >= 0) || length < graph.RuleObjects || length < crowdedStream*mark {
		return e, false
	}
	e = graph.Evidence{Objects: []core.Addr{state.Addr()}, More: fmt.Sprintf("%x::jsprint", uint64(stream))}
	e.Why = fmt.Sprintf("%.0f bytes or objects wait to be written to the %s at %x, whose high-water mark is %.0f%s",
		length, s.objects.Class(stream), uint64(stream), mark, s.connection(stream))
	return e, true
}

// connection says what a socket is connected to, as far as the program asked: the system
// knows more than the process.
func (s streams) connection(socket layout.Tagged) string {
	var b strings.Builder
	if peer, ok := s.members.Word(socket, "_peername"); ok && s.IsReceiver(peer) {
		if address := s.textOf(peer, "address"); address != "" {
			port, _ := s.members.Number(peer, "port")
			fmt.Fprintf(&b, ", peer %s port %.0f", address, port)
		}
	}
	for _, name := range []string{"_host", "path"} {
		if text := s.textOf(socket, name); text != "" {
			fmt.Fprintf(&b, ", %s %s", strings.TrimPrefix(name, "_"), text)
		}
	}
	if at, ok := s.loops.HandleOf(s.wrapOf(socket)); ok {
		if fd := s.loops.HandleAt(at).FD; fd >= 0 {
			fmt.Fprintf(&b, ", file descriptor %d", fd)
		}
	}
	return b.String()
}

// wrapOf returns the JavaScript object of a socket's handle, or 0. From Node 10 on
// _handle is an accessor of a property whose key is a symbol (lib/net.js).
func (s streams) wrapOf(socket layout.Tagged) layout.Tagged {
	for _, name := range []string{"_handle", "[Symbol(kHandle)]"} {
		v, err := s.objects.Member(object.Slot{Word: socket}, []string{name})
		if err == nil && !v.Raw && s.IsReceiver(v.Word) {
			return v.Word
		}
	}
	return 0
}

// textOf returns a property that is a string; "" if it is none.
func (s streams) textOf(o layout.Tagged, name string) string {
	w, ok := s.members.Word(o, name)
	if !ok || !s.objects.IsString(w) {
		return ""
	}
	return text.Clip(s.objects.Text(w), 60)
}
