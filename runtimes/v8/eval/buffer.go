package eval

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"coredbg/runtimes/v8/layout"
)

func init() {
	natives = append(natives, callBuffer)
	register(map[string]builtin{
		"get TypedArray.prototype[Symbol.toStringTag]": func(m *Machine, this Value, _ []Value) Value {
			madeBuffer(m, this)
			return "Uint8Array"
		},
		"get TypedArray.prototype.length": func(m *Machine, this Value,
			_ []Value) Value {
			return float64(len(madeBuffer(m, this).List))
		},
		"get TypedArray.prototype.byteLength": func(m *Machine, this Value,
			_ []Value) Value {
			return float64(len(madeBuffer(m, this).List))
		},
	})
}

// madeBuffer is this of a function of typed arrays, which know the buffers that were made.
func madeBuffer(m *Machine, this Value) *Object {
	o, ok := this.(*Object)
	if !ok || !o.Buffer {
		m.Fail("functions of typed arrays of the program are not known")
	}
	return o
}

// callBuffer calls the functions of Node's Buffer that need its own C++: from and alloc, and toString of a
// made buffer. ok is false for other functions.
func callBuffer(m *Machine, fn layout.Tagged, this Value, args []Value) (v Value, ok bool) {
	switch x := this.(type) {
	case Heap:
		if !m.reader.IsFunction(layout.Tagged(x)) || m.reader.FunctionNameOf(layout.Tagged(x)) != "Buffer" {
			return nil, false
		}
		switch m.reader.FunctionNameOf(fn) {
		case "from":
			return newBuffer(m, x, bytesOf(m, args)), true
		case "alloc":
			n, is := arg(args, 0).(float64)
			if !is || n < 0 || n > maxItems {
				m.Fail("a buffer is too long")
			}
			return newBuffer(m, x, make([]byte, int(n))), true
		}
	case *Object:
		if x.Buffer && m.reader.FunctionNameOf(fn) == "toString" {
			return decoded(m, x, args), true
		}
	}
	return nil, false
}

func newBuffer(m *Machine, class Heap, data []byte) Value {
	m.spend(len(data))
	o := array()
	for _, c := range data {
		o.List = append(o.List, float64(c))
	}
	o.Buffer, o.Proto = true, m.get(class, Key{Name: "prototype"})
	return o
}

// bytesOf returns the bytes that Buffer.from makes of its arguments.
func bytesOf(m *Machine, args []Value) (data []byte) {
	text, ok := arg(args, 0).(string)
	if !ok {
		for _, x := range elementsOf(m, arg(args, 0)) {
			f, _ := x.(float64)
			data = append(data, byte(int64(f)))
		}
		return data
	}
	if len(text) > maxItems {
		m.Fail("a buffer is too long")
	}
	var err error
	switch encoding(m, args, 1) {
	case "hex":
		data, err = hex.DecodeString(text)
	case "base64":
		data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_",
			"/").Replace(text), "="))
	case "latin1":
		for _, r := range text {
			data = append(data, byte(r))
		}
	default:
		return []byte(strings.ToValidUTF8(text, "\ufffd"))
	}
	if err != nil {
		m.Fail("%v", err)
	}
	return data
}

// decoded is toString of a buffer that was made.
func decoded(m *Machine, o *Object, args []Value) string {
	var data []byte
	for _, x := range o.List {
		f, _ := x.(float64)
		data = append(data, byte(int64(f)))
	}
	switch encoding(m, args, 0) {
	case "hex":
		return hex.EncodeToString(data)
	case "base64":
		return base64.StdEncoding.EncodeToString(data)
	case "latin1":
		var b strings.Builder
		for _, c := range data {
			b.WriteRune(rune(c))
		}
		return b.String()
	}
	return strings.ToValidUTF8(string(data), "\ufffd")
}

// encoding is the encoding that an argument names; "" is UTF-8.
func encoding(m *Machine, args []Value, i int) string {
	name, _ := arg(args, i).(string)
	switch strings.ToLower(name) {
	case "", "utf8", "utf-8":
		return ""
	case "hex":
		return "hex"
	case "base64", "base64url":
		return "base64"
	case "latin1", "binary", "ascii":
		return "latin1"
	}
	m.Fail("the encoding %q is not known", name)
	return ""
}
