package commands

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/walk"
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

// AppendJSON appends the frame as an object.
func (f *FrameRecord) AppendJSON(b []byte) []byte {
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
		o.addr("module_offset", core.Addr(f.ModuleOffset))
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
	o.flag("no_call", f.NoCall)
	if f.Function != 0 {
		o.addr("function", f.Function)
	}
	o.str("callback", f.Callback)
	o.str("note", f.Note)
	for _, x := range f.Extra {
		o.key(x.Key)
		o.b = append(o.b, x.Value...)
	}
	return o.end()
}

// MarshalJSON gives the frame's object a type, for frames that stand alone.
func (f *FrameRecord) MarshalJSON() ([]byte, error) {
	return append([]byte(`{"type":"frame",`), f.AppendJSON(nil)[1:]...), nil
}

// MarshalJSON gives the thread's object with its frames.
func (t *ThreadRecord) MarshalJSON() ([]byte, error) {
	o := jsonObject{b: make([]byte, 0, 256+320*len(t.Frames))}
	o.str("type", "thread")
	o.int("tid", int64(t.Thread.TID))
	o.str("name", t.Name)
	o.flag("crashed", t.Thread.Crashed)
	o.str("signal", t.Signal)
	o.str("state", t.State)
	o.key("frames")
	o.b = appendFrames(o.b, t.Frames)
	if t.Stop != nil {
		o.str("stop", StopText(t.Stop))
	}
	return o.end(), nil
}

func appendFrames(b []byte, frames []FrameRecord) []byte {
	b = append(b, '[')
	for i := range frames {
		if i > 0 {
			b = append(b, ',')
		}
		b = frames[i].AppendJSON(b)
	}
	return append(b, ']')
}

// StopText gives the reason why a walk ended in the words of the JSON form:
// "root", "no-progress", "not-executable", "limit", and for memory that could
// not be read "unreadable 0x7f… not dumped".
func StopText(e *walk.StopError) string {
	if e.Kind != walk.StopUnreadable {
		return string(e.Kind)
	}
	s := string(e.Kind) + " " + e.At.String()
	if f := core.Fault(e.Err); f != nil {
		s += " " + f.Gap.String()
	}
	return s
}
