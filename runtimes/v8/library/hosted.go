package library

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func init() { natives = append(natives, callHosted) }

// hosted are functions of C++ of Node and of browsers that only look at their arguments, by their names. They are not
// ok for arguments that they reject.
var hosted = map[string]func(m *ecma.Machine, args []ecma.Value) (ecma.Value, bool){
	"atob": decodedBase64,
	"btoa": encodedBase64,
	// Where a function was called is not known: in a console, no module was.
	"isInsideNodeModules": func(*ecma.Machine, []ecma.Value) (ecma.Value, bool) { return false, true },
	"getConverter":        newConverter,
	"decode":              converted,
}

// callHosted calls such a function. ok is false for others.
func callHosted(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (ecma.Value, bool) {
	name := m.Reader.FunctionNameOf(layout.Tagged(fn))
	if code := hosted[name]; code != nil && !scripted(m, fn) {
		return code(m, args)
	}
	if is := kindNamed[name]; is != nil && !scripted(m, fn) && len(args) == 1 {
		return is(m, args[0]), true
	}
	return nil, false
}

// decodedBase64 is atob.
func decodedBase64(m *ecma.Machine, args []ecma.Value) (ecma.Value, bool) {
	s := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\n\f\r", c) {
			return -1
		}
		return c
	}, m.Text(ecma.Arg(args, 0)))
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	data, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil, false
	}
	return latin1(data), true
}

// encodedBase64 is btoa.
func encodedBase64(m *ecma.Machine, args []ecma.Value) (ecma.Value, bool) {
	var data []byte
	for _, c := range m.Text(ecma.Arg(args, 0)) {
		if c > 0xff {
			return nil, false
		}
		data = append(data, byte(c))
	}
	return base64.StdEncoding.EncodeToString(data), true
}

// latin1 is the text of bytes that are characters each.
func latin1(data []byte) string {
	runes := make([]rune, len(data))
	for i, b := range data {
		runes[i] = rune(b)
	}
	return string(runes)
}

// converterOf is the private property of a converter, with the name of its encoding.
var converterOf = ecma.Key{Own: &ecma.Symbol{Description: "#encoding"}}

// newConverter is what Node's TextDecoder has for an encoding.
func newConverter(m *ecma.Machine, args []ecma.Value) (ecma.Value, bool) {
	name := m.Text(ecma.Arg(args, 0))
	if name != "utf-16le" && name != "utf-16be" && name != "utf-8" {
		return nil, false
	}
	o := &ecma.Object{Proto: ecma.PrototypeNamed(m, "Object")}
	o.Define(converterOf, &ecma.Prop{Value: name, Hidden: true})
	return o, true
}

// converted is the text of bytes in the encoding of a converter.
func converted(m *ecma.Machine, args []ecma.Value) (ecma.Value, bool) {
	o, ok := ecma.Arg(args, 0).(*ecma.Object)
	if !ok || o.Props[converterOf] == nil {
		return nil, false
	}
	_, list, ok := typedOf(m, ecma.Arg(args, 1))
	if !ok {
		return nil, false
	}
	var data []byte
	for _, x := range list {
		f, _ := x.(float64)
		data = append(data, byte(int64(f)))
	}
	switch o.Props[converterOf].Value {
	case "utf-8":
		return strings.TrimPrefix(strings.ToValidUTF8(string(data), "\ufffd"), "\ufeff"), true
	case "utf-16le":
		return utf16Text(data, binary.LittleEndian), true
	}
	return utf16Text(data, binary.BigEndian), true
}

func utf16Text(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2+1)
	for ; len(data) > 1; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	if len(data) == 1 {
		units = append(units, 0xfffd)
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}

// kindNamed are the functions of util.types, which tell what a value is.
var kindNamed = map[string]func(m *ecma.Machine, v ecma.Value) bool{
	"isDate":        ecma.IsDate,
	"isNativeError": ecma.IsError,
	"isPromise":     func(m *ecma.Machine, v ecma.Value) bool { return m.IsObject(v) && m.IsPromise(v) },
	"isProxy": func(m *ecma.Machine, v ecma.Value) bool {
		_, _, ok := ecma.ProxyParts(m, v)
		return ok
	},
	"isMap":            collectionIs(object.KindMap),
	"isSet":            collectionIs(object.KindSet),
	"isWeakMap":        collectionIs(object.KindWeakMap),
	"isWeakSet":        collectionIs(object.KindWeakSet),
	"isAnyArrayBuffer": collectionIs(object.KindArrayBuffer, object.KindSharedBuffer),
	"isArrayBuffer":    collectionIs(object.KindArrayBuffer),
	"isRegExp": func(m *ecma.Machine, v ecma.Value) bool {
		o, ok := v.(*ecma.Object)
		return ok && o.RegExp != nil || collectionIs(object.KindRegExp)(m, v)
	},
}

// collectionIs reports whether a value has one of the kinds.
func collectionIs(kinds ...object.Kind) func(m *ecma.Machine, v ecma.Value) bool {
	return func(m *ecma.Machine, v ecma.Value) bool {
		for _, k := range kinds {
			switch x := v.(type) {
			case *ecma.Object:
				c := x.Collection
				if c != nil && c.IsMap == (k == object.KindMap || k == object.KindWeakMap) &&
					c.Weak == (k == object.KindWeakMap || k == object.KindWeakSet) &&
					(k == object.KindMap || k == object.KindSet || k == object.KindWeakMap || k == object.KindWeakSet) {
					return true
				}
			case ecma.Heap:
				if m.IsObject(x) && m.Kind(x) == k {
					return true
				}
			}
		}
		return false
	}
}
