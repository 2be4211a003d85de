package object

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

// cause returns what getCause returns for a throwable. A class may override the method: older
// libcores keep the cause of an InvocationTargetException, an ExceptionInInitializerError, an
// UndeclaredThrowableException and others in a field of their own. Known is unset if an override does more than
// getter follows.
func (rd *Reader) cause(o Object) (at core.Addr, known bool) {
	return rd.call(o, o.Class, "getCause", "()Ljava/lang/Throwable;", new(int))
}

// maxSteps bounds the instructions of a getter, including its callees.
const maxSteps = 128

// call returns the reference that a method without arguments returns for an object, as a class has or
// inherits it. It adds the instructions to steps.
func (rd *Reader) call(o Object, from *Class, name, signature string, steps *int) (core.Addr, bool) {
	for _, c := range append([]*Class{from}, rd.Supers(from)...) {
		if c.Name == "java.lang.Throwable" && name == "getCause" {
			at, ok := rd.RefField(o, "cause")
			if at == o.Addr {
				at = 0 // not set yet
			}
			return at, ok
		}
		if m := rd.declared(c, name, signature); m != nil {
			g := getter{rd: rd, o: o, m: m, class: c, steps: steps}
			return g.run()
		}
	}
	return 0, false
}

// declared returns the method of a class with a name and a signature; nil if the class itself
// declares none.
func (rd *Reader) declared(c *Class, name, signature string) *code.Method {
	all, err := rd.Methods(c)
	if err != nil {
		return nil
	}
	for _, at := range all {
		if m := rd.Method(at); m.Name == name && m.Signature == signature && m.DeclaringClass == c.Addr {
			return m
		}
	}
	return nil
}

// A getter is a method that reads references of its object, compares them and returns one (dex format,
// "Bytecode"). It may call others of the kind.
type getter struct {
	rd    *Reader
	o     Object
	m     *code.Method
	class *Class // that declares m
	steps *int   // the instructions until now, including its callers
	// known are the registers with a known reference. Result is what the last call has returned.
	known  map[uint16]core.Addr
	result core.Addr
}

// run returns what the method returns; ok is false if it has an instruction that is not followed.
func (g *getter) run() (at core.Addr, ok bool) {
	if g.m.Code == nil || g.m.Dex == nil || g.m.Dex.File == nil || g.m.Code.Ins != 1 || g.m.Code.Registers == 0 {
		return 0, false
	}
	units, err := g.m.Dex.File.Instructions(g.m.Code)
	if err != nil {
		return 0, false
	}
	g.known = map[uint16]core.Addr{uint16(g.m.Code.Registers - 1): g.o.Addr}
	for pc := uint32(0); *g.steps < maxSteps; {
		*g.steps++ // before a call, so that it bounds calls too
		in, err := dex.Decode(units, pc)
		if err != nil {
			return 0, false
		}
		if in.Name == "return-object" {
			at, ok := g.known[in.Registers[0]]
			return at, ok
		}
		jump, ok := g.step(&in)
		if !ok {
			return 0, false
		}
		if pc += uint32(in.Size); jump {
			pc = in.Target
		}
	}
	return 0, false
}

// step executes an instruction and reports whether it jumps.
func (g *getter) step(in *dex.Instruction) (jump, ok bool) {
	// A lock changes no field, and a cast was checked when the method ran.
	switch in.Name {
	case "nop", "check-cast", "monitor-enter", "monitor-exit":
		return false, true
	case "goto", "goto/16", "goto/32":
		return true, in.HasTarget
	case "if-eqz", "if-nez":
		a, known := g.known[in.Registers[0]]
		return (a == 0) == (in.Name == "if-eqz"), known && in.HasTarget
	case "if-eq", "if-ne":
		a, known1 := g.known[in.Registers[0]]
		b, known2 := g.known[in.Registers[1]]
		return (a == b) == (in.Name == "if-eq"), known1 && known2 && in.HasTarget
	case "invoke-virtual", "invoke-direct", "invoke-super", "invoke-virtual/range", "invoke-direct/range",
		"invoke-super/range":
		return false, g.invoke(in)
	}
	at, ok := g.value(in)
	if ok {
		g.known[in.Registers[0]] = at
	}
	return false, ok
}

// value returns the reference that an instruction puts into its first register; ok is false if it is not followed.
func (g *getter) value(in *dex.Instruction) (at core.Addr, ok bool) {
	switch in.Name {
	case "move-object", "move-object/from16", "move-object/16":
		at, ok = g.known[in.Registers[1]]
		return at, ok
	case "const/4", "const/16", "const":
		return 0, in.Literal == 0
	case "iget-object", "iget-object-quick":
		return g.field(in)
	case "move-result-object":
		return g.result, true
	}
	return 0, false
}

// field reads a field of the getter's object.
func (g *getter) field(in *dex.Instruction) (core.Addr, bool) {
	if len(in.Registers) != 2 || g.known[in.Registers[1]] != g.o.Addr {
		return 0, false
	}
	offset := in.Index
	if in.Name == "iget-object" {
		f, err := g.m.Dex.File.Field(in.Index)
		if err != nil {
			return 0, false
		}
		var ok bool
		if offset, ok = g.rd.offsetOf(g.o.Class, f); !ok {
			return 0, false
		}
	}
	if size, err := g.rd.Size(g.o); err != nil || uint64(offset)+4 > size {
		return 0, false
	}
	return g.rd.Ref(g.o.Addr + core.Addr(offset))
}

// invoke calls a method of the getter's object that takes no arguments. One of a superclass is looked for there.
func (g *getter) invoke(in *dex.Instruction) bool {
	if len(in.Registers) == 0 || slices.ContainsFunc(in.Registers,
		func(r uint16) bool { return r != in.Registers[0] }) {
		return false
	}
	if at, ok := g.known[in.Registers[0]]; !ok || at != g.o.Addr || in.Ref != dex.MethodRef {
		return false
	}
	m, err := g.m.Dex.File.Method(in.Index)
	if err != nil {
		return false
	}
	from := g.o.Class
	switch {
	case strings.HasPrefix(in.Name, "invoke-direct"):
		from = g.class
	case strings.HasPrefix(in.Name, "invoke-super"):
		supers := g.rd.Supers(g.class)
		if len(supers) == 0 {
			return false
		}
		from = supers[0]
	}
	var ok bool
	g.result, ok = g.rd.call(g.o, from, m.Name, m.Proto.Signature(), g.steps)
	return ok
}

// offsetOf returns the offset of an instance field in objects of a class. A field that a super
// class declares may be named by a class below it (JVM specification, 5.4.3.2).
func (rd *Reader) offsetOf(c *Class, f dex.Field) (uint32, bool) {
	below := true
	for _, s := range append([]*Class{c}, rd.Supers(c)...) {
		if below = below && s.Name != dex.TypeName(f.Class); below {
			continue
		}
		for _, x := range rd.Fields(s) {
			if x.Name == f.Name && !x.Static() {
				return x.Offset, true
			}
		}
	}
	return 0, false
}
