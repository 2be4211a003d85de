package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
	"coredbg/stack"
	"coredbg/walk"
)

var javaframeCommand = commands.Command{
	Name: "javaframe", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'l', Help: "show the local variables and registers"},
		{Letter: 'v', Help: "show the kind of code, the method, the dex pc and the place of the frame"},
	},
	Summary: "show the Java frame at an address",
	Detail: `The address is a ShadowFrame or a quick frame, as ::walk javaframe and
::javastack -v give it, or any address in a quick frame. A compiled frame may stand
for several calls: all are shown, the innermost first.

` + frameHelp,
	Example: "::walk javaframe | ::javaframe -l",
	SeeAlso: []string{"javastack", "shadowframe", "quickframe"},
	Run:     runFrame,
}

// frameRecord is one Java frame, as ::javaframe shows it.
type frameRecord struct {
	commands.FrameRecord
	at core.Addr
}

// Addr returns the address of the frame's record.
func (r *frameRecord) Addr() (core.Addr, bool) { return r.at, true }

// Text writes the frame.
func (r *frameRecord) Text(w *out.Writer) {
	w.Printf("%016x", uint64(r.at))
	writeFrame(w, (*stack.Frame)(&r.FrameRecord), false)
}

// JSON implements out.Formed.
func (r *frameRecord) JSON() any { return &r.FrameRecord }

func runFrame(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	for _, t := range threadsAt(c, a) {
		var found []*frameRecord
		more := &detail{a: a, verbose: c.Flag('v'), locals: c.Flag('l')}
		c.Session.Stacks.Thread(ctx, t, stack.Options{
			ManagedOnly: true,
			Each: func(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
				q, ok := f.Record.(*frame.Activation)
				if !ok || src == nil || c.Dot != q.At && (c.Dot < q.At || uint64(c.Dot-q.At) >= q.Size) {
					return
				}
				more.add(r, f, src)
				found = append(found, &frameRecord{commands.FrameRecord(*r), q.At})
			},
		})
		for _, f := range found {
			if err := c.Emit(f); err != nil {
				return err
			}
		}
		if len(found) > 0 {
			return nil
		}
	}
	return fmt.Errorf("%v: no Java frame of a thread is there", c.Dot)
}

var frameWalkers = []commands.Walker{
	{Name: "javaframe", Module: module, Addr: commands.AddrOptional,
		Summary: "addresses of a thread's Java frames, the current one's without a thread id", Walk: walkFrames},
}

// walkFrames yields the addresses of a thread's Java frames, the innermost
// first. Calls that were inlined into one frame share its address.
func walkFrames(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	t, err := threadOf(c, a)
	if err != nil {
		return err
	}
	var all []core.Addr
	c.Session.Stacks.Thread(ctx, t, stack.Options{
		ManagedOnly: true,
		Each: func(_ *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
			q, ok := f.Record.(*frame.Activation)
			if ok && src != nil && (len(all) == 0 || all[len(all)-1] != q.At) {
				all = append(all, q.At)
			}
		},
	})
	for _, at := range all {
		if !yield(at) {
			return nil
		}
	}
	return nil
}
