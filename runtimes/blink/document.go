package blink

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Bounds of the search, in bytes.
const (
	maxWindow   = 0x400  // of a window, for its document
	maxDocument = 0x400  // of a document, for its window
	nearWindow  = 0x100  // after that, for the URLs
	maxWorker   = 0x2000 // of a worker, for its URL
)

// Why URLs are not known.
const (
	// Heaps of Blink's own may be missing where V8's is there.
	noObject = "the object outside of V8's heap that its global object stands for is not in the core, or leads to no URL as Blink has it"
	noURL    = "no field of its object leads to a URL as Blink has it, in the same way for all realms"
	noFrame  = "its frame was removed, and its window has no document any more"
)

// Documents returns the document of each realm, in their order.
func (r *Reader) Documents(realms []Realm) []Document {
	out := make([]Document, len(realms))
	realms = slices.Clone(realms)
	for i := range realms {
		out[i].Origin = realms[i].Origin
	}
	classes := map[string][]int{}
	globals := make([]layout.Tagged, len(realms))
	for i, x := range realms {
		g, err := r.objects.GlobalObject(x.Native)
		if err != nil {
			continue
		}
		globals[i] = g
		if class := r.objects.Class(g); class == "Window" || strings.HasSuffix(class, "GlobalScope") {
			classes[class] = append(classes[class], i)
			out[i].Kind, out[i].Why = kindOf(class), noObject
		}
	}
	for class, list := range classes {
		of := make([]layout.Tagged, len(list))
		for i, n := range list {
			of[i] = globals[n]
		}
		find := r.scopeURLs
		if class == "Window" {
			find = r.windowURLs
		}
		found, objects := r.bestWay(of, find)
		if objects == nil {
			continue
		}
		if class == "Window" {
			r.worlds(out, realms, list, objects, of, found.members)
		}
		r.take(out, realms, list, found)
		if class == "Window" {
			for i, f := range r.framesOf(objects, found.members) {
				out[list[i]].RemoteParent = f.remote
				if out[list[i]].Kind = f.kind; f.kind == Detached && out[list[i]].URL == "" {
					out[list[i]].Why = noFrame
				}
			}
		}
	}
	return out
}

// kindOf returns the kind of a realm, by the class of its global object.
func kindOf(class string) Kind {
	switch {
	case strings.HasSuffix(class, "WorkletGlobalScope"):
		return Worklet
	case strings.HasSuffix(class, "WorkerGlobalScope"):
		return Worker
	}
	return ""
}

// urls are the URLs of some objects, "" for objects without one.
type urls struct {
	members members
	list    []string
	found   int
}

// bestWay returns the URLs found by the way from wrappers that leads to most of them, and the objects.
func (r *Reader) bestWay(wrappers []layout.Tagged, find func([]core.Addr) urls) (best urls, objects []core.Addr) {
	for _, w := range r.ways(wrappers) {
		list := make([]core.Addr, len(wrappers))
		for i, x := range wrappers {
			list[i] = r.object(x, w)
		}
		if found := find(list); found.found > best.found {
			best, objects = found, list
		}
	}
	return best, objects
}

// take records URLs, and whether a realm confirms the place where they were found: a URL has the
// realm's origin, or is the name of a script in it.
func (r *Reader) take(out []Document, realms []Realm, list []int, found urls) {
	sure := false
	for i, n := range list {
		x := realms[n]
		sure = sure || found.list[i] != "" && (within(found.list[i], x.Origin) ||
			slices.Contains(x.Scripts, found.list[i]))
	}
	for i, n := range list {
		out[n].Why = noURL
		if u := found.list[i]; u != "" {
			out[n].URL, out[n].Likely, out[n].Why = u, !sure || contradicts(u, realms[n].Origin), ""
		}
	}
}

// contradicts reports whether a URL has a different origin.
func contradicts(url, origin string) bool {
	return origin != "" && strings.Contains(url, "://") && !strings.HasPrefix(url, "data:") && !within(url, origin)
}

// A place is where a window leads to a URL: to its document, back from there, and to the parts of a KURL.
type place struct {
	shift               uint
	document, back, url core.Addr
}

// windowURLs returns the URLs of the documents of windows: those found at the same place in most of them.
func (r *Reader) windowURLs(windows []core.Addr) (best urls) {
	count := map[place]int{}
	for _, w := range windows {
		for shift := range uint(mostShift + 1) {
			for _, p := range (members{r, shift, w}).places() {
				count[p]++
			}
		}
	}
	var at place
	for p, n := range count {
		if c := cmp.Or(cmp.Compare(n, best.found), comparePlaces(at, p)); c > 0 {
			at, best.found = p, n
		}
	}
	if best.found == 0 {
		return best
	}
	for _, w := range windows {
		m := members{r, at.shift, w}
		url := ""
		if d := m.at(w + at.document); m.refersBack(d, at.back) {
			url, _ = r.url(d + at.url)
		}
		best.list = append(best.list, url)
		best.members = m
	}
	return best
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.shift, b.shift), cmp.Compare(a.document, b.document), cmp.Compare(a.back, b.back),
		cmp.Compare(a.url, b.url))
}

// places returns where the window near leads to the first URL of something that may be its document.
func (m members) places() (list []place) {
	for off := core.Addr(8); off < maxWindow; off += m.size() {
		d := m.at(m.near + off)
		if d == m.near || !m.isObject(d) {
			continue
		}
		for back := core.Addr(8); back < maxDocument; back += m.size() {
			if !m.refersBack(d, back) {
				continue
			}
			for u := back&^7 + 8; u < back+nearWindow; u += 8 {
				if _, ok := m.url(d + u); ok {
					list = append(list, place{m.shift, off, back, u})
					break
				}
			}
		}
	}
	return list
}

// refersBack reports whether a document d has its window at off, and then the window again: as
// the ExecutionContext that it is, too, or nothing if the document is not in a frame any more
// (core/dom/document.h: dom_window_ and execution_context_).
func (m members) refersBack(d, off core.Addr) bool {
	if d == 0 || m.at(d+off) != m.near {
		return false
	}
	context := m.at(d + off + m.size())
	return context == 0 || context > m.near && context < m.near+maxWindow
}

// scopeURLs returns the URLs of workers and worklets: the first in each, at the same place in most of them.
func (r *Reader) scopeURLs(scopes []core.Addr) (best urls) {
	count := map[core.Addr]int{}
	for _, s := range scopes {
		for off := core.Addr(8); off < maxWorker; off += 8 {
			if _, ok := r.url(s + off); ok {
				count[off]++
			}
		}
	}
	var at core.Addr
	for off, n := range count {
		if n > best.found || n == best.found && off < at {
			at, best.found = off, n
		}
	}
	if best.found == 0 {
		return best
	}
	for _, s := range scopes {
		url, _ := r.url(s + at)
		best.list = append(best.list, url)
	}
	return best
}
