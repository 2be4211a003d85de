package values

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/cexpr"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// A convenience holds the values of the debugger's variables that have a type.
type convenience map[string]convenient

// A convenient is the value of a variable of the debugger. The language's own variable of the name has the number: if
// that was set since, the value is no longer the variable's.
type convenient struct {
	value  dwarf.Value
	number uint64
}

// assign sets a variable of the debugger: $n = x, $n += x, $n++.
func (e *evaluator) assign(n *cexpr.Node) (dwarf.Value, error) {
	if n.A.Op != cexpr.Register {
		return dwarf.Value{}, errors.New("nothing can be assigned in a core")
	}
	name := n.A.Text
	if _, number := program.ValueNumber(name); number || strings.HasPrefix(name, "_") {
		return dwarf.Value{}, fmt.Errorf("$%s cannot be set", name)
	}
	if _, is := e.registerOf(name); is && !e.isVariable(name) {
		return dwarf.Value{}, errors.New("nothing can be assigned in a core")
	}
	if n.B == nil { // $n++ has the value before
		was, err := e.register(name)
		if err != nil {
			return was, err
		}
		step := &cexpr.Node{Op: cexpr.Int, Number: 1}
		next, err := e.binary(&cexpr.Node{Op: cexpr.Binary, Text: n.Text[:1], A: n.A, B: step})
		if err == nil {
			e.setVariable(name, next)
		}
		return was, err
	}
	value := n.B
	if op := strings.TrimSuffix(n.Text, "="); op != "" {
		value = &cexpr.Node{Op: cexpr.Binary, Text: op, A: n.A, B: n.B}
	}
	v, err := e.eval(value)
	if err == nil {
		e.setVariable(name, v)
	}
	return v, err
}

// assigned returns the name of the variable of the debugger that an expression sets; other texts stay.
func assigned(text string) string {
	name, value, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if ok && strings.HasPrefix(name, "$") && !strings.ContainsAny(name, " <>!([.@") && !strings.HasPrefix(value, "=") {
		return strings.TrimRight(name, "+-*/%&|^ ")
	}
	return text
}

// isVariable reports whether a name is a variable of the debugger.
func (e *evaluator) isVariable(name string) bool {
	_, register := e.s.Register(name)
	return !register
}

// setVariable gives a variable of the debugger a value.
func (e *evaluator) setVariable(name string, v dwarf.Value) {
	c := convenient{value: v}
	if x, err := e.number(v); err == nil {
		if c.number = x.u; x.real {
			c.number = uint64(int64(x.f))
		}
	} else if at, ok := v.Addr(); ok {
		c.number = uint64(at)
	}
	vars := commands.Kept[convenience](e.s)
	if vars == nil {
		vars = &convenience{}
		commands.Keep(e.s, vars)
	}
	e.s.Lang.Vars.Set(name, c.number)
	if len(*vars) < program.MostShown {
		(*vars)[name] = c
	}
}

// variable returns the value of a variable of the debugger that has a type.
func (e *evaluator) variable(name string) (dwarf.Value, bool) {
	vars := commands.Kept[convenience](e.s)
	if vars == nil {
		return dwarf.Value{}, false
	}
	c, ok := (*vars)[name]
	now, set := e.s.Lang.Vars.Get(name)
	return c.value, ok && set && now == c.number
}

// special returns the value of a variable whose name begins with "_": the ones that gdb sets by itself (GDB manual,
// "Convenience Vars"). A variable that has no value in a core is void.
func (e *evaluator) special(name string) (dwarf.Value, error) {
	switch name {
	case "_siginfo":
		return e.siginfo()
	case "_thread", "_gthread":
		if t := e.s.Thread; t != nil {
			return e.integer(e.ofC("int"), uint64(slices.Index(e.s.Process.Threads, t)+1)), nil
		}
	case "_exitsignal":
		if sig := e.s.Process.Signal; sig != nil && sig.Number > 0 {
			return e.integer(e.ofC("int"), uint64(sig.Number)), nil
		}
	case "_inferior":
		return e.integer(e.ofC("int"), 1), nil
	case "_", "__":
		x := e.s.Examined
		if x.Last == 0 {
			break
		}
		unit := e.ofC(map[byte]string{'b': "char", 'h': "short", 'g': "long long"}[x.Size])
		if unit == nil {
			unit = e.ofC("int")
		}
		if name == "__" {
			return e.made.At(unit, x.Last), nil
		}
		return e.integer(unit.PointerTo(), uint64(x.Last)), nil
	}
	return dwarf.Value{}, nil
}

// isVoid reports whether a value is void: a variable of the debugger without a value, and no memory of type void.
func isVoid(v dwarf.Value) bool { return v.Type == nil && v.Frame() == nil }

// int8Type returns the type of a byte that is a number and no character.
func int8Type(e *evaluator) *dwarf.Type {
	return dwarf.NewBase("int8_t", dwarf.EncSigned, 1, e.made.Arch.PtrSize)
}

// vector returns a vector register of the current thread, with the parts that gdb gives it.
func (e *evaluator) vector(name string) (dwarf.Value, bool) {
	if e.s.Thread == nil || e.s.Thread.Registers == nil {
		return dwarf.Value{}, false
	}
	for _, r := range e.s.Thread.Registers() {
		size := int64(len(r.Bytes))
		if r.Name != name || size != 8 && size != 16 && size != 32 && size != 64 {
			continue
		}
		var parts []field
		for _, p := range []struct {
			name string
			of   *dwarf.Type
			size int64
		}{{"float", e.ofC("float"), 4}, {"double", e.ofC("double"), 8}, {"int8", int8Type(e), 1},
			{"int16", e.ofC("short"), 2}, {"int32", e.ofC("int"), 4}, {"int64", e.ofC("long long"), 8}} {
			n := size / p.size
			parts = append(parts, field{fmt.Sprintf("v%d_%s", n, p.name), p.of.ArrayOf(n)})
		}
		t := e.group(dwarf.Union, fmt.Sprintf("vec%d", 8*size), parts...)
		return e.made.Made(t, r.Bytes), true
	}
	return dwarf.Value{}, false
}

// ntSigInfo is the type of the note that holds the signal's siginfo_t (Linux, include/uapi/linux/elf.h).
const ntSigInfo = 0x53494749

// siginfo is the signal as the kernel recorded it, with the members that gdb's $_siginfo has (gdb/linux-tdep.c,
// linux_get_siginfo_type_with_fields).
func (e *evaluator) siginfo() (dwarf.Value, error) {
	p := e.s.Process
	for _, n := range p.Notes {
		if n.Type != ntSigInfo || n.Owner != "CORE" || p.OS != "linux" {
			continue
		}
		t := e.siginfoType()
		size, _ := t.Size()
		if int64(len(n.Desc)) < size {
			return dwarf.Value{}, core.Unknown(fmt.Errorf("the siginfo of the core has %d bytes of %d", len(n.Desc), size))
		}
		return e.made.Made(t, n.Desc[:size]), nil
	}
	return dwarf.Value{}, core.Unknown(errors.New("the core has no siginfo"))
}

// A field is a member of a made type.
type field struct {
	name string
	t    *dwarf.Type
}

// siginfoType returns the type of siginfo_t on Linux.
func (e *evaluator) siginfoType() *dwarf.Type {
	const size = 128
	arch := e.made.Arch
	integer, void := e.ofC("int"), dwarf.VoidPointer(arch.PtrSize)
	pid, uid := integer.Named("__pid_t"), e.ofC("unsigned int").Named("__uid_t")
	clock := e.ofC("long").Named("__clock_t")
	sigval := e.group(dwarf.Union, "sigval", field{"sival_int", integer}, field{"sival_ptr", void}).Named("sigval_t")
	bounds := e.group(dwarf.Struct, "", field{"_lower", void}, field{"_upper", void})
	at := int64(12)
	if arch.PtrSize == 8 {
		at = 16
	}
	fields := e.group(dwarf.Union, "",
		field{"_pad", integer.ArrayOf((size - at) / 4)},
		field{"_kill", e.group(dwarf.Struct, "", field{"si_pid", pid}, field{"si_uid", uid})},
		field{"_timer", e.group(dwarf.Struct, "", field{"si_tid", integer}, field{"si_overrun", integer},
			field{"si_sigval", sigval})},
		field{"_rt", e.group(dwarf.Struct, "", field{"si_pid", pid}, field{"si_uid", uid}, field{"si_sigval", sigval})},
		field{"_sigchld", e.group(dwarf.Struct, "", field{"si_pid", pid}, field{"si_uid", uid},
			field{"si_status", integer}, field{"si_utime", clock}, field{"si_stime", clock})},
		field{"_sigfault", e.group(dwarf.Struct, "", field{"si_addr", void}, field{"_addr_lsb", e.ofC("short")},
			field{"_addr_bnd", bounds})},
		field{"_sigpoll", e.group(dwarf.Struct, "", field{"si_band", e.ofC("long")}, field{"si_fd", integer})},
		field{"_sigsys", e.group(dwarf.Struct, "", field{"_call_addr", void}, field{"_syscall", integer},
			field{"_arch", e.ofC("unsigned int")})})
	errno, code := int64(4), int64(8)
	if strings.HasPrefix(arch.Name, "mips") {
		errno, code = code, errno
	}
	return dwarf.NewStruct(dwarf.Struct, "siginfo", size, arch.PtrSize, []dwarf.Member{
		dwarf.NewMember("si_signo", integer, 0), dwarf.NewMember("si_errno", integer, errno),
		dwarf.NewMember("si_code", integer, code), dwarf.NewMember("_sifields", fields, at)})
}

// group makes a struct or a union of fields, with the layout of C.
func (e *evaluator) group(k dwarf.Kind, name string, fields ...field) *dwarf.Type {
	arch := e.made.Arch
	var list []dwarf.Member
	at, size, most := int64(0), int64(0), int64(1)
	for _, f := range fields {
		align, n := view.AlignOf(arch, f.t, 0), int64(0)
		n, _ = f.t.Size()
		if k == dwarf.Struct {
			at = view.AlignUp(size, align)
		}
		list = append(list, dwarf.NewMember(f.name, f.t, at))
		size, most = max(size, at+n), max(most, align)
	}
	return dwarf.NewStruct(k, name, view.AlignUp(size, most), arch.PtrSize, list)
}

// register is the value of a register of the current thread, or of a variable of the debugger.
func (e *evaluator) register(name string) (dwarf.Value, error) {
	if n, ok := program.ValueNumber(name); ok {
		return program.Shown(e.s, n)
	}
	if strings.HasPrefix(name, "_") {
		return e.special(name)
	}
	if v, ok := e.variable(name); ok {
		return v, nil
	}
	u, ok := e.registerOf(name)
	if v, wide := e.vector(name); wide && !ok {
		return v, nil
	}
	if !ok {
		if p, is := e.made.Arch.Part(name); is {
			whole, known := e.registerOf(e.made.Arch.RegNames[p.Slot])
			if known {
				t := map[uint]*dwarf.Type{8: int8Type(e), 16: e.ofC("short"), 32: e.ofC("int")}[p.Bits]
				return e.integer(t, whole>>p.Shift), nil
			}
			name = e.made.Arch.RegNames[p.Slot]
		}
		return dwarf.Value{}, program.NoRegister(e.s, name)
	}
	switch name {
	case "pc", "sp", "fp", "rip", "rsp", "rbp", "eip", "esp", "ebp":
		return e.integer(dwarf.VoidPointer(e.made.Arch.PtrSize), u), nil
	}
	return e.integer(e.ofC("long"), u), nil
}

// registerOf returns a register of the frame that was chosen, else of the thread; or a variable of the debugger.
func (e *evaluator) registerOf(name string) (uint64, bool) {
	if n, ok := e.s.FrameOf(e.s.Thread); ok && e.s.Thread != nil {
		arch := e.made.Arch
		i := arch.SlotOf(name)
		if role, is := map[string]int{"pc": arch.PC, "sp": arch.SP, "fp": arch.FP}[name]; is {
			i = role
		}
		for _, a := range activations(e.ctx, e.s, e.s.Thread) {
			if a.Index == n && i >= 0 {
				return a.machine.Regs.Get(i)
			}
		}
	}
	if u, ok := e.s.Register(name); ok {
		return u, true
	}
	return e.s.Lang.Vars.Get(name)
}
