package store

import (
	"path"
	"slices"
	"strings"
)

// spools are ABRT's folders (DumpLocation of abrt.conf of ABRT 2.17 and earlier).
var spools = []string{"/var/spool/abrt", path.Join("/var/tmp", "abrt")}

// abrt finds the folders of problems that have a core.
func (l *look) abrt() {
	for _, spool := range spools {
		for _, name := range l.folder(spool) {
			at := path.Join(spool, name)
			files := l.inner(at)
			i := slices.IndexFunc(files, func(f string) bool {
				return f == "coredump" ||
					strings.HasPrefix(f, "coredump.")
			})
			if i < 0 {
				continue
			}
			get := func(name string) string { return l.text(path.Join(at, name)) }
			c := Core{Path: l.at(path.Join(at, files[i])), Store: "ABRT", PID: number(get("pid")),
				Exe: get("executable"), Package: get("package"),
				Time: seconds(get("time"))}
			if c.Exe != "" {
				c.Name = path.Base(c.Exe)
			}
			if _, after, ok := strings.Cut(get("reason"), " killed by "); ok { // "httpd killed by SIGSEGV"
				c.Signal = after
			}
			l.cores = append(l.cores, c)
		}
	}
}
