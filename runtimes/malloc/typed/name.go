package typed

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/core/dwarf"
)

// dropped are the templates that a program does not write when it names a container.
var dropped = []string{"std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<",
	"std::default_delete<", "std::pmr::polymorphic_allocator<"}

// plain are the other names of types.
var plain = map[string]string{"std::basic_string<char>": "std::string", "long int": "long", "short int": "short",
	"long unsigned int":  "unsigned long",
	"short unsigned int": "unsigned short", "long long int": "long long",
	"long long unsigned int": "unsigned long long"}

const (
	maxName   = 300     // bytes of a name
	maxParsed = 1 << 14 // bytes of a name that is made shorter
)

// nameOf returns the name of a type as a program writes it: without allocators, comparers and inline namespaces.
func nameOf(t *dwarf.Type) string {
	if t == nil {
		return "void"
	}
	return short(t.Name())
}

// short makes the name of a type shorter.
func short(s string) string {
	if len(s) <= maxParsed {
		s = strings.NewReplacer("std::__cxx11::", "std::", "std::__1::", "std::").Replace(s)
		s = shorten(s, 0)
	}
	if len(s) > maxName {
		s = strings.ToValidUTF8(s[:maxName], "") + "…"
	}
	return s
}

func shorten(s string, depth int) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutSuffix(s, " const"); ok && !strings.HasSuffix(rest, "*") {
		s = "const " + rest
	}
	if rest, ok := strings.CutPrefix(s, "const "); ok {
		return "const " + shorten(rest, depth)
	}
	if rest, ok := strings.CutSuffix(s, "*"); ok {
		return shorten(rest, depth) + "*"
	}
	if name, ok := plain[s]; ok {
		return name
	}
	from := strings.IndexByte(s, '<')
	if from < 0 || depth > maxDepth {
		return s
	}
	args, to := arguments(s[from:])
	if to < 0 {
		return s
	}
	kept := args[:0]
	for i, a := range args {
		if a = shorten(a, depth+1); i == 0 ||
			!slices.ContainsFunc(dropped, func(d string) bool { return strings.HasPrefix(a, d) }) {
			kept = append(kept, a)
		}
	}
	name := s[:from] + "<" + strings.Join(kept, ", ") + ">"
	if other, ok := plain[name]; ok {
		name = other
	}
	rest := s[from+to:]
	if strings.Contains(rest, "<") {
		rest = shorten(rest, depth+1)
	}
	return name + rest
}

// arguments returns the arguments of the template that a text begins with, from its bracket on, and where
// they end; -1 if they do not.
func arguments(s string) (args []string, end int) {
	depth, from := 0, 1
	for i := range len(s) {
		switch s[i] {
		case '<', '(':
			depth++
		case '>', ')':
			if depth--; depth == 0 {
				return append(args, s[from:i]), i + 1
			}
		case ',':
			if depth == 1 {
				args, from = append(args, s[from:i]), i+1
			}
		}
	}
	return nil, -1
}

// Label returns what a class is called as a block: control blocks of shared pointers by the object that they count.
func Label(class string) string {
	for _, p := range []string{"std::_Sp_counted_ptr_inplace<", "std::_Sp_counted_ptr<", "std::_Sp_counted_deleter<",
		"std::__1::__shared_ptr_emplace<", "std::__1::__shared_ptr_pointer<"} {
		rest, ok := strings.CutPrefix(class, p)
		if !ok {
			continue
		}
		if args, _ := arguments("<" + rest); len(args) > 0 {
			return "std::shared_ptr control block of " + short(strings.TrimRight(args[0], "* "))
		}
	}
	return class
}

func index(i uint64) string { return "[" + strconv.FormatUint(i, 10) + "]" }

func dot(name string) string {
	if name == "" {
		return ""
	}
	return "." + name
}
