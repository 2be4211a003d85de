package inspect

import (
	"errors"
	"fmt"
	"math"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// AppendJSON appends the value as JSON. Values that JSON can express are plain. Any other value is an object
// with the key "$", which names its kind:
//
//	undefined, hole               {"$":"undefined"} {"$":"hole"}
//	BigInt                        "123n"
//	a very long one               {"$":"bigint","bits":N}, "negative" true if it is
//	NaN, Infinity, -Infinity, -0  {"$":"number","value":"NaN"}
//	a long string                 {"$":"string","length":N,"value":"prefix"}
//	symbol                        {"$":"symbol","description":"d"}
//	function                      {"$":"function","name":"f","addr":"0x…"}
//	Map, WeakMap                  {"$":"Map","entries":[[k,v],…]}
//	Set, WeakSet                  {"$":"Set","values":[…]}
//	Date                          {"$":"Date","iso":"…"}
//	RegExp                        {"$":"RegExp","source":"…","flags":"…"}
//	typed array, Buffer           {"$":"Uint8Array","values":[…]}
//	one that no longer fits its
//	buffer, a DataView too        {"$":"Uint8Array","outOfBounds":true,"values":[]}
//	ArrayBuffer                   {"$":"ArrayBuffer","byteLength":N,"values":[…]}
//	one whose bytes went elsewhere {"$":"ArrayBuffer","byteLength":0,"detached":true,"values":[]}
//	Error                         {"$":"TypeError","message":"…","cause":V,"stack":"…"}
//	Promise                       {"$":"Promise","state":"fulfilled","value":V}
//	Proxy                         {"$":"Proxy","target":V,"handler":V}
//	generator                     {"$":"Generator","function":"g","line":12,"state":"suspended"}
//	accessor                      {"$":"accessor"}
//	an object printed further out,
//	or deeper than asked for      {"$":"ref","addr":"0x…"}
//	cut short                     {"$":"more","count":N} as last element
//	what cannot be decoded        {"$":"unreadable","addr":"0x…","reason":"not dumped"}
//
// "$intercepted" is true where functions of the embedder answer for properties
// that the object itself does not have. Symbols as keys are "[Symbol(d)]", private members "#x"; "$class" is the
// class of an object that is not a plain Object.
func (x *Value) AppendJSON(b []byte) []byte {
	j := &jsonWriter{b: b}
	j.value(x)
	return j.b
}

// MarshalJSON implements json.Marshaler.
func (x *Value) MarshalJSON() ([]byte, error) { return x.AppendJSON(nil), nil }

func (j *jsonWriter) bigInt(x *Value) {
	var long *object.LongBigIntError
	if !errors.As(x.Err, &long) {
		j.str(x.Text + "n")
		return
	}
	j.kind("bigint")
	j.int("bits", uint64(long.Bits))
	if long.Negative {
		j.key("negative")
		j.raw("true")
	}
	j.raw("}")
}

func (j *jsonWriter) value(x *Value) {
	switch x.Kind {
	case object.KindNull, object.KindBoolean:
		if x.Kind == object.KindNull {
			j.raw("null")
			return
		}
		j.raw(x.Text)
	case object.KindUndefined, object.KindHole:
		j.kind(string(x.Kind))
		j.raw("}")
	case object.KindNumber:
		j.number(x.Number)
	case object.KindBigInt:
		j.bigInt(x)
	case object.KindString:
		j.string(x)
	case object.KindSymbol:
		j.kind("symbol")
		j.text("description", x.Text)
		j.raw("}")
	case object.KindRef:
		j.kind("ref")
		j.addr(x.Word)
		j.raw("}")
	case object.KindCut:
		j.raw(`{"$":"more","count":1}`)
	case object.KindInternal:
		j.kind("internal")
		j.text("instance_type", x.Text)
		j.addr(x.Word)
		j.raw("}")
	case object.KindCorrupt:
		j.kind("unreadable")
		j.addr(x.Word)
		j.text("reason", x.Reason())
		j.raw("}")
	case object.KindFunction:
		j.kind("function")
		j.text("name", x.Text)
		j.addr(x.Word)
		j.raw("}")
	default:
		j.object(x)
	}
}

func (j *jsonWriter) number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		j.kind("number")
		j.text("value", layout.FormatNumber(f))
		j.raw("}")
		return
	}
	j.raw(layout.FormatNumber(f))
}

func (j *jsonWriter) string(x *Value) {
	if uint64(jsLength(x.Text)) >= x.Length {
		j.str(x.Text)
		return
	}
	j.kind("string")
	j.int("length", x.Length)
	j.text("value", x.Text)
	if x.Err != nil {
		j.text("reason", x.Reason())
	}
	j.raw("}")
}

// object writes an object; one that was not opened is a reference, unless it
// is one that shows all it is without its parts.
func (j *jsonWriter) object(x *Value) {
	switch x.Kind {
	case object.KindDate:
		j.kind("Date")
		j.text("iso", isoDate(x.Number))
	case object.KindRegExp:
		j.kind("RegExp")
		j.text("source", x.Text)
		j.text("flags", x.Flags)
	case object.KindError:
		j.error(x)
	case object.KindBoxed:
		j.kind(boxedName(x.Inner))
		if x.Inner != nil {
			j.key("value")
			j.value(x.Inner)
		}
	case object.KindGenerator:
		j.generator(x)
	case object.KindProxy:
		j.kind("Proxy")
		j.part("target", x.Inner)
		j.part("handler", x.Handler)
	default:
		if x.Opened {
			j.opened(x)
			return
		}
		j.kind("ref")
		j.addr(x.Word)
		if x.Class != "" {
			j.text("class", x.Class)
		}
	}
	j.reason(x)
	j.raw("}")
}

func (j *jsonWriter) part(k string, x *Value) {
	if x != nil {
		j.key(k)
		j.value(x)
	}
}

// reason says why a part of the object is missing.
func (j *jsonWriter) reason(x *Value) {
	if x.Err != nil {
		j.text("$reason", x.Reason())
	}
}

func boxedName(x *Value) string {
	switch x.kind() {
	case object.KindNumber:
		return "Number"
	case object.KindString:
		return "String"
	case object.KindBoolean:
		return "Boolean"
	case object.KindBigInt:
		return "BigInt"
	}
	return "Symbol"
}

func (j *jsonWriter) error(x *Value) {
	class := x.Class
	if class == "" {
		class = "Error"
	}
	j.kind(class)
	j.text("message", x.Message)
	for i := range x.Properties {
		if m := &x.Properties[i]; m.Name == "cause" && !m.Symbol {
			j.part("cause", m.Value)
		}
	}
	if x.Text != "" {
		j.text("stack", x.Text)
	}
	for i := range x.Properties {
		switch m := &x.Properties[i]; m.Name {
		case "cause", "message", "stack":
		default:
			j.member(m)
		}
	}
}

func (j *jsonWriter) generator(x *Value) {
	j.kind("Generator")
	j.text("function", x.Function)
	if x.Line > 0 {
		j.int("line", uint64(x.Line))
	}
	if x.File != "" {
		j.text("file", x.File)
	}
	if x.State != "" {
		j.text("state", x.State)
	}
}

func (j *jsonWriter) opened(x *Value) {
	switch x.Kind {
	case object.KindArray:
		j.array(x)
		return
	case object.KindMap, object.KindWeakMap, object.KindSet, object.KindWeakSet, object.KindMapIterator,
		object.KindSetIterator:
		j.collection(x)
	case object.KindTypedArray:
		j.kind(x.ElementType)
		j.set("outOfBounds", x.OutOfBounds)
		j.key("values")
		j.list(x)
		if x.Class != x.ElementType && x.Class != "" {
			j.text("$class", x.Class)
		}
	case object.KindArrayBuffer, object.KindSharedBuffer:
		j.kind(map[object.Kind]string{object.KindArrayBuffer: "ArrayBuffer",
			object.KindSharedBuffer: "SharedArrayBuffer"}[x.Kind])
		j.int("byteLength", x.Length)
		j.set("detached", x.Detached)
		j.key("values")
		j.bytes(x)
	case object.KindDataView:
		j.kind("DataView")
		j.set("outOfBounds", x.OutOfBounds)
		j.int("byteLength", x.Length)
		j.int("byteOffset", x.ByteOffset)
		if x.Inner != nil {
			j.text("buffer", fmt.Sprintf("%#x", uint64(x.Inner.Word)))
		}
	case object.KindPromise:
		j.kind("Promise")
		j.text("state", x.State)
		j.part("value", x.Inner)
	case object.KindWeakRef:
		j.kind("WeakRef")
		j.part("target", x.Inner)
	default:
		j.raw("{")
		if x.NullProto {
			j.key("$class")
			j.raw("null")
		} else if x.Class != "Object" {
			j.text("$class", x.Class)
		} else if x.Kind == object.KindArguments {
			j.text("$class", "Arguments")
		}
	}
	j.set("$intercepted", x.Intercepted)
	for i := range x.Properties {
		j.member(&x.Properties[i])
	}
	if x.MoreProperties > 0 {
		j.int("$more", uint64(x.MoreProperties))
	}
	j.reason(x)
	j.raw("}")
}

// member writes an own property that a program sees: enumerable ones, and
// private members.
func (j *jsonWriter) member(m *Member) {
	if !m.Enumerable && !m.Private {
		return
	}
	j.key(m.Key.String())
	if m.Value == nil {
		j.raw(`{"$":"accessor"}`)
		return
	}
	j.value(m.Value)
}
