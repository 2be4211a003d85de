package node

import (
	"context"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

var nodefatalCommand = commands.Command{
	Name: "nodefatal", Module: module, Addr: commands.AddrOptional,
	Summary: "show the message that V8 or Node aborted with",
	Detail: `Shows the message of a fatal error, such as "Reached heap limit Allocation failed -
JavaScript heap out of memory", as far as the stack of the thread still refers to it:
of the thread with the id given, or of the current one. It is what Node printed after
"FATAL ERROR:", or the message that a failed check left in V8_Fatal. Other messages that were put together
at run time are not found.`,
	Example: "::nodefatal",
	SeeAlso: []string{"jserror", "v8heap", "status"},
	Run:     runNodefatal,
}

// fatalRecord is why a thread gave up.
type fatalRecord struct {
	_        out.Record `record:"nodefatal"`
	TID      int        `json:"tid"`
	Messages []string   `json:"messages"` // the nearest to the top of the stack first
}

func runNodefatal(ctx context.Context, c *commands.Call) error {
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	t, err := c.StackOf()
	if err != nil {
		return err
	}
	list := v.FatalMessages(ctx, t)
	if len(list) == 0 {
		return c.Empty("the stack of thread %d refers to no message of a fatal error", t.TID)
	}
	return c.Emit(&fatalRecord{TID: t.TID, Messages: list})
}

// Text writes the messages on a line, as Node prints them.
func (r *fatalRecord) Text(w *out.Writer) { w.Printf("%s\n", strings.Join(r.Messages, " ")) }
