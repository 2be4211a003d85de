package values

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// isOperator reports whether a word is an operator between two others. A star may be a pointer's.
func isOperator(word string) bool { return word != "*" && strings.Trim(word, "+-/%=!<>&|^@?") == "" }

// typedValue returns the value of a path or of another expression.
func typedValue(ctx context.Context, c *commands.Call, text string) (dwarf.Value, error) {
	name, steps, err := view.ParsePath(text)
	if err == nil && name != "" && name[0] == '$' { // most often no name of the program
		v, wrong := expressionValue(ctx, c.Session, text)
		if wrong == nil || errors.Is(wrong, core.ErrUnknown) {
			return v, wrong
		}
		if _, err := named(ctx, c.Session, name); err != nil {
			if len(steps) > 0 {
				wrong = fmt.Errorf("%s: %w", text, wrong)
			}
			return v, lang.Abort(wrong)
		}
	}
	if err == nil && name != "" {
		v, err := pathValue(ctx, c, text)
		if err == nil && !isCode(v) || len(steps) > 0 && errors.Is(err, core.ErrUnknown) {
			return v, err
		}
		x, e := expressionValue(ctx, c.Session, text)
		if e == nil || errors.Is(e, core.ErrUnknown) {
			return x, e
		}
		return v, err
	}
	v, err := expressionValue(ctx, c.Session, text)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, core.ErrUnknown):
		return v, err
	case errors.Is(err, dwarf.ErrNoLocation) || core.Fault(err) != nil:
		return v, c.Unknown("%s: %w", text, err)
	}
	return v, lang.Abort(fmt.Errorf("%s: %w", text, err))
}

// pathValue returns the value that a path leads to from a variable.
func pathValue(ctx context.Context, c *commands.Call, path string) (dwarf.Value, error) {
	name, steps, err := view.ParsePath(path)
	if err != nil {
		return dwarf.Value{}, c.Usage("%v", err)
	}
	deep := len(steps) > 0
	v, err := named(ctx, c.Session, name)
	for err != nil && len(steps) > 0 && steps[0].Kind == '.' {
		name, steps = name+"."+steps[0].Name, steps[1:]
		if x, e := program.Dotted(c.Session, name); e == nil {
			v, err = x, nil
		}
	}
	if err != nil && deep {
		err = fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case errors.Is(err, core.ErrUnknown):
		return v, err
	case err != nil:
		return v, lang.Abort(err)
	}
	if v, err = view.WalkPath(c.Session, v, steps); err == nil {
		return v, nil
	}
	if errors.Is(err, dwarf.ErrNoLocation) || core.Fault(err) != nil {
		return v, c.Unknown("%s: %w", path, err)
	}
	return v, lang.Abort(err)
}
