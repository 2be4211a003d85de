// Package store finds the cores that a system has kept: by process id, by the program's name or
// path, or by the unit of systemd that the process belonged to.
//
//	systemd-coredump  /var/lib/systemd/coredump: file names and extended attributes; the journal, for units
//	                  and cores that are gone
//	apport            /var/crash/*.crash, /var/lib/apport/coredump
//	ABRT              /var/spool/abrt/*/coredump, with a file for each fact
//	the kernel        the folder of core_pattern, by the pattern
//
// Files:
//
//	store.go     the search, its places, its results
//	systemd.go   systemd-coredump's folder and journals
//	apport.go    apport's reports
//	abrt.go      ABRT's folders
//	pattern.go   core_pattern
//
// LIMITATIONS: facts come from names, attributes and logs, as the store has them; no core is
// opened. A core that the journal itself holds (Storage=journal) is reported as gone.
package store

import (
	"cmp"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg/core/file"
)

// A Core is a core that a system keeps or has kept. Unknown facts are zero.
type Core struct {
	Path    string // of the file, on this machine; "" if no file is known
	Gone    bool   // there is no such file any more
	Store   string // which keeps it: "systemd-coredump", "apport", "ABRT", "core_pattern"
	PID     int
	Name    string // of the program, as the kernel has it: at most 15 bytes of it
	Exe     string // its path
	Unit    string // of systemd
	Package string
	Signal  string // "SIGSEGV", or "signal 11"
	Time    time.Time
}

// Places say where a machine's cores are.
type Places struct {
	// Root is a folder that stands for "/"; "" for this machine's.
	Root string
	// Pattern is what /proc/sys/kernel/core_pattern says, "" if that is not known.
	Pattern string
	// Folder is where a relative pattern leads to, "" if that is not known.
	Folder string
}

// maxFiles bounds the files of a folder, or the entries of a journal, that are looked at.
const maxFiles = 20_000

// Find returns the cores that a word means, the last one first: a process id, a program's name or
// path, or a unit. Stores that cannot be read are in refused.
func (p Places) Find(word string) (list []Core, refused []error) {
	l := &look{Places: p}
	if p.Root != "" {
		l.bounds.Roots = []string{p.Root}
	}
	l.systemd()
	l.journals()
	l.apport()
	l.abrt()
	l.pattern()
	for i := range l.cores {
		if l.cores[i].means(word) {
			list = append(list, l.cores[i])
		}
	}
	slices.SortStableFunc(list, func(a, b Core) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Path, b.Path))
	})
	return list, l.refused
}

// A look is one look at all stores.
type look struct {
	Places
	bounds  file.Bounds
	cores   []Core
	refused []error
}

// at returns a path of the machine as one of this machine.
func (l *look) at(path string) string { return filepath.Join(l.Root, path) }

// folder lists a folder of the machine; nil if there is none.
func (l *look) folder(path string) (names []string) {
	list, err := l.bounds.ReadDir(l.at(path))
	l.refuse(err)
	for _, e := range list[:min(len(list), maxFiles)] {
		names = append(names, e.Name())
	}
	return names
}

// text returns a small file of the machine, "" if it cannot be read.
func (l *look) text(path string) string {
	f, err := l.bounds.Open(l.at(path))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, 64<<10)) // as far as it can be read
	return strings.TrimSpace(string(b))
}

// means reports whether a word is one for the core.
func (c *Core) means(word string) bool {
	if pid, err := strconv.Atoi(word); err == nil {
		return c.PID == pid
	}
	const most = 15 // TASK_COMM_LEN of Linux, without the zero
	base := path.Base(c.Exe)
	switch {
	case path.IsAbs(word):
		return c.Exe == word
	case c.Exe != "" && base == word, c.Unit != "" && (c.Unit == word || c.Unit == word+".service"):
		return true
	case c.Name == word:
		return true
	}
	return len(word) > most && c.Name == word[:most] && (c.Exe == "" || base == word)
}

// Says describes the core in one line, without its path.
func (c *Core) Says() string {
	name := cmp.Or(c.Exe, c.Name, "a process")
	parts := []string{name}
	if c.PID != 0 {
		parts[0] += " (pid " + strconv.Itoa(c.PID) + ")"
	}
	if c.Unit != "" {
		parts = append(parts, c.Unit)
	}
	if c.Package != "" {
		parts = append(parts, c.Package)
	}
	if c.Signal != "" {
		parts = append(parts, c.Signal)
	}
	if !c.Time.IsZero() {
		parts = append(parts, c.Time.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	return strings.Join(append(parts, c.Store), ", ")
}

// number returns a decimal number, 0 if it is none.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// seconds returns the time that is s seconds after 1970; the zero time if s is no such number.
func seconds(s string) time.Time { return stamp(s, 1_000_000) }

// stamp returns the time that is s units after 1970; a unit is micros microseconds.
func stamp(s string, micros int64) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > 1<<60/micros {
		return time.Time{}
	}
	return time.UnixMicro(n * micros).UTC()
}

// signal names a signal by its number on x86 and Arm.
func signal(s string) string {
	names := map[int]string{3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
		8: "SIGFPE", 11: "SIGSEGV",
		24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS"}
	n := number(s)
	if n == 0 {
		return ""
	}
	return cmp.Or(names[n], "signal "+strconv.Itoa(n))
}
