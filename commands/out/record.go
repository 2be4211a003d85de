package out

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
)

// A Record makes a struct the declaration of a record. It is a field named "_"
// whose tag says what the record's type is:
//
//	// A mapping is a line of ::mappings.
//	type mapping struct {
//		_     out.Record `record:"mapping"`
//		Start core.Addr  `json:"start" col:"BASE,16,right" dot:"always"`
//		Prot  string     `json:"prot" col:"PROT,-5"`
//		Path  string     `json:"path,omitempty" col:"NAME,zero=[ anon ]"`
//	}
//
// A record that may have several types has a field for it instead of "_": Type string `json:"type"
// record:"arg,env"`. The tags of fields:
//
//	json  the key, as encoding/json has it. Comments of fields go to docs/json.md.
//	col   the column of the field: its name, then in any order its width, after
//	      "/" its width on a terminal of less than 110 columns; right; a verb of
//	      fmt such as %x, maybe with text around it; zero=TEXT for a value that is zero; gap=N for N blanks
//	      before it; min=N for a column that terminals with fewer columns do not
//	      have, max=N for one that only terminals with at most this many have;
//	      if=FIELD for one that is there if a field is true; wide=FIELD for one that
//	      is as wide as a field says, if that is more
//	ink   the colour: addr, symbol, string, keyword, error, dim
//	dot   "always" for the field that is the record's address in a pipeline,
//	      "nonzero" if 0 is none
//
// A record whose form for people is a sentence has a tag text instead of
// columns: `record:"whatis" text:"{addr} is {is}"`, with keys or Go names in
// braces, and a verb after a colon. Beside record, the tag cols lists the fields
// of the columns in their order, if that is not the order of the keys, and
// head:"keyword" gives the heading a colour. Fields that are not exported are for people only.
type Record struct{}

// A shape is what the declaration of a record says.
type shape struct {
	name    string // of the type; "" if a field has it
	columns []column
	line    []part // of a sentence
	headed  bool   // a column has a name
	head    Ink
	dot     []int // the field that is the address
	nonzero bool
}

// A column is a field with its place in a table.
type column struct {
	name          string
	field         []int
	width, narrow int // 0 for as wide as it is
	right         bool
	verb          string
	zero          string
	hasZero       bool
	gap, min, max int
	cond, wide    []int
	ink           Ink
}

// A part is a piece of a sentence: text, then a field.
type part struct {
	text  string
	field *column // nil at the end
}

// Narrow is how many columns a terminal has at least that gets tables in full
// width.
const Narrow = 110

var shapes sync.Map // reflect.Type -> *shape, nil for types that are not records

// shapeOf returns the declaration of a record, and its value; nil if v is not a
// declared record.
func shapeOf(v any) (*shape, reflect.Value) {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	if x.Kind() != reflect.Struct {
		return nil, x
	}
	if s, ok := shapes.Load(x.Type()); ok {
		return s.(*shape), x
	}
	s := declared(x.Type())
	shapes.Store(x.Type(), s)
	return s, x
}

// declared reads the tags of a struct. Tags that cannot be read are a bug of the
// declaration.
func declared(t reflect.Type) *shape {
	var s *shape
	text, order := "", ""
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := f.Tag.Lookup("record")
		if !ok {
			continue
		}
		s = &shape{head: inkOf(f.Tag.Get("head"))}
		text, order = f.Tag.Get("text"), f.Tag.Get("cols")
		if f.Name == "_" {
			s.name = name
		}
	}
	if s == nil {
		return nil
	}
	keys := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys[f.Name], keys[key] = f, f
		if col, ok := f.Tag.Lookup("col"); ok {
			c := columnOf(t, f, col)
			s.columns = append(s.columns, c)
			s.headed = s.headed || c.name != ""
		}
		if dot := f.Tag.Get("dot"); dot != "" {
			s.dot, s.nonzero = f.Index, dot == "nonzero"
		}
	}
	if order != "" {
		names := strings.Fields(order)
		slices.SortStableFunc(s.columns, func(a, b column) int {
			return cmp.Compare(slices.Index(names, t.FieldByIndex(a.field).Name),
				slices.Index(names, t.FieldByIndex(b.field).Name))
		})
	}
	s.line = sentence(t, text, keys)
	return s
}

func columnOf(t reflect.Type, f reflect.StructField, tag string) column {
	name, options, _ := strings.Cut(tag, ",")
	c := column{name: name, field: f.Index, gap: 1, ink: inkOf(f.Tag.Get("ink"))}
	for o := range strings.SplitSeq(options, ",") {
		key, arg, _ := strings.Cut(o, "=")
		switch {
		case o == "":
		case o == "right":
			c.right = true
		case strings.Contains(o, "%"):
			c.verb = o
		case key == "zero":
			c.zero, c.hasZero = arg, true
		case key == "gap":
			c.gap = number(t, arg)
		case key == "min":
			c.min = number(t, arg)
		case key == "max":
			c.max = number(t, arg)
		case key == "if":
			c.cond = fieldOf(t, arg)
		case key == "wide":
			c.wide = fieldOf(t, arg)
		default:
			wide, narrow, ok := strings.Cut(o, "/")
			c.width = number(t, wide)
			c.narrow = c.width
			if ok {
				c.narrow = number(t, narrow)
			}
		}
	}
	return c
}

func fieldOf(t reflect.Type, name string) []int {
	f, ok := t.FieldByName(name)
	if !ok {
		panic(fmt.Sprintf("record %v has no field %s", t, name))
	}
	return f.Index
}

func number(t reflect.Type, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("record %v: option %q of a column", t, text))
	}
	return n
}

func inkOf(name string) Ink {
	return map[string]Ink{"addr": Addr, "symbol": Symbol, "string": String, "keyword": Keyword, "error": Error,
		"dim": Dim}[name]
}

// sentence splits the text of a tag into its parts.
func sentence(t reflect.Type, text string, keys map[string]reflect.StructField) []part {
	var line []part
	for text != "" {
		head, rest, ok := strings.Cut(text, "{")
		if !ok {
			return append(line, part{text: head})
		}
		name, tail, _ := strings.Cut(rest, "}")
		name, verb, _ := strings.Cut(name, ":")
		f, ok := keys[name]
		if !ok {
			panic(fmt.Sprintf("record %v has no field %q for its text", t, name))
		}
		c := column{field: f.Index, verb: verb, ink: inkOf(f.Tag.Get("ink"))}
		line = append(line, part{head, &c})
		text = tail
	}
	return line
}

// A Preparer is a record that works out what its fields for people hold only
// when they are asked for.
type Preparer interface{ Prepare() }

// Dot returns the address that a record declares to stand for it in a pipeline.
func Dot(v any) (core.Addr, bool) {
	s, x := shapeOf(v)
	if s == nil || s.dot == nil {
		return 0, false
	}
	f, err := x.FieldByIndexErr(s.dot)
	if err != nil {
		return 0, false
	}
	if f.Kind() == reflect.Pointer {
		if f.IsNil() {
			return 0, false
		}
		f = f.Elem()
	}
	a := core.Addr(0)
	if f.CanInt() {
		a = core.Addr(f.Int())
	} else {
		a = core.Addr(f.Uint())
	}
	return a, a != 0 || !s.nonzero
}

// Declared reports whether v has a declaration that says how people see it, and
// whether that is a table with a heading.
func Declared(v any) (text, table bool) {
	s, _ := shapeOf(v)
	return s != nil && (len(s.columns) > 0 || len(s.line) > 0), s != nil && s.headed
}

// Header writes the heading of a record's table.
func (w *Writer) Header(v any) {
	s, x := shapeOf(v)
	if s == nil || !s.headed {
		return
	}
	w.row(s, x, func(c *column) (string, Ink, bool) { return c.name, s.head, s.head != Plain })
}

// Record writes a record as it is declared: its line of a table, or its
// sentence.
func (w *Writer) Record(v any) {
	s, x := shapeOf(v)
	if s == nil {
		return
	}
	if p, ok := v.(Preparer); ok {
		p.Prepare()
	}
	if s.line == nil {
		w.row(s, x, func(c *column) (string, Ink, bool) {
			text, name := c.text(x)
			return text, c.ink, name
		})
		return
	}
	for _, p := range s.line {
		w.WriteString(p.text)
		if p.field == nil {
			continue
		}
		text, _ := p.field.text(x)
		w.put(p.field.ink, Clean(text, false), p.field.ink != Plain)
	}
	w.put(Plain, "\n", false)
}

// row writes a line of cells. Blanks at its end are not written.
func (w *Writer) row(s *shape, x reflect.Value, cell func(*column) (text string, ink Ink, unit bool)) {
	terminal, blanks := w.Columns(), 0
	first := true
	for i := range s.columns {
		c := &s.columns[i]
		if terminal > 0 && terminal < c.min || c.max > 0 && (terminal == 0 || terminal > c.max) ||
			c.cond != nil && !x.FieldByIndex(c.cond).Bool() {
			continue
		}
		width := c.width
		if terminal > 0 && terminal < Narrow {
			width = c.narrow
		}
		if c.wide != nil {
			width = max(width, int(x.FieldByIndex(c.wide).Int()))
		}
		text, ink, unit := cell(c)
		text = Clean(text, false)
		fill := max(width-Width(text), 0)
		if !first {
			blanks += c.gap
		}
		first = false
		if c.right {
			blanks += fill
			fill = 0
		}
		if text != "" {
			w.put(Plain, strings.Repeat(" ", blanks), false)
			w.put(ink, text, unit)
			blanks = 0
		}
		blanks += fill
	}
	w.put(Plain, "\n", false)
}

// text returns the cell of a column, and whether it is a name, which stays in
// one piece, and not a number.
func (c *column) text(x reflect.Value) (text string, name bool) {
	f, err := x.FieldByIndexErr(c.field)
	if err != nil {
		return c.zero, false
	}
	if c.hasZero && f.IsZero() {
		return c.zero, false
	}
	if f.Kind() == reflect.Pointer && !stringer(f) {
		if f.IsNil() {
			return "", false
		}
		f = f.Elem()
	}
	verb := c.verb
	switch {
	case verb == "" && stringer(f) && f.Type() != addrType:
		return fmt.Sprint(f.Interface()), true
	case f.Kind() == reflect.String:
		if verb == "" {
			return f.String(), true
		}
		return fmt.Sprintf(verb, f.String()), true
	case f.CanInt():
		return format(verb, "%d", f.Int()), false
	case f.CanUint() && f.Type() == addrType:
		return format(verb, "%x", f.Uint()), false
	case f.CanUint():
		return format(verb, "%d", f.Uint()), false
	case f.CanFloat():
		return format(verb, "%v", f.Float()), false
	}
	return format(verb, "%v", f), false
}

var addrType = reflect.TypeFor[core.Addr]()

func stringer(f reflect.Value) bool {
	return f.CanInterface() && f.Type().Implements(reflect.TypeFor[fmt.Stringer]())
}

func format(verb, standard string, v any) string {
	if verb == "" {
		verb = standard
	}
	return fmt.Sprintf(verb, v)
}

// typed puts a record's type before its other keys.
func typed(v any, b []byte) []byte {
	s, _ := shapeOf(v)
	if s == nil || s.name == "" || len(b) < 2 || b[0] != '{' {
		return b
	}
	head := `{"type":"` + s.name + `"`
	if b[1] != '}' {
		head += ","
	}
	return append([]byte(head), b[1:]...)
}
