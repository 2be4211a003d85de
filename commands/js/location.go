package js

import (
	"net/url"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// scriptsOfRealms returns the realms of the heap's functions, with the number of closures that each script has there.
func scriptsOfRealms(r *layout.Memory, native func(context layout.Tagged) (layout.Tagged, error),
	list []heap.SharedFunction) map[layout.Tagged]map[string]int {
	realms := map[layout.Tagged]map[string]int{}
	for i := range list {
		for _, closure := range list[i].Closures {
			at, ok := r.Field(layout.Tag(closure), r.Layout.JSFunction.Context)
			if !ok {
				continue
			}
			of, err := native(at)
			if err != nil {
				continue
			}
			if realms[of] == nil {
				realms[of] = map[string]int{}
			}
			realms[of][list[i].File]++
		}
	}
	return realms
}

// pagePaths are the expressions for the URL of a page, with the part of it that each means; "" is the whole URL.
var pagePaths = map[string]string{"location": "", "document.location": "", "document.URL": "href",
	"document.documentURI": "href", "location.toString()": "href", "origin": "origin"}

// pageRoots are the variables of a window whose values only C++ knows.
var pageRoots = []string{"document", "navigator", "localStorage", "sessionStorage", "history", "screen", "performance",
	"indexedDB", "caches", "visualViewport", "customElements", "cookieStore"}

// inWindow reports whether the thread works with the realm of a window or a worker of Blink's.
func (c *console) inWindow() bool {
	if !c.v.MayHaveBlink() {
		return false
	}
	realms, err := c.v.Objects.Realms(c.ctx, c.s.Thread)
	if err != nil || len(realms) == 0 {
		return false
	}
	g, err := c.v.Objects.GlobalObject(realms[0])
	class := c.v.Objects.Class(g)
	return err == nil && (class == "Window" || strings.HasSuffix(class, "GlobalScope"))
}

// inPage answers for C++ of Blink: it knows the page's address only.
func (c *console) inPage(path string) eval.Question {
	part, is := pagePaths[path]
	root, _, _ := strings.Cut(path, ".")
	if !is && !slices.Contains(pageRoots, root) || strings.HasPrefix(path, "performance.memory") || !c.inWindow() {
		return nil
	}
	if is {
		return c.page(part)
	}
	return func(*eval.Machine, []eval.Value) eval.Answer {
		return eval.Answer{Err: &eval.AbsentError{What: path, Why: "C++ of Blink has it"}}
	}
}

// page is the location of the document or worker of the thread's function, as Blink has it.
func (c *console) page(part string) eval.Question {
	return func(m *eval.Machine, _ []eval.Value) eval.Answer {
		at, why := c.pageURL()
		u, err := url.Parse(at)
		if at == "" || err != nil {
			return eval.Answer{Err: &eval.AbsentError{What: "location", Why: why}}
		}
		o := eval.Record()
		set := func(name, value string) { o.Set(eval.Key{Name: name}, value) }
		after := func(mark, text string) string {
			if text == "" {
				return ""
			}
			return mark + text
		}
		origin := "null"
		if u.Host != "" {
			origin = u.Scheme + "://" + u.Host
		}
		set("href", at)
		set("origin", origin)
		set("protocol", u.Scheme+":")
		set("host", u.Host)
		set("hostname", u.Hostname())
		set("port", u.Port())
		set("pathname", u.EscapedPath()+u.Opaque)
		set("search", after("?", u.RawQuery))
		set("hash", after("#", u.EscapedFragment()))
		if part != "" {
			return eval.Answer{Value: m.Get(o, eval.Key{Name: part})}
		}
		return eval.Answer{Value: o}
	}
}

// pageURL returns the address of the document of the realm that the thread works with, or why it is not known.
func (c *console) pageURL() (at, why string) {
	list, err := functionsOf(c.ctx, c.v)
	if err != nil {
		return "", err.Error()
	}
	realms := scriptsOfRealms(c.v.Memory, c.v.Objects.NativeContext, list)
	own := layout.Tagged(0)
	if c.framed && c.at.function != 0 {
		if of, ok := c.v.Field(tagged(c.v, c.at.function), c.v.Layout.JSFunction.Context); ok {
			own, _ = c.v.Objects.NativeContext(of)
		}
	}
	if all := c.v.Objects.NativeContexts(c.ctx, c.s.Thread); own == 0 && len(all) > 0 {
		own = all[0]
	}
	natives := sortedRealms(realms)
	for i, d := range documentsOf(c.v, natives, realms) {
		if natives[i] != own {
			continue
		}
		if d.URL == "" && d.Why == "" {
			d.Why = "it is not known at " + core.Addr(own).String()
		}
		return d.URL, d.Why
	}
	return "", "no function of the realm is in the core"
}
