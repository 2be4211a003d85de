package foreign

import (
	"slices"
	"strings"
)

// A Setting is one that gdb has, by its name there.
type Setting struct {
	Name, Value string // as it is at first
	// Says is the sentence in which gdb shows it, with %s for the value.
	Says string
	// Acts is set if another value changes the output. If it is not set, Value describes what coredbg always does.
	Acts bool
	// Number is set if the value is a number or "unlimited".
	Number bool
}

// settings lists what gdb users set and ask for in postmortem work, in the words of gdb 13 (GDB manual, "Print
// Settings", "List", "Numbers", "Source Path").
var settings = []Setting{
	{Name: "listsize", Value: "10", Acts: true, Number: true,
		Says: "Number of source lines gdb will list by default is %s."},
	{Name: "print elements", Value: "32", Acts: true, Number: true,
		Says: "Limit on string chars or array elements to print is %s."},
	{Name: "print max-depth", Value: "8", Acts: true, Number: true,
		Says: "Maximum print depth is %s."},
	{Name: "output-radix", Value: "10", Acts: true,
		Says: "Default output radix for printing of values is %s."},
	{Name: "input-radix", Value: "10",
		Says: "Default input radix for entering numbers is %s."},
	{Name: "print address", Value: "on",
		Says: "Printing of addresses is %s."},
	{Name: "print array", Value: "off",
		Says: "Pretty formatting of arrays is %s."},
	{Name: "print array-indexes", Value: "off",
		Says: "Printing of array indexes is %s."},
	{Name: "print asm-demangle", Value: "on",
		Says: "Demangling of C++/ObjC names in disassembly listings is %s."},
	{Name: "print demangle", Value: "on",
		Says: "Demangling of encoded C++/ObjC names when displaying symbols is %s."},
	{Name: "print entry-values", Value: "default",
		Says: `Printing of function arguments at function entry is "%s".`},
	{Name: "print finish", Value: "on",
		Says: "Printing of return value after `finish' is %s."},
	{Name: "print frame-arguments", Value: "scalars", Acts: true,
		Says: `Printing of non-scalar frame arguments is "%s".`},
	{Name: "print frame-info", Value: "auto",
		Says: `Printing of frame information is "%s".`},
	{Name: "print inferior-events", Value: "off",
		Says: "Printing of inferior events is %s."},
	{Name: "print max-symbolic-offset", Value: "unlimited", Number: true,
		Says: "The largest offset that will be printed in <symbol+1234> form is %s."},
	{Name: "print null-stop", Value: "on",
		Says: "Printing of char arrays to stop at first null char is %s."},
	{Name: "print object", Value: "on",
		Says: "Printing of object's derived type based on vtable info is %s."},
	{Name: "print pretty", Value: "on",
		Says: "Pretty formatting of structures is %s."},
	{Name: "print raw-frame-arguments", Value: "off",
		Says: "Whether to print frame arguments in raw form is %s."},
	{Name: "print repeats", Value: "unlimited",
		Says: "Threshold for repeated print elements is %s."},
	{Name: "print sevenbit-strings", Value: "off",
		Says: "Printing of 8-bit characters in strings as \\nnn is %s."},
	{Name: "print static-members", Value: "off",
		Says: "Printing of C++ static members is %s."},
	{Name: "print symbol", Value: "on",
		Says: "Printing of symbols when printing pointers is %s."},
	{Name: "print symbol-filename", Value: "off",
		Says: "Printing of source filename and line number with <symbol> is %s."},
	{Name: "print thread-events", Value: "off",
		Says: "Printing of thread events is %s."},
	{Name: "print union", Value: "on",
		Says: "Printing of unions interior to structures is %s."},
	{Name: "print vtbl", Value: "off",
		Says: "Printing of C++ virtual function tables is %s."},
	{Name: "architecture", Value: "auto",
		Says: `The target architecture is set to "%s".`},
	{Name: "auto-load safe-path", Value: "",
		Says: "List of directories from which it is safe to auto-load files is %s."},
	{Name: "backtrace limit", Value: "unlimited", Number: true,
		Says: "An upper bound on the number of backtrace levels is %s."},
	{Name: "backtrace past-entry", Value: "on",
		Says: "Whether backtraces should continue past the entry point of a program is %s."},
	{Name: "backtrace past-main", Value: "on",
		Says: `Whether backtraces should continue past "main" is %s.`},
	{Name: "breakpoint pending", Value: "auto",
		Says: "Debugger's behavior regarding pending breakpoints is %s."},
	{Name: "case-sensitive", Value: "on",
		Says: `Case sensitivity in name search is "%s".`},
	{Name: "check type", Value: "off",
		Says: "Strict type checking is %s."},
	{Name: "confirm", Value: "off",
		Says: "Whether to confirm potentially dangerous operations is %s."},
	{Name: "debug-file-directory", Value: "",
		Says: `The directory where separate debug symbols are searched for is "%s".`},
	{Name: "debuginfod enabled", Value: "on",
		Says: `Debuginfod functionality is currently set to "%s".`},
	{Name: "detach-on-fork", Value: "on",
		Says: "Whether gdb will detach the child of a fork is %s."},
	{Name: "directories", Value: "$cdir:$cwd",
		Says: "Source directories searched: %s"},
	{Name: "disassembly-flavor", Value: "att",
		Says: `The disassembly flavor is "%s".`},
	{Name: "endian", Value: "auto",
		Says: `The target endianness is set to "%s".`},
	{Name: "follow-fork-mode", Value: "parent",
		Says: `Debugger response to a program call of fork or vfork is "%s".`},
	{Name: "height", Value: "unlimited", Number: true,
		Says: "Number of lines gdb thinks are in a page is %s."},
	{Name: "history expansion", Value: "off",
		Says: "History expansion on command input is %s."},
	{Name: "history save", Value: "off",
		Says: "Saving of the history record on exit is %s."},
	{Name: "language", Value: "auto",
		Says: `The current source language is "%s".`},
	{Name: "max-value-size", Value: "unlimited", Number: true,
		Says: "Maximum value size is %s."},
	{Name: "non-stop", Value: "off",
		Says: "Controlling the inferior in non-stop mode is %s."},
	{Name: "osabi", Value: "auto",
		Says: `The current OS ABI is "%s".`},
	{Name: "pagination", Value: "on",
		Says: "State of pagination is %s."},
	{Name: "schedule-multiple", Value: "off",
		Says: "Resuming the execution of threads of all processes is %s."},
	{Name: "scheduler-locking", Value: "replay",
		Says: `Mode for locking scheduler during execution is "%s".`},
	{Name: "solib-search-path", Value: "",
		Says: "The search path for loading non-absolute shared library symbol files is %s."},
	{Name: "substitute-path", Value: "",
		Says: "List of all source path substitution rules: %s"},
	{Name: "sysroot", Value: "",
		Says: `The current system root is "%s".`},
	{Name: "unwindonsignal", Value: "off",
		Says: "Unwinding of stack if a signal is received while in a call dummy is %s."},
	{Name: "verbose", Value: "off",
		Says: "Verbosity is %s."},
	{Name: "width", Value: "unlimited", Number: true,
		Says: "Number of characters gdb thinks are in a line is %s."},
	{Name: "auto-solib-add", Value: "on",
		Says: "Autoloading of shared library symbols is %s."},
	{Name: "can-use-hw-watchpoints", Value: "0",
		Says: "Debugger's willingness to use watchpoint hardware is %s."},
	{Name: "cp-abi", Value: "auto",
		Says: `The currently selected C++ ABI is "%s".`},
	{Name: "demangle-style", Value: "auto",
		Says: `The current C++ demangling style is "%s".`},
	{Name: "disable-randomization", Value: "off",
		Says: "Disabling randomization of debuggee's virtual address space is %s."},
	{Name: "editing", Value: "on",
		Says: "Editing of command lines as they are typed is %s."},
	{Name: "host-charset", Value: "UTF-8",
		Says: `The host character set is "%s".`},
	{Name: "multiple-symbols", Value: "all",
		Says: `How the debugger handles ambiguities in expressions is "%s".`},
	{Name: "step-mode", Value: "off",
		Says: "Mode of the step operation is %s."},
	{Name: "stop-on-solib-events", Value: "0",
		Says: "Stopping for shared library events is %s."},
	{Name: "target-charset", Value: "UTF-8",
		Says: `The target character set is "%s".`},
	{Name: "write", Value: "off",
		Says: "Writing into executable and core files is %s."},
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

// NearSetting returns the setting whose name is closest to an unknown one; "" if none is close.
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
