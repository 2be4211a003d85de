package console

import (
	"net/url"
	"slices"
	"strings"

	"coredbg/commands/js/realm"
	"coredbg/commands/js/target"
	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
)

// pagePaths are the expressions for the URL of a page, with the part of it that each means; "" is the whole URL.
var pagePaths = map[string]string{"location": "", "document.location": "", "document.URL": "href",
	"document.documentURI": "href", "location.toString()": "href", "origin": "origin"}

// pageRoots are the variables of a window whose values only C++ knows.
var pageRoots = []string{"document", "navigator", "localStorage", "sessionStorage", "history", "screen", "performance",
	"indexedDB", "caches", "visualViewport", "customElements", "cookieStore"}

// inWindow reports whether the thread works with the realm of a window or a worker of Blink's.
func (c *Console) inWindow() bool {
	if !realm.MayHaveBlink(c.v) {
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
func (c *Console) inPage(path string) eval.Question {
	part, is := pagePaths[path]
	root, _, _ := strings.Cut(path, ".")
	if !is && !slices.Contains(pageRoots, root) || strings.HasPrefix(path, "performance.memory") || !c.inWindow() {
		return nil
	}
	if is {
		return c.page(part)
	}
	return func(*ecma.Machine, []ecma.Value) eval.Answer {
		return eval.Answer{Err: &eval.AbsentError{What: path, Why: "C++ of Blink has it"}}
	}
}

// page is the location of the document or worker of the thread's function, as Blink has it.
func (c *Console) page(part string) eval.Question {
	return func(m *ecma.Machine, _ []ecma.Value) eval.Answer {
		at, why := c.pageURL()
		u, err := url.Parse(at)
		if at == "" || err != nil {
			return eval.Answer{Err: &eval.AbsentError{What: "location", Why: why}}
		}
		o := eval.Record()
		set := func(name, value string) { o.Set(ecma.Key{Name: name}, value) }
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
			return eval.Answer{Value: m.Get(o, ecma.Key{Name: part})}
		}
		return eval.Answer{Value: o}
	}
}

// pageURL returns the address of the document of the realm that the thread works with, or why it is not known.
func (c *Console) pageURL() (at, why string) {
	list, err := target.Functions(c.ctx, c.v)
	if err != nil {
		return "", err.Error()
	}
	realms := realm.New(c.v.Memory, c.v.Objects.NativeContext, list)
	own := layout.Tagged(0)
	if c.framed && c.at.Function != 0 {
		if of, ok := c.v.Field(target.Tagged(c.v, c.at.Function), c.v.Layout.JSFunction.Context); ok {
			own, _ = c.v.Objects.NativeContext(of)
		}
	}
	if all := c.v.Objects.NativeContexts(c.ctx, c.s.Thread); own == 0 && len(all) > 0 {
		own = all[0]
	}
	natives := realms.Sorted()
	for i, d := range realms.Documents(c.v, natives) {
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
