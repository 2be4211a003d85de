package foreign

import (
	"slices"
	"strings"
)

// A counterpart is a line for a command of a language, or of one runtime, that the process does not have.
type counterpart struct {
	commands string            // names, separated by commas
	of       string            // the language or the runtime that has them
	what     string            // the same for people
	others   map[string]string // lines by other languages and runtimes
	instead  string            // the line in a process with none of the others
}

// counterparts are the commands that other debuggers' words run and that need a language or a runtime.
var counterparts = []counterpart{
	{"goroutines", "go", "runtime of Go", nil, "::threads"},
	{"goroutine", "go", "runtime of Go", nil, "::stack"},
	{"jserror", "javascript", "JavaScript", map[string]string{"java": "::javaexception"}, "::analyze"},
	{"jsstack", "javascript", "JavaScript", nil, "::stack"},
	{"jsglobal", "javascript", "JavaScript", map[string]string{"java": "::javaclass"}, "::nm -C -t objt,tls"},
	{"jsscripts", "javascript", "JavaScript", nil, "::sources"},
	{"promises, uvloop, timers, ticks, requests", "javascript", "JavaScript",
		map[string]string{"go": "::goroutines"}, "::stacks"},
	{"handles", "javascript", "JavaScript", nil, "::objects"},
	{"nodeinfo, v8verify, v8version", "javascript", "JavaScript", nil, "::dmods"},
	{"findjsobjects", "javascript", "JavaScript", nil, "::heapstat"},
	{"jvm", "hotspot", "Java virtual machine that describes itself",
		map[string]string{"art": "::artversion"}, "::status"},
	{"javaspaces", "art", "Android Runtime", map[string]string{"hotspot": "::jvm", "javascript": "::v8spaces"},
		"::memory"},
	{"classloaders", "art", "Android Runtime", map[string]string{"hotspot": "::javaclass"}, "::objects"},
	{"finalizers", "art", "Android Runtime", map[string]string{"hotspot": "::heapstat"}, "::memory"},
	{"javaclass", "java", "Java", nil, "::types"},
	{"javamonitors", "java", "Java", nil, "::mutexes"},
}

// Suited returns the line to run instead of one whose command needs a language or runtime that the process
// lacks, and the name of that. It returns "" for other lines. found returns the languages and the runtimes of
// the process.
func Suited(line string, found func() []string) (instead, lacks string) {
	name, ok := strings.CutPrefix(line, "::")
	if !ok || strings.ContainsAny(line, "|!;") {
		return "", ""
	}
	name, _, _ = strings.Cut(name, " ")
	for _, c := range counterparts {
		if !slices.Contains(Split(c.commands), name) {
			continue
		}
		here := found()
		if slices.Contains(here, c.of) {
			return "", ""
		}
		for _, r := range here {
			if c.others[r] != "" {
				return c.others[r], c.what
			}
		}
		return c.instead, c.what
	}
	return "", ""
}
