package library

import (
	"path"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

func init() { natives = append(natives, callPath) }

// callPath calls functions of Node's module path, whose source a bundle may lack. ok is false for others.
func callPath(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (v ecma.Value, ok bool) {
	shared, ok := m.Reader.ClosureShared(layout.Tagged(fn))
	if !ok {
		return nil, false
	}
	if file := m.Reader.PlaceOf(shared).File; file != "node:path" && file != "path.js" {
		return nil, false
	}
	code := paths[m.Reader.FunctionNameOf(layout.Tagged(fn))]
	if code == nil {
		return nil, false
	}
	list := make([]string, len(args))
	for i, a := range args {
		if a == nil && i > 0 {
			list = list[:i]
			break
		}
		if list[i], ok = a.(string); !ok {
			m.Throw("The \"path\" argument must be of type string. Received %s", ecma.ShownValue(m, a))
		}
	}
	if len(list) == 0 {
		list = []string{""}
	}
	return code(m, list)
}

// paths are the functions of path on POSIX. They are not ok where the working directory counts.
var paths = map[string]func(m *ecma.Machine, args []string) (ecma.Value, bool){
	"join": func(_ *ecma.Machine, args []string) (ecma.Value, bool) {
		return normalized(strings.Join(nonempty(args), "/")), true
	},
	"normalize": func(_ *ecma.Machine, args []string) (ecma.Value, bool) { return normalized(args[0]), true },
	"resolve": func(_ *ecma.Machine, args []string) (ecma.Value, bool) {
		out := ""
		for i := len(args) - 1; i >= 0; i-- {
			if out = args[i] + "/" + out; path.IsAbs(out) {
				return path.Clean(out), true
			}
		}
		return nil, false
	},
	"isAbsolute": func(_ *ecma.Machine, args []string) (ecma.Value, bool) { return path.IsAbs(args[0]), true },
	"basename": func(_ *ecma.Machine, args []string) (ecma.Value, bool) {
		base := baseOf(args[0])
		if len(args) > 1 && base != args[1] {
			base = strings.TrimSuffix(base, args[1])
		}
		return base, true
	},
	"dirname": func(_ *ecma.Machine, args []string) (ecma.Value, bool) { return dirOf(args[0]), true },
	"extname": func(_ *ecma.Machine, args []string) (ecma.Value, bool) { return extension(baseOf(args[0])), true },
	"parse": func(_ *ecma.Machine, args []string) (ecma.Value, bool) {
		o, base := &ecma.Object{}, baseOf(args[0])
		root, dir := "", dirOf(args[0])
		if path.IsAbs(args[0]) {
			root = "/"
		}
		if dir == "." && !strings.HasPrefix(args[0], ".") {
			dir = ""
		}
		for _, p := range [][2]string{{"root", root}, {"dir", dir}, {"base", base}, {"ext", extension(base)},
			{"name", strings.TrimSuffix(base, extension(base))}} {
			o.Set(ecma.Key{Name: p[0]}, p[1])
		}
		return o, true
	},
	"relative": func(_ *ecma.Machine, args []string) (ecma.Value, bool) {
		if len(args) < 2 || !path.IsAbs(args[0]) || !path.IsAbs(args[1]) {
			return nil, false
		}
		from, to := strings.Split(path.Clean(args[0]), "/"), strings.Split(path.Clean(args[1]), "/")
		n := 0
		for n < len(from) && n < len(to) && from[n] == to[n] {
			n++
		}
		up := strings.Split(strings.Repeat("..\n", len(nonempty(from[n:]))), "\n")
		return strings.Join(append(nonempty(up), nonempty(to[n:])...), "/"), true
	},
}

func nonempty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// normalized is path.normalize, which keeps a slash at the end.
func normalized(s string) string {
	out := path.Clean(s)
	if strings.HasSuffix(s, "/") && out != "/" {
		out += "/"
	}
	return out
}

func baseOf(s string) string {
	s = strings.TrimRight(s, "/")
	return s[strings.LastIndexByte(s, '/')+1:]
}

func dirOf(s string) string {
	trimmed := strings.TrimRight(s, "/")
	switch i := strings.LastIndexByte(trimmed, '/'); {
	case trimmed == "" && s != "":
		return "/"
	case i < 0:
		return "."
	case strings.TrimRight(trimmed[:i], "/") == "":
		return "/"
	default:
		return strings.TrimRight(trimmed[:i], "/")
	}
}

// extension is the end of a name from its last point on, unless it begins with that.
func extension(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 && strings.Trim(base[:i], ".") != "" {
		return base[i:]
	}
	return ""
}
