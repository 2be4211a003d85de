package java

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"coredbg/core"
)

// An Inspector makes values of objects.
type Inspector struct{ Heap Heap }

// A Kind is what a Value is.
type Kind string

// The kinds of values.
const (
	ValueNull    Kind = "null"
	ValueNumber  Kind = "number" // of a primitive type, or boxed
	ValueString  Kind = "string"
	ValueText    Kind = "text"   // an object that Java writes as a word, such as a UUID
	ValueObject  Kind = "object" // by its fields
	ValueArray   Kind = "array"
	ValueList    Kind = "list" // a collection of one kind of elements
	ValueMap     Kind = "map"  // a collection of pairs
	ValueClass   Kind = "class"
	ValueEnum    Kind = "enum"
	ValueShut    Kind = "shut"  // an object deeper than the depth asked for
	ValueRef     Kind = "ref"   // an object that holds this one
	ValueCorrupt Kind = "error" // what is not an object, or cannot be read
)

// A Value is a Java value, opened as deep as Options say.
type Value struct {
	Kind Kind
	// Type is the value's type as Java writes it. A reference has the type of its object.
	Type string
	Addr core.Addr // of the object; 0 for primitive values
	// Text is a number, the characters of a string, the name of a class or of
	// an enum's constant, or the reason of a ValueCorrupt.
	Text string
	// Length is the number of all elements, entries or characters.
	Length int
	Fields []Member
	Items  []*Value // elements of arrays and lists; key, value, key, … of maps
	// More is how many elements, entries or characters were left out.
	More int
	// Raw is the number's bits as they are in memory.
	Raw uint64
}

// Labels returns the names of the fields as they are told apart: one that a class below hides comes
// with the class that declares it.
func (v *Value) Labels() []string {
	out := make([]string, len(v.Fields))
	seen := map[string]bool{}
	for i := len(v.Fields) - 1; i >= 0; i-- {
		m := &v.Fields[i]
		if out[i] = m.Name; seen[m.Name] {
			out[i] = m.Class + "." + m.Name
		}
		seen[m.Name] = true
	}
	return out
}

// A Member is a field of an object.
type Member struct {
	Name  string
	Class string // that declares it
	Value *Value
}

// An Options says how far to look.
type Options struct {
	Depth     int  // how many levels of objects inside are opened
	MaxItems  int  // elements and entries of each
	MaxString int  // characters of each string
	MaxValues int  // values in all
	Raw       bool // collections and boxed values by their fields
}

// Default returns the limits for one value that a user asked for.
func Default() Options {
	return Options{Depth: 2, MaxItems: 100, MaxString: 10000, MaxValues: 100000}
}

// maxValues bounds the values of a tree, whatever was asked for: they take a few
// gigabytes.
const maxValues = 1 << 23

// Show sets how many elements and entries of one object are decoded. The whole tree
// may then have as many values as that takes.
func (o *Options) Show(n int) {
	o.MaxItems = n
	o.MaxValues = max(o.MaxValues, min(n, maxValues/4)*4)
}

// Inspect returns the value of the object at an address.
func (in Inspector) Inspect(at core.Addr, o Options) *Value {
	i := in.begin(o)
	return i.object(at, 0)
}

// InspectSlot returns the value of a field or an element.
func (in Inspector) InspectSlot(s Slot, o Options) *Value {
	i := in.begin(o)
	return i.slot(s.Addr, s.Type, 0)
}

func (in Inspector) begin(o Options) *inspector {
	return &inspector{h: Reader{in.Heap}, o: o, left: o.MaxValues, open: map[core.Addr]bool{}}
}

// An inspector makes one tree of values.
type inspector struct {
	h    Reader
	o    Options
	left int
	open map[core.Addr]bool // objects on the way from the root
}

func corrupt(format string, args ...any) *Value {
	return &Value{Kind: ValueCorrupt, Text: fmt.Sprintf(format, args...)}
}

// slot returns the value of a type at an address in an object.
func (i *inspector) slot(at core.Addr, descriptor string, level int) *Value {
	if p := PrimitiveOf(descriptor); p != NotPrimitive {
		return i.primitive(at, p)
	}
	r, ok := i.h.Ref(at)
	if !ok {
		return corrupt("%v cannot be read", at)
	}
	v := i.object(r, level)
	if v.Kind == ValueNull {
		v.Type = TypeName(descriptor)
	}
	return v
}

// primitive returns the value of a primitive type at an address.
func (i *inspector) primitive(at core.Addr, p Primitive) *Value {
	raw, ok := i.h.PrimitiveAt(at, p)
	if !ok {
		return corrupt("%v cannot be read", at)
	}
	return &Value{Kind: ValueNumber, Type: p.String(), Raw: raw, Text: p.Format(raw)}
}

// Format writes a value of a primitive type as Java does.
func (p Primitive) Format(raw uint64) string {
	switch p {
	case Boolean:
		switch raw {
		case 0:
			return "false"
		case 1:
			return "true"
		}
		return fmt.Sprintf("boolean %d", raw)
	case Char:
		if utf16.IsSurrogate(rune(raw)) { // half of a character
			return fmt.Sprintf(`'\u%04x'`, raw)
		}
		return strconv.QuoteRune(rune(raw))
	case Float:
		return formatFloat(float64(math.Float32frombits(uint32(raw))), 32)
	case Double:
		return formatFloat(math.Float64frombits(raw), 64)
	}
	return strconv.FormatInt(int64(raw), 10)
}

// formatFloat writes a float or double as Double.toString does: the fewest digits
// that tell it from its neighbours, with an exponent below 0.001 and from ten
// million on.
func formatFloat(f float64, bits int) string {
	switch size := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case size != 0 && (size < 1e-3 || size >= 1e7):
		s := strconv.FormatFloat(f, 'E', -1, bits)
		// Where one digit suffices Java writes the nearest number with two: 4.9E-324, not 5.0E-324.
		if two := strconv.FormatFloat(f, 'E', 1, bits); !strings.Contains(s, ".") {
			if back, err := strconv.ParseFloat(two, bits); err == nil && back == f {
				s = two
			}
		}
		digits, exponent, _ := strings.Cut(s, "E")
		if !strings.Contains(digits, ".") {
			digits += ".0"
		}
		n, _ := strconv.Atoi(exponent)
		return fmt.Sprintf("%sE%d", digits, n)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// object returns the object at an address, opened if it is not too deep.
func (i *inspector) object(at core.Addr, level int) *Value {
	if at == 0 {
		return &Value{Kind: ValueNull}
	}
	i.left--
	o, err := i.h.Object(at)
	if err != nil {
		v := corrupt("%s", reason(err))
		v.Addr = at
		return v
	}
	v := &Value{Kind: ValueObject, Type: o.Class.Name, Addr: o.Addr}
	switch {
	case o.Class.Shape == Strings:
		return i.str(v)
	case o.Class.Shape == Classes:
		v.Kind, v.Text = ValueClass, "of which nothing is known"
		if k, err := i.h.Mirrored(o); err == nil {
			v.Text = k.Name
		}
		if level > 0 || !i.o.Raw {
			return v
		}
	case i.open[o.Addr]:
		v.Kind = ValueRef
		return v
	}
	if !i.o.Raw {
		if x := i.plain(o, v); x != nil {
			return x
		}
	}
	if level > i.o.Depth || i.left <= 0 {
		v.Kind = ValueShut
		return v
	}
	i.open[o.Addr] = true
	defer delete(i.open, o.Addr)
	switch {
	case o.Class.Shape == Arrays:
		return i.array(v, level)
	case !i.o.Raw && i.collection(o, v, level):
		return v
	}
	i.fields(o, v, level)
	return v
}

// str fills in a string.
func (i *inspector) str(v *Value) *Value {
	s, err := i.h.Text(v.Addr, i.o.MaxString)
	if err != nil && s.Read == 0 {
		x := corrupt("%s", reason(err))
		x.Addr, x.Type = v.Addr, v.Type
		return x
	}
	v.Kind, v.Text, v.Length, v.More = ValueString, s.Value, s.Length, s.Length-s.Read
	return v
}

// fields fills in the fields of an object, the most distant superclass's first.
func (i *inspector) fields(o Object, v *Value, level int) {
	for k := range o.Class.Members {
		if f := &o.Class.Members[k]; !f.Hidden || i.o.Raw {
			v.Fields = append(v.Fields, i.member(o.Addr, f, level))
		}
	}
}

// member returns the field of the object at an address.
func (i *inspector) member(at core.Addr, f *Field, level int) Member {
	m := Member{Name: f.Name, Class: f.Class}
	if f.Type == "" {
		raw, _ := i.h.PrimitiveAt(at+core.Addr(f.Offset), Float)
		m.Value = corrupt("type unknown: %#x; %s", raw, f.Problem)
		return m
	}
	m.Value = i.slot(at+core.Addr(f.Offset), f.Type, level+1)
	return m
}

// Statics returns the static fields that a class itself declares; none if the core does not have their values.
func (in Inspector) Statics(c *Class, o Options) []Member {
	i := in.begin(o)
	var out []Member
	for k := range c.Own {
		if f := &c.Own[k]; f.Static() && c.Statics != 0 {
			out = append(out, i.member(c.Statics, f, 0))
		}
	}
	return out
}

// array fills in the elements of an array.
func (i *inspector) array(v *Value, level int) *Value {
	r, err := i.h.Array(v.Addr)
	if err != nil {
		return corrupt("%s", reason(err))
	}
	v.Kind, v.Length = ValueArray, int(r.Length)
	n := min(r.Length, uint64(max(i.o.MaxItems, 0)))
	for k := range n {
		if i.left <= 0 {
			n = k
			break
		}
		if r.Element != NotPrimitive {
			i.left--
			v.Items = append(v.Items, i.primitive(r.At(k), r.Element))
			continue
		}
		ref, ok := i.h.Ref(r.At(k))
		if !ok {
			v.Items = append(v.Items, corrupt("%v cannot be read", r.At(k)))
			continue
		}
		v.Items = append(v.Items, i.object(ref, level+1))
	}
	v.More = int(r.Length - n)
	return v
}
