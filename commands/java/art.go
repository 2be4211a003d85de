package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/java"
	"coredbg/stack"
	"coredbg/walk"
)

// module is the name of the commands' module in ::dcmds.
const module = "art"

// errNoJava is the answer of commands for any Java virtual machine to a process without one.
var errNoJava = fmt.Errorf("%w, and no other Java virtual machine that is known", art.ErrNone)

// artOf returns the ART of a call's session.
func artOf(c *commands.Call) (*art.ART, error) {
	a, ok := commands.RuntimeOf[*art.ART](c.Session)
	if !ok {
		if r, ok := commands.RuntimeOf[runtimes.JavaRunner](c.Session); ok {
			return nil, fmt.Errorf("%w; commands for Java on %s are ::jvm, ::javathreads, ::javastack, ::jstackdump, ::javamonitors, ::deadlock, "+
				"::javaprint, ::javaclass and ::javaexception", art.ErrNone, r.Name())
		}
		return nil, art.ErrNone
	}
	return a, nil
}

// objectsOf returns the objects of Java in a call's session.
func objectsOf(c *commands.Call) (java.Objects, error) {
	m, ok := commands.RuntimeOf[java.Objects](c.Session)
	if !ok {
		return nil, commands.LacksJava(c.Session, errNoJava)
	}
	return m, nil
}

// heapOf returns the ART of a call's session with its heap.
func heapOf(c *commands.Call) (*art.ART, *heap.Heap, error) {
	a, err := artOf(c)
	if err != nil {
		return nil, nil, err
	}
	h, err := a.Heap()
	return a, h, err
}

// threadNamed is threadOf for a call that may name the thread by an argument,
// the kernel's id.
func threadNamed(c *commands.Call, a *art.ART) (*core.Thread, error) {
	if len(c.Args) == 0 {
		return threadOf(c, a)
	}
	return nativeNamed(c)
}

// nativeNamed is Call.Thread for a call that may name the thread by an argument, the kernel's id.
func nativeNamed(c *commands.Call) (*core.Thread, error) {
	if len(c.Args) == 0 {
		return c.Thread()
	}
	n, err := c.Decimal(c.Args[0])
	if err != nil {
		return nil, err
	}
	if t := c.Session.Process.Thread(n); t != nil {
		return t, nil
	}
	if r, ok := commands.RuntimeOf[runtimes.JavaThreader](c.Session); ok {
		all, _ := r.JavaThreads()
		for _, t := range all {
			if t.Virtual && t.Number == int64(n) && t.Native != nil {
				return t.Native, nil
			}
		}
	}
	return nil, fmt.Errorf("no thread has the id %d", n)
}

// threadOf is Call.Thread for a dot that may also be the address of an
// art::Thread.
func threadOf(c *commands.Call, a *art.ART) (*core.Thread, error) {
	t, err := c.Thread()
	if err == nil {
		return t, nil
	}
	all, _ := a.Threads()
	for _, x := range all {
		if c.HasAddr && x.Addr == c.Dot && x.Native != nil {
			return x.Native, nil
		}
	}
	return nil, err
}

// threadsAt returns the threads whose stack holds dot, or all threads if no stack is known to.
func threadsAt(c *commands.Call, a *art.ART) []*core.Thread {
	all, _ := a.Threads()
	var out []*core.Thread
	for _, x := range all {
		if x.Native != nil && x.StackBegin <= c.Dot && uint64(c.Dot-x.StackBegin) < x.StackSize {
			out = append(out, x.Native)
		}
	}
	if len(out) == 0 {
		return c.Session.Process.Threads
	}
	return out
}

// frameAt returns the activation at dot, as the walk of its thread finds it.
func frameAt(ctx context.Context, c *commands.Call, a *art.ART) (found *frame.Activation) {
	for _, t := range threadsAt(c, a) {
		c.Session.Stacks.Thread(ctx, t, stack.Options{
			ManagedOnly: true,
			Each: func(_ *stack.Frame, f *walk.Frame, _ *runtimes.SourceFrame) {
				if q, ok := f.Record.(*frame.Activation); ok && q.At == c.Dot {
					found = q
				}
			},
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// dexesOf returns the dex files that a call means, and whether they are all.
func dexesOf(ctx context.Context, c *commands.Call) ([]*code.DexFile, bool, error) {
	a, err := artOf(c)
	if err != nil {
		return nil, false, err
	}
	if c.HasAddr {
		d, err := a.DexOf(ctx, c.Dot)
		if err != nil {
			return nil, false, err
		}
		return []*code.DexFile{d}, false, nil
	}
	list, err := a.DexFiles(ctx)
	if err != nil {
		if len(list) == 0 {
			return nil, true, err
		}
		c.Warn("%w", err)
	}
	return list, true, nil
}

// dexAddr returns the art::DexFile, or the header where there is none.
func dexAddr(d *code.DexFile) core.Addr {
	if d.Addr != 0 {
		return d.Addr
	}
	return d.Begin
}
