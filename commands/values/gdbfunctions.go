package values

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/cexpr"
	"coredbg/core/dwarf"
)

// gdbFunction returns the result of a function that gdb has itself, such as $_strlen (GDB manual, "Convenience
// Funs"). ok is false for another name, or where it has other arguments.
func (e *evaluator) gdbFunction(name string, v dwarf.Value, second *cexpr.Node) (r dwarf.Value, ok bool, err error) {
	switch name {
	case "_strlen":
		return e.integer(e.ofC("int"), uint64(len(textOf(e.s, v)))), second == nil, nil
	case "_as_string":
		return textValue(e, constantOf(e, v)), second == nil, nil
	case "_gdb_setting", "_gdb_setting_str":
		r, err = settingNamed(e, textOf(e.s, v), name == "_gdb_setting_str")
		return r, second == nil, err
	case "_streq", "_regex", "_memeq":
		if second == nil || name == "_memeq" {
			return r, false, nil
		}
		other, err := e.eval(second)
		if err != nil {
			return other, true, err
		}
		if name == "_streq" {
			return e.truth(textOf(e.s, v) == textOf(e.s, other)), true, nil
		}
		re, err := regexp.Compile(textOf(e.s, other))
		if err != nil {
			return r, true, err
		}
		at := re.FindStringIndex(textOf(e.s, v))
		return e.truth(at != nil && at[0] == 0), true, nil
	case "_caller_is", "_caller_matches", "_any_caller_is", "_any_caller_matches":
		return callers(e, name, textOf(e.s, v), second)
	case "_isvoid":
		return e.integer(e.ofC("int"), map[bool]uint64{true: 1}[isVoid(v)]), second == nil, nil
	}
	return r, false, nil
}

// textValue makes a string.
func textValue(e *evaluator, s string) dwarf.Value {
	b := append([]byte(s), 0)
	return e.made.Made(e.ofC("char").ArrayOf(int64(len(b))), b)
}

// constantOf is the name of the constant of an enumeration that a value is, or the value as it is shown.
func constantOf(e *evaluator, v dwarf.Value) string {
	if t := v.Type.Strip(); t != nil && t.Kind == dwarf.Enum {
		if i, err := v.Int(); err == nil {
			for _, c := range t.Enumerators() {
				if c.Value == i {
					return c.Name
				}
			}
		}
	}
	return textOf(e.s, v)
}

// settingNamed is the value of a setting, as a number if it is one and text was not asked for.
func settingNamed(e *evaluator, name string, text bool) (dwarf.Value, error) {
	value, ok := commands.Setting(e.s, name)
	if !ok {
		return dwarf.Value{}, fmt.Errorf("there is no setting %q", name)
	}
	if n, err := strconv.Atoi(value); err == nil && !text {
		return e.integer(e.ofC("unsigned int"), uint64(n)), nil
	}
	if (value == "on" || value == "off") && !text {
		return e.integer(e.ofC("int"), map[string]uint64{"on": 1}[value]), nil
	}
	return textValue(e, value), nil
}

// callers says whether the functions that have called the current frame's, as many levels up as the second argument
// says, have a name or match an expression.
func callers(e *evaluator, name, want string, second *cexpr.Node) (r dwarf.Value, ok bool, err error) {
	levels := operand{u: 1}
	if second != nil {
		v, err := e.eval(second)
		if err == nil {
			levels, err = e.number(v)
		}
		if err != nil {
			return r, true, err
		}
	}
	matches := func(function string) bool { return function == want }
	if strings.HasSuffix(name, "_matches") {
		re, err := regexp.Compile(want)
		if err != nil {
			return r, true, err
		}
		matches = func(function string) bool { at := re.FindStringIndex(function); return at != nil && at[0] == 0 }
	}
	if e.s.Thread == nil {
		return r, true, errNoCall
	}
	from, err := current(e.ctx, e.s, e.s.Thread)
	if err != nil {
		return r, true, err
	}
	found := false
	for _, a := range activations(e.ctx, e.s, e.s.Thread) {
		up := a.Index - from.Index
		if up < 0 || uint64(up) > levels.u || !strings.Contains(name, "_any_") && uint64(up) != levels.u {
			continue
		}
		plain, _, _ := strings.Cut(functionOf(a), "(")
		found = found || matches(plain)
	}
	return e.truth(found), true, nil
}
