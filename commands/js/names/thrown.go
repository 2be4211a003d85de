package names

import (
	"context"
	"errors"
	"slices"
	"strings"

	"coredbg/commands"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// thrownNames are the names that handlers commonly give to an error. Before a member, as in "err.message",
// they are no words.
var thrownNames = map[string]bool{"err": true, "error": true, "exception": true, "lastError": true,
	"e": true, "ex": true}

// Thrown returns the error nearest to the top of the current thread's stack. ok is false if name is not one
// that handlers give to errors, or if the stack refers to no error.
func Thrown(ctx context.Context, s *commands.Session, v *v8.V8, name string) (t layout.Tagged, ok bool) {
	if !thrownNames[name] || s.Thread == nil {
		return 0, false
	}
	list := v.Objects.ErrorsOnStack(ctx, s.Thread)
	if len(list) == 0 {
		return 0, false
	}
	return list[0], true
}

// mostNames bounds the names that an undefinedError lists.
const mostNames = 12

// An undefinedError says that a name means nothing, as JavaScript does, and which names do.
type undefinedError struct {
	name  string
	names []string // of the variables that the frame sees
	where string   // the frame's function; "" without one
	err   error
}

func (e *undefinedError) Unwrap() error { return e.err }

func (e *undefinedError) Error() string {
	text := "ReferenceError: " + e.name + " is not defined here"
	if e.where != "" {
		text += ", in " + e.where
	}
	if len(e.names) > 0 {
		text += "; in scope: " + strings.Join(e.names[:min(len(e.names), mostNames)], ", ")
		if len(e.names) > mostNames {
			text += ", …"
		}
	}
	return text + " (::jsglobal lists the globals, ::locals the variables of the frame)"
}

// Undefined returns the error for a name that means nothing.
func Undefined(ctx context.Context, s *commands.Session, v *v8.V8, name string, err error) error {
	e := &undefinedError{name: name, err: err}
	at, framed := PlaceOf(ctx, s)
	if !framed {
		return e
	}
	at.each(v, func(w string, _ object.Slot, _ bool) bool {
		if !register(w) && !slices.Contains(e.names, w) {
			e.names = append(e.names, w)
		}
		return len(e.names) <= mostNames
	})
	e.where = at.name
	return e
}

// register reports whether a name is none of the program: V8's own, or the number of a register of its
// interpreter, whose variable is not known.
func register(name string) bool {
	number, ok := strings.CutPrefix(name, "r")
	return name == "" || name[0] == '.' || ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// Unnamed returns the reason why a path has no value.
func Unnamed(ctx context.Context, c *commands.Call, v *v8.V8, path string, err error) error {
	if !errors.Is(err, object.ErrNoGlobal) || First(path) == "" {
		return err
	}
	return Undefined(ctx, c.Session, v, First(path), err)
}

// First is the name that a path starts with.
func First(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}
