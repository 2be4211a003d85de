package library

import (
	"strconv"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

func init() { natives = append(natives, callURL) }

// noOffset stands for a part that a URL lacks.
const noOffset = 0xffffffff

// href is the text of a URL, and the places of its parts in it, as Node's C++ has them (deps/ada: url_components):
// the ends of the scheme and of the name, the beginning and the end of the host, the port, and the beginnings of path,
// query and hash, and a number for the scheme.
func (u *webURL) href() (string, [9]uint32) {
	var b strings.Builder
	var at [9]uint32
	mark := func(i int) { at[i] = uint32(b.Len()) }
	b.WriteString(u.scheme + ":")
	mark(0)
	if u.hosted {
		b.WriteString("//")
	}
	b.WriteString(u.user)
	mark(1)
	if u.password != "" {
		b.WriteString(":" + u.password)
	}
	mark(2)
	if u.user != "" || u.password != "" {
		b.WriteString("@")
	}
	b.WriteString(u.host)
	mark(3)
	if at[4] = noOffset; u.port >= 0 {
		at[4] = uint32(u.port)
		b.WriteString(":" + strconv.Itoa(u.port))
	}
	if !u.hosted && !u.isOpaque && len(u.path) > 1 && u.path[0] == "" {
		b.WriteString("/.") // what follows is no host
	}
	mark(5)
	if u.isOpaque {
		b.WriteString(u.opaque)
	}
	for _, p := range u.path {
		b.WriteString("/" + p)
	}
	at[6], at[7] = noOffset, noOffset
	if u.asks {
		mark(6)
		b.WriteString("?" + u.query)
	}
	if u.hashed {
		mark(7)
		b.WriteString("#" + u.hash)
	}
	at[8] = schemeNumbers[u.scheme]
	if at[8] == 0 && u.scheme != "http" {
		at[8] = 1 // not special
	}
	return b.String(), at
}

var schemeNumbers = map[string]uint32{"http": 0, "https": 2, "ws": 3, "ftp": 4, "wss": 5, "file": 6}

// callURL calls functions of the part of Node's C++ that parses URLs. ok is false for others.
func callURL(m *ecma.Machine, fn ecma.Heap, this ecma.Value, args []ecma.Value) (v ecma.Value, ok bool) {
	name := m.Reader.FunctionNameOf(layout.Tagged(fn))
	if name != "parse" && name != "canParse" || scripted(m, fn) || !m.IsObject(this) {
		return nil, false
	}
	places := m.Get(this, ecma.Key{Name: "urlComponents"})
	if class, _, typed := typedOf(m, places); !typed || class != "Uint32Array" {
		return nil, false
	}
	text, is := ecma.Arg(args, 0).(string)
	if !is {
		return nil, false
	}
	u, valid := (*webURL)(nil), true
	if from, is := ecma.Arg(args, 1).(string); is {
		if u, valid = parseURL(from, nil); valid {
			u, valid = parseURL(text, u)
		}
	} else {
		u, valid = parseURL(text, nil)
	}
	if name == "canParse" {
		return valid, true
	}
	if !valid {
		if ecma.Truthy(ecma.Arg(args, 2)) {
			invalidURL(m, text)
		}
		return nil, true
	}
	href, at := u.href()
	for i, x := range at {
		m.Set(places, m.Key(float64(i)), float64(x))
	}
	return href, true
}

// invalidURL throws what Node throws for a text that is no URL.
func invalidURL(m *ecma.Machine, text string) {
	e := ecma.NewError(m, "TypeError", "Invalid URL")
	e.Set(ecma.Key{Name: "code"}, "ERR_INVALID_URL")
	e.Set(ecma.Key{Name: "input"}, text)
	panic(&ecma.Thrown{Value: e, Set: true})
}

// scripted reports whether a function has a text in a script.
func scripted(m *ecma.Machine, fn ecma.Heap) bool {
	shared, ok := m.Reader.ClosureShared(layout.Tagged(fn))
	if !ok {
		return true
	}
	info, ok := m.Reader.SharedInfo(shared)
	return ok && info.Script != 0
}
