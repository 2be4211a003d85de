package js

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/console"
	"coredbg/commands/js/names"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
)

// sayOthers warns if the current thread's realm lacks a global that several other threads have, and says which
// thread's was taken.
func sayOthers(ctx context.Context, c *commands.Call, v *v8.V8, text string) {
	if c.HasAddr || c.Session.Thread == nil {
		return
	}
	words := []string{names.First(text)}
	if !console.IsPath(text) {
		list, _ := console.Parse(text)
		words = nil
		for _, n := range list {
			free, _ := syntax.FreeNames(n)
			words = append(words, free...)
		}
	}
	at, framed := names.PlaceOf(ctx, c.Session)
	own := v.Objects.NativeContexts(ctx, c.Session.Thread)
	for _, name := range words {
		if framed {
			if _, ok := at.Variable(v, name); ok {
				continue
			}
		}
		if len(own) > 0 && hasGlobal(v, own[0], name) {
			continue
		}
		if tids := threadsWith(ctx, c, v, name); len(tids) > 1 {
			c.Session.Warn(fmt.Errorf("%s is a global of %d threads: this is the one of thread %s; after ::thread %s it is another",
				name, len(tids), tids[0], strings.Join(tids[1:], " or ::thread ")))
		}
	}
}

// hasGlobal reports whether a realm has a global.
func hasGlobal(v *v8.V8, native layout.Tagged, name string) bool {
	_, err := v.Objects.Global(native, name)
	return err == nil
}

// threadsWith returns the threads whose realms have a global. The first one's realm is the one that names.Global takes.
func threadsWith(ctx context.Context, c *commands.Call, v *v8.V8, name string) (tids []string) {
	realms, _ := v.Objects.Realms(ctx, c.Session.Thread)
	realms = slices.DeleteFunc(realms, func(native layout.Tagged) bool { return !hasGlobal(v, native, name) })
	if len(realms) < 2 {
		return nil
	}
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	for i, native := range realms {
		t := heap.ThreadOf(ctx, h, core.Addr(native))
		if t == nil && i == 0 {
			return nil
		}
		if t != nil && !slices.Contains(tids, strconv.Itoa(t.TID)) {
			tids = append(tids, strconv.Itoa(t.TID))
		}
	}
	return tids
}
