package values

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/stack"
)

// The bounds of arguments in the line of a frame.
const (
	maxBriefFrames = 1000 // that get any
	maxBriefArgs   = 16   // of a frame
	briefWidth     = 40   // of a value
	briefNodes     = 200

	// The same for values that are shown with their members.
	wholeWidth = 200
	wholeDepth = 8
)

// Brief gives the frames of a stack their arguments in a line.
// Numbers, texts, pointers and names are shown; a value with members is "…", or as long as it fits where all is asked
// for. Frames of native code whose source line is not known get none.
func (x Frames) Brief(ctx context.Context, t *core.Thread, st *stack.Stack, form commands.ArgumentForm) {
	s := x.session
	if len(st.Frames) == 0 {
		return
	}
	frames := st.Frames[:min(len(st.Frames), maxBriefFrames)]
	all := activationsWith(ctx, s, t, stack.Options{Limit: reach(frames)})
	next := 0
	for i := range frames {
		f := &frames[i]
		for next < len(all) && (all[next].Index < f.Index ||
			all[next].Index == f.Index && all[next].Name != f.Name) {
			next++
		}
		if next == len(all) || ctx.Err() != nil {
			return
		}
		if a := all[next]; a.Index == f.Index && a.PC == f.PC {
			f.Args = briefArgs(s, a, form)
		}
	}
}

// briefArgs returns the arguments of a frame.
func briefArgs(s *commands.Session, a *activation, form commands.ArgumentForm) string {
	var list []string
	switch {
	case a.managed:
		if !stack.Managed(&a.Frame) || a.borrowed() {
			return ""
		}
		vars, _ := a.variables()
		for i := range vars {
			if v := &vars[i]; v.Kind == "argument" {
				list = append(list, briefManaged(v, form))
			}
		}
	case a.File == "" || a.scope() == nil:
		return ""
	default:
		for _, v := range a.scope().Vars {
			if v.Kind != dwarf.Argument || v.Name == "" || v.Name[0] == '.' || v.Name[0] == '~' {
				continue
			}
			list = append(list, sym.Clean(v.Name)+"="+briefValue(s, a, v, form))
			if len(list) > maxBriefArgs {
				break
			}
		}
	}
	if len(list) > 0 && (form == commands.ArgumentsPresence || form != commands.ArgumentsNone && !known(list)) {
		return "…"
	}
	if len(list) > maxBriefArgs {
		list = append(list[:maxBriefArgs], "…")
	}
	return strings.Join(list, ", ")
}

// known reports whether one of several arguments has a value.
func known(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return !strings.HasSuffix(s, notKnown) })
}

// notKnown stands for a value that is optimised out or cannot be read. ::args says why.
const notKnown = "?"

// withoutAddress returns a value's text without the address of the object that comes first.
func withoutAddress(text string) string {
	head, rest, ok := strings.Cut(text, ": ")
	digits := strings.TrimPrefix(head, "0x")
	if !ok || len(digits) < 4 || strings.Trim(digits, "0123456789abcdef") != "" || rest == "" {
		return text
	}
	return rest
}

// briefValue returns the value of a native variable.
func briefValue(s *commands.Session, a *activation, v *dwarf.Variable, form commands.ArgumentForm) string {
	if form == commands.ArgumentsNone || form == commands.ArgumentsPresence {
		return "…"
	}
	w := view.New(s)
	if form == commands.ArgumentsAll {
		w.Depth, w.Left = wholeDepth, briefNodes
		n := w.View("", a.value(v), 0)
		if whole := (view.Form{}).Flat(n, wholeWidth); whole != "" && n.Kind != view.Unknown {
			return whole
		}
		return brief(n)
	}
	w.Depth, w.Limit, w.Left = 1, 4, briefNodes
	return brief(w.View("", a.value(v), 0))
}

// brief returns a node in at most briefWidth characters or so.
func brief(n *view.Node) string {
	switch n.Kind {
	case view.Object, view.Array, view.Pair:
		if n.Tag != "" && len(n.List) == 0 && n.More == 0 {
			return sym.Clean(n.Tag)
		}
		return "…"
	case view.Unknown:
		return notKnown
	}
	short := *n
	short.Note = ""
	short.Text, short.Cut = clip(short.Text), short.Cut || len(short.Str) > briefWidth
	short.Str = clip(short.Str)
	if n.Kind == view.Scalar && n.HasStr { // a pointer to text is known by the text
		short.Text = ""
		return strings.TrimSpace((view.Form{}).Leaf(&short))
	}
	if short.Kind == view.Text && len(n.Text) > briefWidth {
		return (view.Form{}).Leaf(&view.Node{Kind: view.Text, Text: strings.TrimSuffix(short.Text, "…")}) + "…"
	}
	return (view.Form{}).Leaf(&short)
}

// clip returns at most briefWidth bytes of a text, and no part of a character.
func clip(s string) string {
	if len(s) <= briefWidth {
		return s
	}
	return strings.ToValidUTF8(s[:briefWidth], "")
}

// briefManaged returns the value of an argument of managed code, with its name if it has one: without one it is called
// by its number.
func briefManaged(v *commands.Variable, form commands.ArgumentForm) string {
	name := sym.Clean(v.Name) + "="
	if isNumbered(v.Name) {
		name = ""
	}
	if form == commands.ArgumentsNone || form == commands.ArgumentsPresence {
		return name + "…"
	}
	if v.Why != "" {
		return name + notKnown
	}
	text := withoutAddress(sym.Clean(v.Text))
	if len(text) <= briefWidth || form == commands.ArgumentsAll && len(text) <= wholeWidth {
		return name + text
	}
	switch text[0] {
	case '\'', '"', '`':
		return name + clip(text) + "…" + text[:1]
	case '{', '[':
		return name + text[:1] + "…" + map[byte]string{'{': "}", '[': "]"}[text[0]]
	}
	if head, _, ok := strings.Cut(text, " {"); ok && len(head) <= briefWidth {
		return name + head + " {…}"
	}
	if head, _, ok := strings.Cut(text, " ["); ok && len(head) <= briefWidth {
		return name + head + " […]"
	}
	return name + clip(text) + "…"
}

// isNumbered reports whether an argument has no name of its own.
func isNumbered(name string) bool {
	n, ok := strings.CutPrefix(name, "arg")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}
