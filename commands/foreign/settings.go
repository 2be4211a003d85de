package foreign

import (
	"slices"
	"strings"
)

// A Setting is one that gdb has, by its name there.
type Setting struct {
	Name, Value string // as it is at first
	// Acts is set if another value changes the output. If it is not set, Value describes what coredbg always does.
	Acts bool
	// Number is set if the value is a number or "unlimited".
	Number bool
}

// settings lists what gdb users set in postmortem work (GDB manual, "Print Settings", "List", "Numbers").
var settings = []Setting{
	{Name: "listsize", Value: "10", Acts: true, Number: true},
	{Name: "print elements", Value: "32", Acts: true, Number: true},
	{Name: "print max-depth", Value: "8", Acts: true, Number: true},
	{Name: "output-radix", Value: "10", Acts: true},
	{Name: "print address", Value: "on"},
	{Name: "print array", Value: "off"},
	{Name: "print array-indexes", Value: "off"},
	{Name: "print asm-demangle", Value: "on"},
	{Name: "print demangle", Value: "on"},
	{Name: "print entry-values", Value: "default"},
	{Name: "print frame-arguments", Value: "scalars"},
	{Name: "print null-stop", Value: "on"},
	{Name: "print object", Value: "on"},
	{Name: "print pretty", Value: "on"},
	{Name: "print repeats", Value: "unlimited"},
	{Name: "print sevenbit-strings", Value: "off"},
	{Name: "print static-members", Value: "off"},
	{Name: "print symbol", Value: "on"},
	{Name: "print thread-events", Value: "off"},
	{Name: "print union", Value: "on"},
	{Name: "print vtbl", Value: "off"},
	{Name: "confirm", Value: "off"},
	{Name: "disassembly-flavor", Value: "att"},
	{Name: "height", Value: "unlimited", Number: true},
	{Name: "language", Value: "auto"},
	{Name: "pagination", Value: "on"},
	{Name: "verbose", Value: "off"},
	{Name: "width", Value: "unlimited", Number: true},
}

// FindSetting returns the setting whose words are, or begin with, the first of the given words, and the words after
// it. ok is false if there is none, or more than one.
func FindSetting(words []string) (name string, rest []string, ok bool) {
	for n := min(len(words), 2); n > 0; n-- {
		typed := slices.Clone(words[:n])
		if typed[0] == "p" || typed[0] == "pr" {
			typed[0] = "print"
		}
		var found []string
		for _, x := range settings {
			if x.Name == strings.Join(typed, " ") {
				return x.Name, words[n:], true
			}
			if abbreviates(typed, strings.Fields(x.Name)) {
				found = append(found, x.Name)
			}
		}
		if len(found) == 1 {
			return found[0], words[n:], true
		}
	}
	return "", words, false
}

// abbreviates reports whether each typed word is the beginning of its word, and the first of several is typed in full.
func abbreviates(typed, words []string) bool {
	if len(typed) != len(words) || len(words) > 1 && typed[0] != words[0] {
		return false
	}
	for i := range words {
		if !strings.HasPrefix(words[i], typed[i]) {
			return false
		}
	}
	return true
}

// SettingNamed returns the setting with a name; ok is false if there is none.
func SettingNamed(name string) (x Setting, ok bool) {
	i := slices.IndexFunc(settings, func(x Setting) bool { return x.Name == name })
	if i < 0 {
		return x, false
	}
	return settings[i], true
}
