package values

import (
	"errors"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// viewOptions are the options of the commands that show values.
var viewOptions = []commands.Option{
	{Letter: 'a', Help: "show the addresses of members"},
	{Letter: 't', Help: "show the types of members"},
	{Letter: 'x', Help: "show numbers in hexadecimal"},
	{Letter: 'd', Arg: "depth", Help: "show members of members down to this depth (default 8)"},
	{Letter: 'l', Arg: "limit", Help: "show at most this many elements of an array (default 32)"},
}

// viewOf returns the viewer and the form that a command's options ask for.
func viewOf(c *commands.Call) (*view.Viewer, view.Form, error) {
	w := view.New(c.Session)
	radix, _ := commands.Setting(c.Session, "output-radix")
	w.Leaf.Hex = c.Flag('x') || radix == "16"
	depth, err := c.Int('d', commands.SettingNumber(c.Session, "print max-depth", view.DefaultDepth))
	if err != nil {
		return nil, view.Form{}, err
	}
	limit, err := c.Int('l', commands.SettingNumber(c.Session, "print elements", view.DefaultLimit))
	if err != nil {
		return nil, view.Form{}, err
	}
	w.Depth, w.Limit = depth, int64(limit)
	return w, view.Form{Types: c.Flag('t'), Addrs: c.Flag('a')}, nil
}

// memberPath follows "a.b[1]" from a value.
func memberPath(s *commands.Session, v dwarf.Value, path string) (dwarf.Value, error) {
	if strings.HasPrefix(path, "*") || strings.HasPrefix(path, "[") || strings.HasPrefix(path, ".") ||
		strings.HasPrefix(path, "->") {
		_, steps, err := view.ParsePath(path)
		if err != nil {
			return v, err
		}
		return view.WalkPath(s, v, steps)
	}
	_, steps, err := view.ParsePath("." + path)
	if err != nil {
		return v, err
	}
	return view.WalkPath(s, v, steps)
}

// valueAt returns the value at dot: as the type that the first words name, or as the variable that is
// there; with the words that are left.
func valueAt(c *commands.Call, words []string) (dwarf.Value, []string, error) {
	s := c.Session
	if len(words) > 0 {
		name, rest := cutType(words)
		t, f, err := program.TypeNamed(s, name)
		if err == nil {
			return f.At(t, c.Dot), rest, nil
		}
		v, f, off, e := program.VariableAt(s, c.Dot)
		if e != nil || off != 0 {
			return dwarf.Value{}, nil, lang.Abort(err)
		}
		return v.Value(f), words, nil
	}
	v, f, off, err := program.VariableAt(s, c.Dot)
	switch {
	case err != nil && errors.Is(err, core.ErrUnknown):
		return dwarf.Value{}, nil, err
	case err != nil:
		return dwarf.Value{}, nil, c.Usage("%v: which type is meant?", err)
	case off != 0:
		return dwarf.Value{}, nil, c.Usage("%v is %#x bytes into %s, a %s: which type is meant?", c.Dot, off, v.Name,
			v.Type().Name())
	}
	return v.Value(f), nil, nil
}

// cutType splits words after the name of a type: "struct node *", "unsigned long", "T".
func cutType(words []string) (name string, rest []string) {
	n := 1
	switch words[0] {
	case "struct", "class", "union", "enum":
		n = min(2, len(words))
	}
	for n < len(words) && (isKeyword(words[n]) && isKeyword(words[0]) || strings.Trim(words[n], "*") == "" ||
		strings.HasPrefix(words[n], "[") && n > 1) {
		n++
	}
	return strings.Join(words[:n], " "), words[n:]
}

// texts returns the arguments as they are typed.
func texts(c *commands.Call) []string {
	all := make([]string, len(c.Args))
	for i, a := range c.Args {
		all[i] = c.Text(a)
	}
	return all
}
