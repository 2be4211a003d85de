package commands

import (
	"slices"
	"strings"
)

// A counterpart is a line for a command of a runtime that is not in the process.
type counterpart struct {
	commands string   // names, separated by commas
	of       []string // runtimes that have them
	what     string   // these runtimes, for people
	others   map[string]string
	instead  string // the line in a process with none of the runtimes in others
}

// counterparts are the commands that other debuggers' words run and that need a runtime.
var counterparts = []counterpart{
	{"goroutines", []string{"go"}, "runtime of Go", nil, "::threads"},
	{"goroutine", []string{"go"}, "runtime of Go", nil, "::stack"},
	{"jserror", []string{"v8"}, "JavaScript", map[string]string{"art": "::javaexception", "hotspot": "::javaexception"}, "::analyze"},
	{"jsstack", []string{"v8"}, "JavaScript", nil, "::stack"},
	{"jsglobal", []string{"v8"}, "JavaScript", map[string]string{"art": "::javaclass", "hotspot": "::javaclass"}, "::nm -C -t objt,tls"},
	{"jsscripts", []string{"v8"}, "JavaScript", nil, "::sources"},
	{"promises, uvloop, timers, ticks, requests", []string{"v8"}, "JavaScript", map[string]string{"go": "::goroutines"}, "::stacks"},
	{"handles", []string{"v8"}, "JavaScript", nil, "::objects"},
	{"nodeinfo, v8verify, v8version", []string{"v8"}, "JavaScript", nil, "::dmods"},
	{"findjsobjects", []string{"v8"}, "JavaScript", nil, "::heapstat"},
	{"jvm", []string{"hotspot"}, "Java virtual machine that describes itself", map[string]string{"art": "::artversion"}, "::status"},
	{"javaspaces", []string{"art"}, "Android Runtime", map[string]string{"hotspot": "::jvm", "v8": "::v8spaces"}, "::memory"},
	{"classloaders", []string{"art"}, "Android Runtime", map[string]string{"hotspot": "::javaclass"}, "::objects"},
	{"finalizers", []string{"art"}, "Android Runtime", map[string]string{"hotspot": "::heapstat"}, "::memory"},
	{"javaclass", []string{"art", "hotspot"}, "Java", nil, "::types"},
	{"javamonitors", []string{"art", "hotspot"}, "Java", nil, "::mutexes"},
}

// suited returns the line that answers the question of a line where the process lacks the runtime of its command, and
// the runtime that it lacks. It returns "" for other lines. found returns the names of the runtimes in
// the process.
func suited(line string, found func() []string) (instead, lacks string) {
	name, ok := strings.CutPrefix(line, "::")
	if !ok || strings.ContainsAny(line, "|!;") {
		return "", ""
	}
	name, _, _ = strings.Cut(name, " ")
	for _, c := range counterparts {
		if !slices.Contains(split(c.commands), name) {
			continue
		}
		here := found()
		if slices.ContainsFunc(c.of, func(r string) bool { return slices.Contains(here, r) }) {
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
