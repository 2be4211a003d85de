package deno

import (
	"context"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Locations returns the address that globalThis.location has, by the heap of the realm: the value of
// --location, or the module of a worker. Deno keeps it as the URL that a WeakMap leads to from a
// WorkerLocation, which it makes with each Location (ext/web/12_location.js).
func (dr *Reader) Locations(ctx context.Context) (map[core.Addr]string, error) {
	maps, err := dr.frames.Receivers(ctx, func(typ int) bool { return dr.Types.Names[typ] == "JS_WEAK_MAP_TYPE" })
	if err != nil {
		return nil, err
	}
	const most = 1 << 12 // entries of one map
	out := map[core.Addr]string{}
	for _, m := range maps {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		table, ok := dr.Field(m, dr.Layout.JSCollection.Table)
		if !ok {
			continue
		}
		list, _, _ := dr.objects.WeakEntries(table, most)
		for _, e := range list {
			if dr.IsReceiver(e.Key) && dr.objects.ConstructorName(e.Key) == "WorkerLocation" {
				if href := dr.urlText(e.Value); href != "" {
					out[dr.heapAt(m.Addr())] = href
				}
			}
		}
	}
	return out, nil
}

// urlText returns what a URL of Deno's is as text: its only field that is a string.
func (dr *Reader) urlText(url layout.Tagged) string {
	if !dr.IsReceiver(url) {
		return ""
	}
	text := ""
	list, _, _ := dr.objects.Properties(url, mostFields)
	for _, p := range list {
		if p.Accessor || p.Value.Raw || !dr.objects.IsString(p.Value.Word) {
			continue
		}
		if s := dr.objects.Text(p.Value.Word); strings.Contains(s, ":") {
			if text != "" {
				return ""
			}
			text = s
		}
	}
	return text
}
