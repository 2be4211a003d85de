package deno

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An Owner is an object of JavaScript that has the number of a resource.
type Owner struct {
	Word  layout.Tagged
	Class string // "" if it has no class of its own
}

type ownerKey struct {
	heap core.Addr
	id   uint32
}

// isOwnerField reports whether a property is the number of a resource, as Deno's classes call it: "rid", or
// what ends in "Rid", private or not, or a symbol (core/01_core.js: internalRidSymbol).
func isOwnerField(p *object.Property) bool {
	if p.Symbol && !p.Private {
		return p.Name == "Deno.internal.rid"
	}
	name := strings.TrimLeft(p.Name, "#_")
	return name == "rid" || strings.HasSuffix(name, "Rid")
}

// owners returns the objects that have the number of a resource, by heap and number.
func (dr *Reader) owners(ctx context.Context) (map[ownerKey][]Owner, error) {
	h, err := dr.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := map[ownerKey][]Owner{}
	for _, m := range h.Maps.List {
		if !m.Receiver || ctx.Err() != nil {
			continue
		}
		list := h.Of(m.ID)
		if len(list) == 0 || !dr.mayOwn(layout.Tag(list[0])) {
			continue
		}
		for _, a := range list {
			o := layout.Tag(a)
			for _, id := range dr.ridsOf(o) {
				k := ownerKey{dr.heapAt(a), id}
				out[k] = append(out[k], Owner{o, dr.objects.Class(o)})
			}
		}
	}
	return out, ctx.Err()
}

// mostFields bounds the properties of an object that are looked at.
const mostFields = 64

// mayOwn reports whether objects of the map of o have such a field.
func (dr *Reader) mayOwn(o layout.Tagged) bool {
	list, _, _ := dr.objects.Properties(o, mostFields)
	return slices.ContainsFunc(list, func(p object.Property) bool { return isOwnerField(&p) }) ||
		dr.objects.Dictionary(o)
}

// ridsOf returns the numbers of resources that an object has.
func (dr *Reader) ridsOf(o layout.Tagged) (out []uint32) {
	list, _, _ := dr.objects.Properties(o, mostFields)
	for i := range list {
		p := &list[i]
		if p.Accessor || !isOwnerField(p) {
			continue
		}
		n, ok := dr.number(p.Value)
		if ok && n >= 0 && n == float64(uint32(n)) && !slices.Contains(out, uint32(n)) {
			out = append(out, uint32(n))
		}
	}
	return out
}

// Details returns the facts that the fields of an object give about its resource: addresses, paths, its
// process: "localAddr 127.0.0.1:80".
func (dr *Reader) Details(o layout.Tagged) []string { return dr.details(o, 1) }

func (dr *Reader) details(o layout.Tagged, deep int) (out []string) {
	list, _, _ := dr.objects.Properties(o, mostFields)
	for i := range list {
		p := &list[i]
		name := strings.TrimLeft(p.Name, "#_")
		if p.Accessor || name == "" {
			continue
		}
		if n, ok := dr.number(p.Value); ok && name == "pid" {
			out = append(out, fmt.Sprintf("pid %.0f", n))
		}
		if !p.Value.Raw && dr.IsReceiver(p.Value.Word) {
			if text := dr.address(p.Value.Word); text != "" {
				out = append(out, name+" "+text)
			}
			if name == "listener" && deep > 0 { // of a server
				for _, x := range dr.details(p.Value.Word, deep-1) {
					out = append(out, name+" "+x)
				}
			}
		}
	}
	return out
}

// address reads a Deno.Addr: a host and a port, or a path.
func (dr *Reader) address(o layout.Tagged) string {
	if path, ok := dr.member(o, "path"); ok && dr.objects.IsString(path) {
		return dr.objects.Text(path)
	}
	host, ok1 := dr.member(o, "hostname")
	port, ok2 := dr.member(o, "port")
	n, ok3 := dr.Number(port)
	if !ok1 || !ok2 || !ok3 || !dr.objects.IsString(host) {
		return ""
	}
	return net.JoinHostPort(dr.objects.Text(host), strconv.Itoa(int(n)))
}
