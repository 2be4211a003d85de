package library

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

func init() { natives = append(natives, callBuffer) }

// callBuffer calls the functions of Node's Buffer, which need its own C++. ok is false for other functions.
func callBuffer(m *ecma.Machine, fn ecma.Heap, this ecma.Value, args []ecma.Value) (v ecma.Value, ok bool) {
	name := m.Reader.FunctionNameOf(layout.Tagged(fn))
	if h, is := this.(ecma.Heap); is && m.Reader.IsFunction(layout.Tagged(h)) {
		if m.Reader.FunctionNameOf(layout.Tagged(h)) != "Buffer" {
			return nil, false
		}
		return bufferStatic(m, h, name, args)
	}
	if !isBuffer(m, this) {
		return nil, false
	}
	_, list, _ := typedOf(m, this)
	data := make([]byte, 0, len(list))
	for _, x := range list {
		f, _ := x.(float64)
		data = append(data, byte(int64(f)))
	}
	return bufferMethod(m, this, data, name, args)
}

// isBuffer reports whether a value is a Buffer.
func isBuffer(m *ecma.Machine, v ecma.Value) bool {
	switch x := v.(type) {
	case *ecma.Object:
		return x.Buffer
	case ecma.Heap:
		return m.IsObject(x) && m.Reader.TypeNamed(layout.Tagged(x), "JS_TYPED_ARRAY_TYPE") &&
			m.Reader.Class(layout.Tagged(x)) == "Buffer"
	}
	return false
}

// bufferStatic calls a function of the class Buffer.
func bufferStatic(m *ecma.Machine, class ecma.Heap, name string, args []ecma.Value) (ecma.Value, bool) {
	switch name {
	case "from":
		return newBuffer(m, class, bytesOf(m, args)), true
	case "alloc", "allocUnsafe", "allocUnsafeSlow":
		n, is := ecma.Arg(args, 0).(float64)
		if !is || n < 0 || n > ecma.MaxItems {
			m.Fail("a buffer is too long")
		}
		data := make([]byte, int(n))
		if fill := ecma.Arg(args, 1); fill != nil {
			if f, number := fill.(float64); number {
				data = bytes.Repeat([]byte{byte(int64(f))}, int(n))
			} else if part := bytesOf(m, args[1:]); len(part) > 0 {
				data = bytes.Repeat(part, int(n)/len(part)+1)[:int(n)]
			}
		}
		return newBuffer(m, class, data), true
	case "isBuffer":
		return isBuffer(m, ecma.Arg(args, 0)), true
	case "byteLength":
		if _, list, ok := typedOf(m, ecma.Arg(args, 0)); ok {
			return float64(len(list)), true
		}
		return float64(len(bytesOf(m, args))), true
	case "concat":
		var all []byte
		for _, b := range ecma.ElementsOf(m, ecma.Arg(args, 0)) {
			all = append(all, bytesOf(m, []ecma.Value{b})...)
		}
		return newBuffer(m, class, all), true
	case "compare":
		return float64(bytes.Compare(bytesOf(m, args[:min(1, len(args))]), bytesOf(m, args[min(1, len(args)):]))), true
	}
	return nil, false
}

var readName = regexp.MustCompile(`^read(Big)?(U?[Ii]nt|Float|Double)(8|16|32|64)?(LE|BE)?$`)

// bufferMethod calls a method of a Buffer.
func bufferMethod(m *ecma.Machine, this ecma.Value, data []byte, name string, args []ecma.Value) (ecma.Value, bool) {
	switch name {
	case "toString":
		from, to := 0, len(data)
		if ecma.Arg(args, 1) != nil {
			from = min(max(m.Integer(args[1]), 0), len(data))
		}
		if ecma.Arg(args, 2) != nil {
			to = min(max(m.Integer(args[2]), from), len(data))
		}
		return decoded(m, data[from:max(to, from)], args), true
	case "toJSON":
		o := &ecma.Object{}
		o.Set(ecma.Key{Name: "type"}, "Buffer")
		_, list, _ := typedOf(m, this)
		o.Set(ecma.Key{Name: "data"}, ecma.Array(slices.Clone(list)...))
		return o, true
	case "slice", "subarray":
		_, list, _ := typedOf(m, this)
		from, to := spanOf(m, args, len(list))
		o := newTyped(m, "Uint8Array", list[from:to], this)
		o.Buffer = true
		return o, true
	case "equals":
		return bytes.Equal(data, bytesOf(m, args)), true
	case "compare":
		return float64(bytes.Compare(data, bytesOf(m, args))), true
	case "indexOf", "includes":
		if f, number := ecma.Arg(args, 0).(float64); number {
			args = []ecma.Value{ecma.Array(f)}
		}
		at := bytes.Index(data, bytesOf(m, args[:min(1, len(args))]))
		if name == "includes" {
			return at >= 0, true
		}
		return float64(at), true
	case "inspect":
		return nil, false
	}
	if f := readName.FindStringSubmatch(name); f != nil {
		return readFrom(m, data, m.Integer(ecma.Arg(args, 0)), f), true
	}
	return nil, false
}

// readFrom reads a number of a buffer; form are the parts of the function's name.
func readFrom(m *ecma.Machine, data []byte, at int, form []string) ecma.Value {
	size := map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[form[3]]
	switch form[2] {
	case "Float":
		size = 4
	case "Double":
		size = 8
	}
	if size == 0 || at < 0 || at+size > len(data) {
		m.ThrowAs("RangeError", "The value of \"offset\" is out of range. It must be >= 0 and <= %d. Received %d",
			len(data)-size, at)
	}
	word := make([]byte, 8)
	copy(word, data[at:at+size])
	if form[4] == "BE" {
		slices.Reverse(word[:size])
	}
	n := binary.LittleEndian.Uint64(word)
	signed := int64(n<<(64-8*size)) >> (64 - 8*size)
	switch {
	case form[2] == "Float":
		return float64(math.Float32frombits(uint32(n)))
	case form[2] == "Double":
		return math.Float64frombits(n)
	case form[1] == "Big" && form[2][0] != 'U':
		return toBigInt(m, wrapped(true)(m, nil, []ecma.Value{64.0, uintValue(n)}))
	case form[1] == "Big":
		return uintValue(n)
	case form[2][0] == 'U':
		return float64(n)
	}
	return float64(signed)
}

func newBuffer(m *ecma.Machine, class ecma.Heap, data []byte) ecma.Value {
	m.Spend(len(data))
	return &ecma.Object{Typed: "Uint8Array", Buffer: true, Proto: m.Get(class, ecma.Key{Name: "prototype"}),
		List: byteValues(data)}
}

func byteValues(data []byte) (list []ecma.Value) {
	for _, c := range data {
		list = append(list, float64(c))
	}
	return list
}

// bytesOf returns the bytes that Buffer.from makes of its arguments.
func bytesOf(m *ecma.Machine, args []ecma.Value) (data []byte) {
	text, ok := ecma.Arg(args, 0).(string)
	if !ok {
		for _, x := range ecma.ElementsOf(m, ecma.Arg(args, 0)) {
			f, _ := x.(float64)
			data = append(data, byte(int64(f)))
		}
		return data
	}
	if len(text) > ecma.MaxItems {
		m.Fail("a buffer is too long")
	}
	var err error
	switch encoding(m, args, 1) {
	case "hex":
		data, err = hex.DecodeString(text)
	case "base64", "base64url":
		data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_",
			"/").Replace(text), "="))
	case "latin1", "ascii":
		for _, r := range text {
			data = append(data, byte(r))
		}
	case "utf16le":
		for _, u := range ecma.Units(text) {
			data = append(data, byte(u), byte(u>>8))
		}
	default:
		return []byte(strings.ToValidUTF8(text, "\ufffd"))
	}
	if err != nil {
		m.Fail("%v", err)
	}
	return data
}

// decoded is toString of a buffer.
func decoded(m *ecma.Machine, data []byte, args []ecma.Value) string {
	m.Spend(len(data) / 16)
	switch encoding(m, args, 0) {
	case "hex":
		return hex.EncodeToString(data)
	case "base64":
		return base64.StdEncoding.EncodeToString(data)
	case "base64url":
		return base64.RawURLEncoding.EncodeToString(data)
	case "latin1", "ascii":
		mask := byte(0xff)
		if encoding(m, args, 0) == "ascii" {
			mask = 0x7f
		}
		var b strings.Builder
		for _, c := range data {
			b.WriteRune(rune(c & mask))
		}
		return b.String()
	case "utf16le":
		var u []uint16
		for i := 0; i+1 < len(data); i += 2 {
			u = append(u, uint16(data[i])|uint16(data[i+1])<<8)
		}
		return ecma.FromUnits(u)
	}
	return strings.ToValidUTF8(string(data), "\ufffd")
}

// encoding is the encoding that an argument names; "" is UTF-8.
func encoding(m *ecma.Machine, args []ecma.Value, i int) string {
	name, _ := ecma.Arg(args, i).(string)
	switch name = strings.ToLower(name); name {
	case "", "utf8", "utf-8":
		return ""
	case "hex", "base64", "base64url", "latin1", "ascii":
		return name
	case "binary":
		return "latin1"
	case "utf16le", "utf-16le", "ucs2", "ucs-2":
		return "utf16le"
	}
	m.Throw("Unknown encoding: %s", name)
	return ""
}
