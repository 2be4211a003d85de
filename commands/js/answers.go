package js

import (
	"context"

	"coredbg/commands"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

// valueOf returns the value of a path: a value on a heap, or the answer of an embedder's function for the last
// name of the path, as for a name in process.env.
func valueOf(ctx context.Context, c *commands.Call, v *v8.V8, path string,
	o inspect.InspectOptions) (*inspect.Value, error) {
	s, err := startOf(ctx, c, v, path)
	if err == nil {
		return v.Values.InspectSlot(s, o), nil
	}
	names, e := object.Path(path)
	if e != nil || len(names) == 0 || len(names) == 1 && !c.HasAddr {
		return nil, err
	}
	last := len(names) - 1
	holder, e := startAt(ctx, c, v, names[:last])
	if e != nil || holder.Raw {
		return nil, err
	}
	switch x, e := v.Values.Answer(holder.Word, names[last], o); {
	case e != nil:
		return nil, c.Unknown("%s: %w", path, e)
	case x != nil:
		return x, nil
	}
	return nil, err
}
