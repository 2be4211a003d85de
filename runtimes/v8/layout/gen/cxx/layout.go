package cxx

import "fmt"

// A Member is a field of a class, at its offset in bytes.
type Member struct {
	Name   string
	Type   *Type
	Offset int
	Size   int
	Decl   *Decl
}

// A Layout has the offsets of a class's fields, its bases' fields first.
type Layout struct {
	Members []Member
	Size    int
	Align   int
	// End is the end of the fields, without padding for alignment.
	End int
}

// Layout returns where the fields of a class lie.
func (t *Type) Layout() (*Layout, error) {
	if t.laid != nil {
		return t.laid, nil
	}
	if t.class == nil || t.class.Forward {
		return nil, fmt.Errorf("%s is not a class that is defined", t.Name)
	}
	if t.env.depth > maxDepth {
		return nil, errDeep
	}
	if t.busy {
		return nil, fmt.Errorf("%s contains itself", t.Name)
	}
	t.busy = true
	defer func() { t.busy = false }()
	s := t.class.Scope
	l := &Layout{Align: 1}
	inside := t.env
	inside.scope, inside.lazy = s, false
	inside.depth++
	for i, b := range s.Bases {
		base, err := inside.base(i, b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		bl, err := base.Layout()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		l.End = alignUp(l.End, bl.Align)
		for _, m := range bl.Members {
			m.Offset += l.End
			l.Members = append(l.Members, m)
		}
		l.End += bl.End
		l.Align = max(l.Align, bl.Align)
	}
	if s.Virtual && len(s.Bases) == 0 {
		l.End, l.Align = 8, 8
	}
	if err := l.fields(inside, s); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	l.Size = max(1, alignUp(l.End, l.Align))
	if l.End == 0 && len(l.Members) > 0 {
		l.Size = 0
	}
	t.laid, t.Size, t.Align = l, l.Size, l.Align
	return l, nil
}

func alignUp(n, align int) int {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}

// fields places the fields of one scope.
func (l *Layout) fields(e Env, s *Scope) error {
	start := l.End
	for _, f := range s.Fields {
		m, align, err := e.field(f)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		if s.Pack > 0 {
			align = min(align, s.Pack)
		}
		if len(f.Align) > 0 {
			if n, err := e.alignment(f.Align); err == nil {
				align = max(align, n)
			}
		}
		m.Offset = alignUp(l.End, align)
		if s.Union {
			m.Offset = start
		}
		l.Align = max(l.Align, align)
		l.End = max(l.End, m.Offset+m.Size)
		if f.Name == "" && f.Scope != nil { // the members of an anonymous union are the class's
			for _, inner := range m.Type.laid.Members {
				inner.Offset += m.Offset
				l.Members = append(l.Members, inner)
			}
			continue
		}
		l.Members = append(l.Members, *m)
	}
	return nil
}

// field returns a field with its size, and its alignment.
func (e Env) field(f *Decl) (*Member, int, error) {
	var t *Type
	var err error
	if f.Scope != nil {
		t, err = e.typeDecl(&Decl{Kind: Class, Name: f.Name, In: f.In, Scope: f.Scope})
	} else {
		t, err = e.typeOf(f.Type)
	}
	if err != nil {
		return nil, 0, err
	}
	m := &Member{Name: f.Name, Type: t, Size: t.Size, Decl: f}
	for _, dim := range f.Dims {
		n, err := e.eval(dim)
		if err != nil {
			return nil, 0, err
		}
		if n < 0 || n > 1<<24 {
			return nil, 0, fmt.Errorf("an array of %d elements", n)
		}
		m.Size *= int(n)
	}
	if len(f.Bits) > 0 {
		return nil, 0, fmt.Errorf("bit fields of the language are not laid out")
	}
	return m, t.Align, nil
}

func (e Env) alignment(t []Token) (int, error) {
	if typ, err := e.typeOf(t); err == nil {
		return typ.Align, nil
	}
	n, err := e.eval(t)
	return int(n), err
}

// Member returns a field of a class or of its bases.
func (t *Type) Member(name string) (*Member, error) {
	l, err := t.Layout()
	if err != nil {
		return nil, err
	}
	for i := len(l.Members) - 1; i >= 0; i-- {
		if l.Members[i].Name == name {
			return &l.Members[i], nil
		}
	}
	return nil, fmt.Errorf("%s has no field %s", t.Name, name)
}

// Class returns a class by its name, laid out.
func (e Env) Class(name string) (*Type, error) {
	t, err := e.className(Lex(name))
	if err != nil {
		return nil, err
	}
	_, err = t.Layout()
	return t, err
}
