// Package grouping says which cores are taken for one bug: by our signatures, and by the
// rules of others in short, after what they document, on the same frames; and how well that
// fits bugs that are known.
package grouping

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"coredbg/triage"
)

// Rules group cores by bug: Key returns the bug's key for a core, or "" if the rules give no answer.
type Rules struct {
	Name string
	Key  func(*triage.Line) string
}

// All are our rules, and simplified forms of others' documented rules, on the same frames.
var All = []Rules{
	{"coredbg, coarse", func(l *triage.Line) string { return l.Coarse }},
	{"coredbg, fine", func(l *triage.Line) string { return l.Fine }},
	{"Socorro", socorro},
	{"apport", apport},
	{"ABRT", abrt},
}

// A Count is how many cores of each bug are in each group.
type Count struct {
	groups, bugs map[string]map[string]int
	cores        int
}

// NewCount returns a Count of no cores.
func NewCount() *Count {
	return &Count{groups: map[string]map[string]int{}, bugs: map[string]map[string]int{}}
}

// Add counts a core of a bug that is in a group.
func (c *Count) Add(bug, group string) {
	add := func(m map[string]map[string]int, a, b string) {
		if m[a] == nil {
			m[a] = map[string]int{}
		}
		m[a][b]++
	}
	add(c.groups, group, bug)
	add(c.bugs, bug, group)
	c.cores++
}

// Purity is the share of cores that have the most common bug of their group.
func (c *Count) Purity() float64 { return largest(c.groups, c.cores) }

// Completeness is the part of cores that is in the largest group of its bug.
func (c *Count) Completeness() float64 { return largest(c.bugs, c.cores) }

// Groups is how many groups there are.
func (c *Count) Groups() int { return len(c.groups) }

// Bugs is how many bugs there are.
func (c *Count) Bugs() int { return len(c.bugs) }

// Group returns how many cores of a bug are in a group, and how many bugs are in that.
func (c *Count) Group(bug, group string) (cores, bugs int) {
	return c.bugs[bug][group], len(c.groups[group])
}

// largest is the part of all that is in the largest part of its set.
func largest(sets map[string]map[string]int, all int) float64 {
	sum := 0
	for _, parts := range sets {
		most := 0
		for _, n := range parts {
			most = max(most, n)
		}
		sum += most
	}
	return float64(sum) / float64(all)
}

// plain is a function's name without template arguments and parameters, as crash
// reporters' symbols have it; module@offset without a name.
func plain(f *triage.Frame) string {
	if f.Name == "" {
		return path.Base(f.Module) + "@" + f.Offset.String()
	}
	return f.Name
}

// The lists of Socorro are long; these are their rows that match functions of C, C++ and
// glibc (socorro/signature/siglists, fetched 2026-11).
var (
	socorroIrrelevant = regexp.MustCompile(`^(@0x|__assert|__chk_fail|__cxa_rethrow|__cxa_throw|__fortify_fail|__GI|__libc_fatal|__libc_message|__memcmp|__memcpy|__memmove|__memset|operator==|_pthread_|__pthread_|___pthread_|__stack_chk_fail|std::__|std::all_of|std::terminate|std::unique_ptr|__str|_Unwind_Resume)`)
	socorroPrefix     = regexp.MustCompile(`^(@0x0|Abort|.*abort|.*calloc|.*free|gsignal|kill|__libc_message|libc\.so|malloc|memcmp|memcpy|memmove|memset|new\[\]|operator new|<.*>::operator\(\)|pthread_kill|raise|realloc|std::list<.*>::|strcat|strncmp|strchr|strcmp|strcpy|.*strdup|strlen|strncpy|strstr|syscall|__unlink|unlink)`)
)

// socorro follows socorro/signature/siglists/README.rst: irrelevant frames are left out,
// names are joined as long as they are prefixes, and that after them ends the signature.
func socorro(l *triage.Line) string {
	if l.Thread == nil {
		return ""
	}
	var names []string
	for i := range l.Thread.Frames {
		name := templates.ReplaceAllString(plain(&l.Thread.Frames[i]), "<T>")
		if socorroIrrelevant.MatchString(name) && len(names) == 0 {
			continue
		}
		names = append(names, name)
		if !socorroPrefix.MatchString(name) {
			break
		}
	}
	return strings.Join(names, " | ")
}

var templates = regexp.MustCompile(`<.*>`)

// apport follows the comments of apport/report.py: program, signal and the top five functions, without
// the signal's delivery and the C library's steps to abort. It returns "" if a function has no name. A
// failed assertion is named by its text.
func apport(l *triage.Line) string {
	if l.Thread == nil {
		return ""
	}
	if l.Cause == "assertion" {
		return l.Program + ":" + l.Title
	}
	top := []string{l.Program, l.Signal}
	frames := l.Thread.Frames
	if i := slices.IndexFunc(frames, func(f triage.Frame) bool {
		return f.Name == "abort" ||
			f.Name == "__GI_abort"
	}); i >= 0 {
		frames = frames[i+1:]
	}
	for i := range frames {
		name := frames[i].Name
		if name == "" {
			return ""
		}
		if !jitter.MatchString(name) {
			top = append(top, name)
		}
		if len(top) == 2+5 {
			break
		}
	}
	return strings.Join(top, ":")
}

// jitter matches what apport leaves out because it differs between processors.
var jitter = regexp.MustCompile(`^(__.*_s?sse\d+(_\w+)?|__kernel_vsyscall)$`)

// abrt follows satyr: three frames after the abort machinery, each by its build-id and offset, or by
// its name if it has no build-id.
func abrt(l *triage.Line) string {
	if l.Thread == nil {
		return ""
	}
	frames := l.Thread.Frames
	for i := range frames {
		if slices.Contains([]string{"raise", "abort", "__assert_fail", "__GI_raise", "__GI_abort", "__libc_message",
			"__pthread_kill_implementation", "__assert_fail_base"}, frames[i].Name) {
			frames = frames[i+1:]
			return abrt(&triage.Line{Thread: &triage.Thread{Frames: frames}, BuildIDs: l.BuildIDs})
		}
	}
	var top []string
	for i := range frames[:min(3, len(frames))] {
		f := &frames[i]
		if id := l.BuildIDs[f.Module]; id != "" {
			top = append(top, id+"+"+f.Offset.String())
		} else {
			top = append(top, plain(f))
		}
	}
	return strings.Join(top, "\n")
}
