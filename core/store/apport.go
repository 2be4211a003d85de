package store

import (
	"bufio"
	"io"
	"path"
	"regexp"
	"strings"
	"time"
)

// apport's folders (apport/fileutils.py of apport 2.28): reports, and the cores of programs that belong to no
// package, core.EXE.UID.BOOT.PID.TIME with the slashes of the path as underscores and time in ticks since the boot.
const reports, unpackaged = "/var/crash", "/var/lib/apport/coredump"

var ofApport = regexp.MustCompile(`^core\.(.*)\.[0-9]+\.[0-9a-f-]{36}\.([0-9]+)\.[0-9]+$`)

// apport finds the reports and cores of apport.
func (l *look) apport() {
	for _, name := range l.folder(reports) {
		if strings.HasSuffix(name, ".crash") {
			l.report(path.Join(reports, name))
		}
	}
	for _, name := range l.folder(unpackaged) {
		m := ofApport.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		c := Core{Path: l.at(path.Join(unpackaged, name)), Store: "apport", PID: number(m[2])}
		// A path with underscores is ambiguous. The text behind the last one is the name of most programs.
		c.Name = m[1][strings.LastIndexByte(m[1], '_')+1:]
		c.Time = l.changed(c.Path)
		l.cores = append(l.cores, c)
	}
}

// changed returns when a file was last changed.
func (l *look) changed(name string) time.Time {
	st, err := l.bounds.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime().UTC()
}

// maxReport is how much of a report is read for its fields. Those before the core are some kilobytes.
const maxReport = 1 << 20

// report reads a report's fields, "Key: value", up to the core. A report of another kind has no core.
func (l *look) report(name string) {
	f, err := l.bounds.Open(l.at(name))
	if err != nil {
		l.refuse(err)
		return
	}
	defer f.Close()
	c := Core{Path: l.at(name), Store: "apport", Time: l.changed(l.at(name))}
	has := false
	scan := bufio.NewScanner(io.LimitReader(f, maxReport))
	scan.Buffer(nil, 64<<10)
	for scan.Scan() && !has {
		key, value, _ := strings.Cut(scan.Text(), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "ExecutablePath":
			c.Exe, c.Name = value, path.Base(value)
		case "Package":
			c.Package = value
		case "Signal":
			c.Signal = signal(value)
		case "Date":
			if t, err := time.ParseInLocation(time.ANSIC, value, time.Local); err == nil {
				c.Time = t.UTC()
			}
		case " Pid": // a line of /proc/PID/status, which is the value of ProcStatus
			c.PID = number(value)
		case "CoreDump":
			has = value == "base64"
		}
	}
	if has {
		l.cores = append(l.cores, c)
	}
}
