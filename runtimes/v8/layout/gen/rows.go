package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/layout/gen/cxx"
	"coredbg/runtimes/v8/layout/gen/torque"
)

// A row is a line of a table.
type row struct {
	name  string
	value int
	pos   cxx.Pos
}

// A table is the rows of a version and a variant, by name; what is first added stays.
type table map[string]row

func (t table) add(name string, value int64, pos cxx.Pos) {
	if _, ok := t[name]; !ok {
		t[name] = row{name, int(int32(value)), pos}
	}
}

// sorted returns the rows by name.
func (t table) sorted() []row {
	out := make([]row, 0, len(t))
	for _, r := range t {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b row) int { return strings.Compare(a.name, b.name) })
	return out
}

// table returns the rows that the tree gives and layout reads, and the names of the constants of the script
// that it does not give.
func (s *source) table() (t table, missing []string) {
	t = table{}
	for _, w := range s.script() {
		if v, pos, err := s.value(w.expr); err == nil {
			t.add(w.name, v, pos)
		} else {
			missing = append(missing, w.name+": "+err.Error())
		}
	}
	s.typeRows(t)
	s.fieldRows(t)
	s.listRows(t)
	missing = append(missing, s.layoutRows(t)...)
	maps.DeleteFunc(t, func(name string, _ row) bool { return !layout.Reads(name) })
	return t, missing
}

// value evaluates an expression. Where the constant of an offset is gone, the field is looked for.
func (s *source) value(expr string) (int64, cxx.Pos, error) {
	if class, isHeader := strings.CutSuffix(expr, "::kHeaderSize"); isHeader && !s.own(expr, class) {
		if v, err := s.eval("OFFSET_OF_DATA_START(" + class + ")"); err == nil {
			return v, s.pos(class), nil
		}
	}
	v, err := s.eval(expr)
	if err == nil {
		return v, s.pos(expr), nil
	}
	class, name, ok := strings.Cut(expr, "::k")
	if !ok {
		return 0, cxx.Pos{}, err
	}
	if name == "HeaderSize" && !s.own(expr, class) {
		v, err := s.eval("sizeof(" + class + ")")
		return v, s.pos(class), err
	}
	if field, ok := strings.CutSuffix(name, "Offset"); ok {
		if m, err := s.field(class, torque.Underscore(field)); err == nil {
			return int64(m.Offset), m.Decl.Pos, nil
		}
	}
	return 0, cxx.Pos{}, err
}

// own reports whether a constant is declared by the class itself, not by a base of it.
func (s *source) own(name, class string) bool {
	d, err := s.env.Find(name)
	return err == nil && d.In.Decl != nil && d.In.Decl.Name == class
}

func (s *source) eval(expr string) (int64, error) { return s.env.EvalTokens(s.macros.Expand(expr)) }

// field returns a field of a class by its name without the underscore at its end.
func (s *source) field(class, name string) (*cxx.Member, error) {
	c, err := s.env.Class(class)
	if err != nil {
		return nil, err
	}
	return c.Member(name + "_")
}

var pathRE = regexp.MustCompile(`[A-Za-z_]\w*(::[A-Za-z_]\w*)*`)

// pos returns where the last name in an expression that is declared was declared.
func (s *source) pos(expr string) cxx.Pos {
	if m := regexp.MustCompile(`offsetof\((\w+), *(\w+)\)`).FindStringSubmatch(expr); m != nil {
		if f, err := s.field(m[1], strings.TrimSuffix(m[2], "_")); err == nil {
			return f.Decl.Pos
		}
	}
	var pos cxx.Pos
	for _, name := range pathRE.FindAllString(expr, -1) {
		if d, err := s.env.Find(name); err == nil && d.Pos.Line > 0 {
			pos = d.Pos
		}
	}
	return pos
}

// typeRows adds the instance types and the frame types.
func (s *source) typeRows(t table) {
	for _, i := range s.types {
		v, err := s.eval(i.Name)
		if err != nil || !i.Own {
			continue
		}
		t.add("type_"+i.Class.Name+"__"+i.Name, v, i.Class.Pos)
	}
	for _, name := range []string{"JS_FUNCTION_TYPE", "BIGINT_TYPE"} {
		if v, err := s.eval(name); err == nil {
			class := map[string]string{"JS_FUNCTION_TYPE": "JSFunction", "BIGINT_TYPE": "BigInt"}[name]
			t.add("type_"+class+"__"+name, v, s.pos(name))
		}
	}
	for _, r := range s.macros.Rows("STRING_TYPE_LIST", 1) {
		s.stringType(t, r)
	}
	for _, r := range s.macros.Rows("STACK_FRAME_TYPE_LIST", 1) {
		if len(r.Args) != 2 {
			continue
		}
		if v, err := s.eval("StackFrame::" + cxx.Join(r.Args[0])); err == nil {
			t.add("frametype_"+cxx.Join(r.Args[1]), v, r.Pos)
		}
	}
}

// stringType adds a string type; its class is its representation's.
func (s *source) stringType(t table, r cxx.Row) {
	name := cxx.Join(r.Args[0])
	v, err := s.eval(name)
	if err != nil || !strings.HasSuffix(name, "_TYPE") {
		return
	}
	class := ""
	for _, w := range strings.Split(strings.TrimSuffix(name, "_TYPE"), "_") {
		class += w[:1] + strings.ToLower(w[1:])
	}
	if _, err := s.env.Find(class); err != nil {
		class = strings.NewReplacer("OneByte", "", "TwoByte", "").Replace(class)
	}
	t.add("type_"+class+"__"+name, v, r.Pos)
}

// fieldRows adds the fields of all classes of objects on the heap.
func (s *source) fieldRows(t table) {
	for _, d := range s.env.Declared() {
		if d.Kind != cxx.Class || len(d.Params) > 0 || !s.env.IsA(d, "HeapObject") {
			continue
		}
		c, err := s.env.Class(d.Name)
		if err != nil {
			continue
		}
		l, err := c.Layout()
		if err != nil {
			continue
		}
		for _, m := range l.Members {
			if m.Decl.In != d.Scope || m.Name == "" {
				continue
			}
			typ := strings.Trim(spaceRE.ReplaceAllString(cxx.Join(m.Decl.Type), "_"), "_")
			name := strings.TrimSuffix(m.Name, "_")
			if name == "flexible_array_member_data" {
				name, typ = "data", "FLEXIBLE"
			}
			t.add(fmt.Sprintf("class_%s__%s__%s", d.Name, name, typ), int64(m.Offset), m.Decl.Pos)
		}
	}
	for _, c := range s.torque.Classes {
		if c.CxxLayout || !c.Extern {
			continue
		}
		for _, f := range c.Fields {
			if v, err := s.eval(c.Name + "::k" + torque.Camelify(f.Name) + "Offset"); err == nil {
				typ := strings.Trim(spaceRE.ReplaceAllString(cxx.Join(f.Type), "_"), "_")
				t.add(fmt.Sprintf("class_%s__%s__%s", c.Name, f.Name, typ), v, f.Pos)
			}
		}
	}
}
