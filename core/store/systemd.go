package store

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg/core/file"
	"coredbg/core/store/journal"
)

// dumps is systemd-coredump's folder (src/coredump/coredump.c of systemd 257, save_external_coredump).
const dumps = "/var/lib/systemd/coredump"

// dumped matches its files: core.NAME.UID.BOOT.PID.TIME, with time in microseconds, and the suffix of a
// compression. Name has no dots.
var dumped = regexp.MustCompile(`^core\.([^.]*)\.([0-9]+)\.([0-9a-f]{32})\.([0-9]+)\.([0-9]+)(\.[a-z0-9]+)?$`)

// systemd finds the files of systemd-coredump.
func (l *look) systemd() {
	for _, name := range l.folder(dumps) {
		m := dumped.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		c := Core{Path: l.at(path.Join(dumps, name)), Store: "systemd-coredump", Name: unescape(m[1]),
			PID: number(m[4]), Time: stamp(m[5], 1)}
		l.attributes(&c)
		l.cores = append(l.cores, c)
	}
}

// Died returns when the process of a core died, as the name of a file that systemd-coredump has written says;
// the zero time for other names.
func Died(name string) time.Time {
	if m := dumped.FindStringSubmatch(name); m != nil {
		return stamp(m[5], 1)
	}
	return time.Time{}
}

// attributes reads the extended attributes that systemd-coredump gives a core (fix_xattr in the same file).
func (l *look) attributes(c *Core) {
	f, err := l.bounds.Open(c.Path)
	if err != nil {
		return // it is reported when it is opened
	}
	defer f.Close()
	get := func(name string) string { return file.Attribute(f, "user.coredump."+name) }
	c.Name = cmp.Or(get("comm"), c.Name)
	c.Exe = get("exe")
	c.Signal = signal(get("signal"))
}

// unescape undoes filename_escape of coredump.c: \xNN is a byte.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\x`) && i+4 <= len(s) {
			if n, err := strconv.ParseUint(s[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// journals are the folders of journald.
var journals = []string{"/var/log/journal", "/run/log/journal"}

// maxJournals bounds the journals that are looked at, the newest first by name.
const maxJournals = 512

// journals finds what journald has logged about cores: their units, and cores that are gone.
func (l *look) journals() {
	read := 0
	for _, top := range journals {
		for _, machine := range l.folder(top) {
			for _, name := range l.inner(path.Join(top, machine)) {
				if strings.HasSuffix(name, ".journal") && read < maxJournals {
					read++
					l.journal(path.Join(top, machine, name))
				}
			}
		}
	}
}

// inner lists a folder that may be a file.
func (l *look) inner(folder string) (names []string) {
	list, err := l.bounds.ReadDir(l.at(folder))
	if err != nil {
		return nil
	}
	for _, e := range list[:min(len(list), maxFiles)] {
		names = append(names, e.Name())
	}
	return names
}

// journal reads one file of journald.
func (l *look) journal(name string) {
	src, err := l.bounds.Map(l.at(name))
	if err != nil {
		l.refuse(err)
		return
	}
	defer src.Close()
	entries, err := journal.With(src, "COREDUMP_PID", maxFiles)
	if err != nil {
		l.refuse(&fs.PathError{Op: "reading", Path: l.at(name), Err: err})
	}
	for _, e := range entries {
		l.logged(e)
	}
}

// logged adds what an entry says: to the core that it is about, or as a core that is gone.
func (l *look) logged(e journal.Entry) {
	get := func(name string) string { return e.Fields["COREDUMP_"+name] }
	c := Core{Gone: true, Store: "systemd-coredump", PID: number(get("PID")), Name: get("COMM"), Exe: get("EXE"),
		Unit: cmp.Or(get("USER_UNIT"), get("UNIT")), Signal: cmp.Or(get("SIGNAL_NAME"), signal(get("SIGNAL"))),
		Package: strings.TrimSpace(get("PACKAGE_NAME") + " " + get("PACKAGE_VERSION")),
		Time:    stamp(get("TIMESTAMP"), 1)}
	if c.Time.IsZero() {
		c.Time = e.Time
	}
	if name := get("FILENAME"); path.IsAbs(name) {
		c.Path = l.at(path.Clean(name))
	}
	i := slices.IndexFunc(l.cores, func(k Core) bool { return c.Path != "" && k.Path == c.Path })
	if i < 0 {
		if c.Path != "" {
			_, err := l.bounds.Stat(c.Path)
			c.Gone = err != nil
		}
		l.cores = append(l.cores, c)
		return
	}
	k := &l.cores[i]
	k.Exe, k.Unit, k.Signal, k.Package = cmp.Or(c.Exe, k.Exe), c.Unit, cmp.Or(c.Signal, k.Signal), c.Package
}

// refuse notes an error that keeps cores from being found: everything but a place that is not there.
func (l *look) refuse(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.refused = append(l.refused, err)
	}
}
