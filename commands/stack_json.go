package commands

import (
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/stack"
)

// A jsonObject appends an object's members one by one. The stacks of a core
// can have hundreds of thousands of frames: reflection would cost more than
// the walk.
type jsonObject struct {
	b    []byte
	some bool
}

func (o *jsonObject) key(k string) {
	if o.some {
		o.b = append(o.b, ',')
	} else {
		o.b, o.some = append(o.b, '{'), true
	}
	o.b = append(append(append(o.b, '"'), k...), '"', ':')
}

func (o *jsonObject) end() []byte { return append(o.b, '}') }

// str adds a string unless it is empty.
func (o *jsonObject) str(k, v string) {
	if v != "" {
		o.key(k)
		o.b = appendJSONString(o.b, v)
	}
}

func (o *jsonObject) int(k string, v int64) {
	o.key(k)
	o.b = strconv.AppendInt(o.b, v, 10)
}

func (o *jsonObject) addr(k string, a core.Addr) {
	o.key(k)
	o.b = append(o.b, `"0x`...)
	o.b = append(strconv.AppendUint(o.b, uint64(a), 16), '"')
}

// flag adds true, or nothing.
func (o *jsonObject) flag(k string, v bool) {
	if v {
		o.key(k)
		o.b = append(o.b, "true"...)
	}
}

func appendJSONString(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			q, _ := json.Marshal(s) // replaces what is not UTF-8
			return append(b, q...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendFrame appends a frame as an object.
func appendFrame(b []byte, f *stack.Frame) []byte {
	o := jsonObject{b: b}
	o.int("index", int64(f.Index))
	o.str("kind", string(f.Kind))
	o.str("name", f.Name)
	o.addr("pc", f.PC)
	o.addr("sp", f.SP)
	if f.FP != 0 {
		o.addr("fp", f.FP)
	}
	if f.Module != "" {
		o.str("module", f.Module)
	}
	if f.HasOffset {
		o.int("offset", int64(f.Offset))
	}
	if f.Module != "" {
		o.addr("module_offset", f.ModuleOffset)
	}
	o.str("file", f.File)
	if f.Line > 0 {
		o.int("line", int64(f.Line))
	}
	if f.Column > 0 {
		o.int("column", int64(f.Column))
	}
	o.str("trust", f.Trust.String())
	o.str("tier", f.Tier)
	o.flag("inlined", f.Inlined)
	o.flag("async", f.Async)
	o.flag("made", f.Made)
	o.flag("no_call", f.NoCall)
	o.flag("gap", f.Gap)
	if f.Function != 0 {
		o.addr("function", f.Function)
	}
	o.str("callback", f.Callback)
	o.str("note", f.Note)
	o.flag("unmapped", f.Unmapped)
	if f.Generated != nil {
		o.key("generated")
		g, _ := json.Marshal(f.Generated)
		o.b = append(o.b, g...)
	}
	if f.Detail != nil {
		f.Detail(f)
		f.Detail = nil
	}
	for _, x := range f.Extra {
		o.key(x.Key)
		o.b = append(o.b, x.Value...)
	}
	return o.end()
}

// Frames are frames in JSON, as their declaration has them.
type Frames []stack.Frame

// MarshalJSON implements json.Marshaler.
func (list Frames) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 256+320*len(list)), '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFrame(b, &list[i])
	}
	return append(b, ']'), nil
}

// MarshalJSON implements json.Marshaler.
func (f *FrameRecord) MarshalJSON() ([]byte, error) { return appendFrame(nil, f.frame()), nil }

// A ThreadJSON is a thread with its frames.
type ThreadJSON struct {
	_       out.Record `record:"thread"`
	TID     int        `json:"tid"`                 // 0 for a task that no thread runs
	Task    uint64     `json:"goroutine,omitempty"` // the id of such a goroutine
	Kind    string     `json:"task,omitempty"`      // the kind of such a task that is no goroutine: "virtual thread"
	ID      uint64     `json:"task_id,omitempty"`
	Name    string     `json:"name,omitempty"`
	Crashed bool       `json:"crashed,omitempty"`
	Signal  string     `json:"signal,omitempty"` // that hit it
	State   string     `json:"state,omitempty"`
	Frames  Frames     `json:"frames"`
	// why the walk ended: root, unreadable ADDRESS REASON, no-progress, not-executable, limit
	Stop string `json:"stop,omitempty"`
}

// JSON implements out.Formed.
func (t *ThreadRecord) JSON() any { return NewThreadJSON(t.Stack) }

// Long implements out.Long for a stack that is deep.
func (t *ThreadRecord) Long() (head any, key string, list iter.Seq[any]) {
	if !t.Deep() {
		return nil, "", nil
	}
	return ThreadHead(t.Stack), "frames", LongFrames(t.Stack)
}

// LongFrames yields the frames of a stack for an out.Long.
func LongFrames(s *stack.Stack) iter.Seq[any] {
	return func(yield func(any) bool) {
		var room []byte
		for f := range s.Every() {
			room = appendFrame(room[:0], f)
			if !yield(json.RawMessage(room)) {
				return
			}
		}
	}
}

// MarshalJSON implements json.Marshaler, for threads in other records.
func (t *ThreadRecord) MarshalJSON() ([]byte, error) { return out.Marshal(t) }

// NewThreadJSON returns a stack as programs see it.
func NewThreadJSON(s *stack.Stack) *ThreadJSON {
	t := ThreadHead(s)
	if t.Frames = s.Frames; s.Deep() {
		t.Frames = nil
		for f := range s.Every() {
			t.Frames = append(t.Frames, *f)
		}
	}
	return t
}

// ThreadHead returns a stack as programs see it, without its frames.
func ThreadHead(s *stack.Stack) *ThreadJSON {
	t := &ThreadJSON{TID: s.Thread.TID, Name: s.Name, Crashed: s.Thread.Crashed, Signal: s.Signal, State: s.State,
		Frames: Frames{}}
	if s.Thread.Task != nil {
		if t.Task = s.Thread.Task.ID; s.Thread.Task.Kind != "goroutine" {
			t.Task, t.Kind, t.ID = 0, s.Thread.Task.Kind, s.Thread.Task.ID
		}
	}
	if s.Stop != nil {
		t.Stop = stack.StopText(s.Stop)
	}
	return t
}
