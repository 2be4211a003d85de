package values

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"coredbg/commands"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// The bounds of a scene.
const (
	sceneAround = 2 // lines on each side
	sceneValues = 6
	sceneWidth  = 70   // of a value
	sceneWhole  = 4096 // of a value before it is cut
)

// Scene shows where a thread is: the source of its current frame and the variables that the line names. It returns
// nil for a thread without frames.
func (x Frames) Scene(ctx context.Context, t *core.Thread) *commands.Scene {
	s := x.session
	a, err := current(ctx, s, t)
	if err != nil {
		return nil
	}
	return a.scene(ctx, s)
}

// Scenes does so for several frames of a thread.
func (x Frames) Scenes(ctx context.Context, t *core.Thread, frames map[int]bool) (list []*commands.Scene) {
	s := x.session
	for _, a := range activations(ctx, s, t) {
		if frames[a.Index] {
			list = append(list, a.scene(ctx, s))
		}
	}
	return list
}

// scene returns the source of a frame and the variables that its line names.
func (a *activation) scene(ctx context.Context, s *commands.Session) *commands.Scene {
	x := &commands.Scene{Frame: a.Index, Name: functionOf(a)}
	p := &position{at: a.machine.LookupPC(), file: a.File, line: a.Line, held: a.source}
	if a.File == "" || a.Line == 0 {
		if p = positionOf(s, a.machine.LookupPC()); p == nil || a.managed {
			x.Why = whyNoLine(s, a)
			return x
		}
	}
	x.File, x.Line = p.file, p.line
	x.Lines, x.Why = p.lines(ctx, s, max(p.line-sceneAround, 1), p.line+sceneAround)
	x.Values, x.Known = a.named(s, wordsOf(x))
	return x
}

// whyNoLine says why the source line of a frame is not known.
func whyNoLine(s *commands.Session, a *activation) error {
	if a.why() != nil && !a.managed {
		return a.why()
	}
	return errors.New("the source line is not known")
}

// wordsOf returns the names in the line of a scene; nil if its text is not known.
func wordsOf(x *commands.Scene) map[string]bool {
	for _, l := range x.Lines {
		if l.Number != x.Line {
			continue
		}
		words := map[string]bool{}
		for _, w := range strings.FieldsFunc(l.Text,
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }) {
			words[w] = true
		}
		return words
	}
	return nil
}

// named returns the variables of a frame that have one of some names, or its first ones for nil, and whether
// the frame has any that can be read. Without a word for it in the line, "this" is left out.
func (a *activation) named(s *commands.Session, words map[string]bool) (list []string, known bool) {
	add := func(name, value string, readable bool) {
		known = known || readable
		if readable && (words == nil && name != "this" || words[name]) && len(list) < sceneValues {
			list = append(list, sym.Clean(name)+" = "+value)
		}
	}
	if a.scope() == nil {
		if !a.managed || a.borrowed() {
			return nil, false
		}
		vars, _ := a.variables()
		for i := range vars {
			v := &vars[i]
			if v.Name == "this" && v.Text == "undefined" {
				continue
			}
			add(v.Name, cutText(withoutAddress(sym.Clean(v.Text)), sceneWidth), v.Why == "")
		}
		return list, known
	}
	vars := a.scope().Vars
	inner := map[string]int{} // variables of inner blocks come last, and hide others
	for i, v := range vars {
		inner[v.Name] = i
	}
	for i, v := range vars {
		if v.Name == "" || ownNames[v.Name] || v.Name[0] == '.' || v.Name[0] == '~' || inner[v.Name] != i ||
			len(list) >= sceneValues {
			continue
		}
		if words != nil && !words[v.Name] && known {
			continue
		}
		text, readable := sceneValue(s, a, v)
		add(v.Name, text, readable)
	}
	return list, known
}

// ownNames are variables that compilers add: they hold the function's name ([dcl.fct.def.general], and GCC's).
var ownNames = map[string]bool{"__func__": true, "__FUNCTION__": true, "__PRETTY_FUNCTION__": true}

// sceneValue returns a variable's value in a line, and whether it is known.
func sceneValue(s *commands.Session, a *activation, v *dwarf.Variable) (string, bool) {
	w := view.New(s)
	w.Depth, w.Limit, w.Left, w.Opens = 2, 8, briefNodes, true
	n := w.View("", a.value(v), 0)
	if n.Kind == view.Unknown {
		return "", false
	}
	if line := (view.Form{}).Flat(n, sceneWidth); line != "" {
		return line, true
	}
	w = view.New(s)
	w.Depth, w.Limit, w.Left = 1, 4, briefNodes
	if line := (view.Form{}).Flat(w.View("", a.value(v), 0), sceneWhole); line != "" {
		return cutText(line, sceneWidth), true
	}
	return "{ … }", true
}

// cutText returns at most n bytes of a text, with "…" if that is not all of it.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
