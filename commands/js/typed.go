package js

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/console"
	"coredbg/commands/js/names"
	"coredbg/commands/lang"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

// printTyped prints the values of an expression; it is false if the text is none.
func printTyped(ctx context.Context, c *commands.Call, v *v8.V8, text string, o inspect.InspectOptions) (bool, error) {
	list, err := console.Parse(text)
	if err != nil {
		return false, nil
	}
	for _, n := range list {
		at := console.New(ctx, c.Session, v)
		x, later, err := at.Run(c, n, o)
		if name := at.Missing(err); name != "" {
			err = names.Undefined(ctx, c.Session, v, name, err)
		}
		unmade, absent := (*ecma.UnmadeError)(nil), (*eval.AbsentError)(nil)
		if errors.As(err, &unmade) || errors.As(err, &absent) {
			x, err = &inspect.Value{Kind: object.KindCorrupt, Err: err}, nil
			// Behind a getter that has not run there was no value.
			c.Session.Partial = c.Session.Partial || unmade == nil || unmade.Getter == ""
		}
		if err != nil {
			return true, typedError(c, text, err)
		}
		if err := emitTyped(c, v, text, x); err != nil {
			return true, err
		}
		if err := later(); err != nil {
			return true, err
		}
		for _, text := range at.Notes() {
			c.Session.Warn(errors.New(text))
		}
	}
	return true, nil
}

// emitTyped emits the value of an expression, unless it is nil. A text that a method of console was called with alone
// is shown as it is.
func emitTyped(c *commands.Call, v *v8.V8, text string, x *inspect.Value) error {
	if x == nil {
		return nil
	}
	if method, ok := console.Printing(text); ok && x.Kind == object.KindString {
		return c.Emit(console.Printed(v, method, x))
	}
	return c.Emit(newValue(v, x, c))
}

// typedError says why an expression has no value.
func typedError(c *commands.Call, text string, err error) error {
	err = fmt.Errorf("%s: %w", text, shorter{err})
	var native *ecma.NativeError
	var source *ecma.SourceError
	if errors.As(err, &native) || errors.As(err, &source) || errors.Is(err, core.ErrUnknown) || core.Fault(err) != nil {
		return c.Unknown("%w", err)
	}
	return lang.Abort(err)
}

// A shorter is an error without the name of its package.
type shorter struct{ error }

func (e shorter) Error() string { return strings.TrimPrefix(e.error.Error(), "eval: ") }

func (e shorter) Unwrap() error { return e.error }
