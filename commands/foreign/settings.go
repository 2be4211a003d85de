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

// settings lists what gdb users set and ask for in postmortem work, in the words of gdb 13 (GDB manual, "Print
// Settings", "List", "Numbers", "Source Path").
var settings = []Setting{
	{Name: "listsize", Value: "10", Acts: true, Number: true},
	{Name: "print elements", Value: "32", Acts: true, Number: true},
	{Name: "print max-depth", Value: "8", Acts: true, Number: true},
	{Name: "output-radix", Value: "10", Acts: true},
	{Name: "input-radix", Value: "10"},
	{Name: "print address", Value: "on"},
	{Name: "print array", Value: "off"},
	{Name: "print array-indexes", Value: "off"},
	{Name: "print asm-demangle", Value: "on"},
	{Name: "print demangle", Value: "on"},
	{Name: "print entry-values", Value: "default"},
	{Name: "print finish", Value: "on"},
	{Name: "print frame-arguments", Value: "scalars", Acts: true},
	{Name: "print frame-info", Value: "auto"},
	{Name: "print inferior-events", Value: "off"},
	{Name: "print max-symbolic-offset", Value: "unlimited", Number: true},
	{Name: "print null-stop", Value: "on"},
	{Name: "print object", Value: "on"},
	{Name: "print pretty", Value: "on"},
	{Name: "print raw-frame-arguments", Value: "off"},
	{Name: "print repeats", Value: "unlimited"},
	{Name: "print sevenbit-strings", Value: "off"},
	{Name: "print static-members", Value: "off"},
	{Name: "print symbol", Value: "on"},
	{Name: "print symbol-filename", Value: "off"},
	{Name: "print thread-events", Value: "off"},
	{Name: "print union", Value: "on"},
	{Name: "print vtbl", Value: "off"},
	{Name: "architecture", Value: "auto"},
	{Name: "auto-load safe-path", Value: ""},
	{Name: "backtrace limit", Value: "unlimited", Number: true},
	{Name: "backtrace past-entry", Value: "on"},
	{Name: "backtrace past-main", Value: "on"},
	{Name: "breakpoint pending", Value: "auto"},
	{Name: "case-sensitive", Value: "on"},
	{Name: "check type", Value: "off"},
	{Name: "confirm", Value: "off"},
	{Name: "debug-file-directory", Value: ""},
	{Name: "debuginfod enabled", Value: "on"},
	{Name: "detach-on-fork", Value: "on"},
	{Name: "directories", Value: "$cdir:$cwd"},
	{Name: "disassembly-flavor", Value: "att"},
	{Name: "endian", Value: "auto"},
	{Name: "follow-fork-mode", Value: "parent"},
	{Name: "height", Value: "unlimited", Number: true},
	{Name: "history expansion", Value: "off"},
	{Name: "history save", Value: "off"},
	{Name: "language", Value: "auto"},
	{Name: "max-value-size", Value: "unlimited", Number: true},
	{Name: "non-stop", Value: "off"},
	{Name: "osabi", Value: "auto"},
	{Name: "pagination", Value: "on"},
	{Name: "schedule-multiple", Value: "off"},
	{Name: "scheduler-locking", Value: "replay"},
	{Name: "solib-search-path", Value: ""},
	{Name: "substitute-path", Value: ""},
	{Name: "sysroot", Value: ""},
	{Name: "unwindonsignal", Value: "off"},
	{Name: "verbose", Value: "off"},
	{Name: "width", Value: "unlimited", Number: true},
	{Name: "auto-solib-add", Value: "on"},
	{Name: "can-use-hw-watchpoints", Value: "0"},
	{Name: "cp-abi", Value: "auto"},
	{Name: "demangle-style", Value: "auto"},
	{Name: "disable-randomization", Value: "off"},
	{Name: "editing", Value: "on"},
	{Name: "host-charset", Value: "UTF-8"},
	{Name: "multiple-symbols", Value: "all"},
	{Name: "step-mode", Value: "off"},
	{Name: "stop-on-solib-events", Value: "0"},
	{Name: "target-charset", Value: "UTF-8"},
	{Name: "write", Value: "off"},
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

// SettingsBelow yields the settings whose names begin with a word, or all of them for "".
func SettingsBelow(word string) (list []Setting) {
	for _, x := range settings {
		if word == "" || strings.HasPrefix(x.Name, word+" ") {
			list = append(list, x)
		}
	}
	return list
}

// NearSetting returns the name closest to an unknown one; "" if all differ too much.
func NearSetting(name string) string {
	var names []string
	for _, x := range settings {
		names = append(names, x.Name)
	}
	return Nearest(name, names)
}

// unknownSetting splits words at the end of the name of a setting that does not exist: two words if they are nearly the
// name of one, else one.
func unknownSetting(words []string) (name string, rest []string) {
	if len(words) > 1 && NearSetting(words[0]+" "+words[1]) != "" {
		return words[0] + " " + words[1], words[2:]
	}
	if len(words) > 1 && len(SettingsBelow(words[0])) > 0 {
		return words[0] + " " + words[1], words[2:]
	}
	return words[0], words[1:]
}
