package js

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// errorWords are words for the error that ended the process, where no variable has the name: a library may have a function of it.
var errorWords = map[string]string{"err": "::jserror", "error": "::jserror", "exception": "::jserror", "lastError": "::jserror"}

// thrownNames are the names that handlers commonly give to an error. Before a member, as in "err.message", they are no words.
var thrownNames = map[string]bool{"err": true, "error": true, "exception": true, "lastError": true, "e": true, "ex": true}

// thrown returns the error nearest to the top of the current thread's stack. ok is false if name is not one that handlers
// give to errors, or if the stack refers to no error.
func thrown(ctx context.Context, s *commands.Session, v *v8.V8, name string) (t layout.Tagged, ok bool) {
	if !thrownNames[name] || s.Thread == nil {
		return 0, false
	}
	list := v.Objects.ErrorsOnStack(ctx, s.Thread)
	if len(list) == 0 {
		return 0, false
	}
	return list[0], true
}

// whichNames names the commands that list what has a name.
const whichNames = " (::jsglobal lists the globals, ::locals the variables of the frame)"

// unnamed returns the reason why a path has no value. If its first name means nothing, it also names the commands that list names.
func unnamed(s *commands.Session, path string, err error) error {
	if !errors.Is(err, object.ErrNoGlobal) {
		return err
	}
	if name := firstName(path); name != path && thrownNames[name] && s.Thread != nil {
		return fmt.Errorf("%w, and the stack of thread %d refers to no error (::analyze says why the process died)", err, s.Thread.TID)
	}
	return fmt.Errorf("%w%s", err, whichNames)
}

// firstName is the name that a path starts with.
func firstName(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}
