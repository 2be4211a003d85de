package store

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// pattern finds the kernel's own cores, by core_pattern (core(5) of man-pages 6.9, format_corename of Linux 6.12).
// One that begins with "|" or "@" gives cores to a program.
func (l *look) pattern() {
	p := strings.TrimSpace(l.Pattern)
	if p == "" || p[0] == '|' || p[0] == '@' {
		return
	}
	top := "/"
	if !path.IsAbs(p) {
		if l.Folder == "" {
			return
		}
		top = l.Folder
	}
	l.below(top, strings.Split(strings.TrimPrefix(p, "/"), "/"), Core{Store: "core_pattern"}, path.IsAbs(p))
}

// below looks in a folder for cores whose path matches the parts of a pattern.
func (l *look) below(folder string, parts []string, known Core, inRoot bool) {
	where := folder
	if inRoot {
		where = l.at(folder)
	}
	if !strings.Contains(parts[0], "%") && len(parts) > 1 {
		l.below(path.Join(folder, parts[0]), parts[1:], known, inRoot)
		return
	}
	list, err := l.bounds.ReadDir(where)
	l.refuse(err)
	re, letters := expression(parts[0], len(parts) == 1)
	for _, e := range list[:min(len(list), maxFiles)] {
		m := re.FindStringSubmatch(e.Name())
		switch {
		case m == nil || len(l.cores) >= maxFiles:
		case len(parts) > 1:
			if e.IsDir() {
				l.below(path.Join(folder, e.Name()), parts[1:], learn(known, letters, m), inRoot)
			}
		case e.Type().IsRegular():
			c := learn(known, letters, m)
			c.Path = filepath.Join(where, e.Name())
			if c.Time.IsZero() {
				c.Time = l.changed(c.Path)
			}
			l.cores = append(l.cores, c)
		}
	}
}

// expression returns what matches the names that a part of a pattern makes, and the letter of each of its
// groups. The last part may have the process id added to it (core_uses_pid), and a compressor's suffix.
func expression(part string, last bool) (re *regexp.Regexp, letters string) {
	var b strings.Builder
	b.WriteString("^")
	for i := 0; i < len(part); i++ {
		if part[i] != '%' || i+1 == len(part) {
			if part[i] != '%' { // a single one at the end is dropped
				b.WriteString(regexp.QuoteMeta(part[i : i+1]))
			}
			continue
		}
		i++
		switch c := part[i]; {
		case c == '%':
			b.WriteString("%")
		case strings.IndexByte("pPiIugdstcFC", c) >= 0:
			b.WriteString("([0-9]+)")
			letters += string(c)
		case strings.IndexByte("eEfh", c) >= 0:
			b.WriteString("(.*?)")
			letters += string(c)
		} // others are dropped
	}
	if last && !strings.ContainsAny(letters, "p") {
		b.WriteString(`(?:\.([0-9]+))?`)
		letters += "p"
	}
	if last {
		b.WriteString(`(?:\.(?:zst|xz|gz|lz4))?`)
	}
	b.WriteString("$")
	return regexp.MustCompile(b.String()), letters
}

// learn adds the facts in a name's groups to a core.
func learn(c Core, letters string, m []string) Core {
	for i, letter := range letters {
		value := m[i+1]
		switch letter {
		case 'p', 'P':
			if n, err := strconv.Atoi(value); err == nil {
				c.PID = n
			}
		case 'e', 'f':
			c.Name = cmp.Or(c.Name, value)
		case 'E':
			c.Exe = strings.ReplaceAll(value, "!", "/")
			c.Name = path.Base(c.Exe)
		case 's':
			c.Signal = signal(value)
		case 't':
			c.Time = seconds(value)
		}
	}
	return c
}
