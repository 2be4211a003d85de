package secret

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Secret is a value of the environment or of the arguments, or a part of one,
// that is to be found nowhere in a bundle.
type Secret struct {
	From  string // the variable's or option's name, or "an argument"
	Value []byte
}

// telling are parts of names of variables and options whose values are secrets,
// in capitals.
var telling = []string{"PASS", "PWD", "SECRET", "TOKEN", "KEY", "PIN", "CRED", "AUTH", "PRIV"}

// private reports whether the name says that the value is a secret: then it is
// one although it may be a word.
func (s *Secret) private() bool {
	name := strings.ToUpper(s.From)
	return name == "-P" || slices.ContainsFunc(telling, func(t string) bool { return strings.Contains(name, t) })
}

// maxFrom is how much of an option's name is remembered, in bytes.
const maxFrom = 40

// beside returns what stands in front of the value where a program has its name, too.
func (s *Secret) beside() []string {
	switch {
	case len(s.From) < 2 || len(s.From) >= maxFrom || strings.ContainsRune(s.From, ' '):
		return nil
	case s.From[0] == '-':
		return []string{s.From + "=", s.From + " ", s.From + "\x00"}
	}
	return []string{s.From + "="}
}

// The minimum lengths of values to look for, in bytes. A part of a value must be longer, because parts
// are words more often than values are. A password in an address counts as a value.
const (
	Min     = 4
	minPart = 6
)

// Find returns the strings that must not appear in a bundle, from the strings that a process was started
// with: the values of variables and of options, in one word or two, other arguments, and their parts.
// It leaves out paths: names of modules and scripts hold them, which stacks need.
func Find(text []byte) []Secret {
	var out []Secret
	seen := map[string]bool{}
	add := func(from string, value []byte, least int) {
		if len(value) >= least && !seen[string(value)] && !isPath(string(value)) {
			seen[string(value)] = true
			out = append(out, Secret{from, value})
		}
	}
	option := ""
	for s := range bytes.SplitSeq(text, []byte{0}) {
		from, before := "an argument", option
		if option = ""; len(s) > 0 && s[0] == '-' {
			name, _, _ := bytes.Cut(s, []byte("="))
			option = string(name[:min(len(name), maxFrom)])
		}
		if before != "" {
			from = before
		}
		name, value, assigns := bytes.Cut(s, []byte("="))
		switch {
		case len(s) == 0 || slices.Contains(codeOptions, before) && isCode(s):
			continue
		case s[0] == '-' && assigns:
			from = option
			add(from, value, Min)
			if i := bytes.IndexByte(value, '='); i > 0 { // -DNAME=VALUE, --env=NAME=VALUE
				add(from, value[i+1:], Min)
			}
		case s[0] == '-' && len(s) > 2 && s[1] != '-':
			from, value = string(s[:2]), s[2:] // -pVALUE; or many options of a letter each, or a long one
			add(from, value, Min)
		case s[0] == '-':
			continue // an option's name; a value of its own is the next argument
		case assigns:
			if isName(name) && before == "" {
				from = string(name)
			} else {
				add(from, s, Min)
			}
			add(from, value, Min)
		default:
			value = s
			add(from, value, Min)
		}
		if isPath(string(value)) {
			continue
		}
		for _, part := range parts(value) {
			add(from, part, minPart)
		}
		for _, password := range passwords(value) {
			add(from, password, Min)
		}
	}
	return out
}

// codeOptions are what interpreters take a program after. Stacks need its text:
// lines are counted in it.
var codeOptions = []string{"-e", "--eval", "-c", "-p", "-pe", "--print", "-r", "-E"}

// isCode reports whether an argument is a program rather than a word.
func isCode(s []byte) bool { return bytes.IndexByte(s, '(') >= 0 && bytes.IndexByte(s, ')') >= 0 }

// isName reports whether b is a name of a variable.
func isName(b []byte) bool {
	for i, c := range b {
		if !wordAt(b, i) || i == 0 && '0' <= c && c <= '9' {
			return false
		}
	}
	return len(b) > 0
}

// parts splits a value where programs do.
func parts(value []byte) [][]byte {
	return bytes.FieldsFunc(value, func(r rune) bool {
		return r <= ' ' ||
			strings.ContainsRune(`,;:/@?&=|"'{}[]()<>`, r)
	})
}

// passwords returns what is between a colon and an at sign, as in
// scheme://user:password@host.
func passwords(value []byte) (out [][]byte) {
	for rest := value; ; {
		at := bytes.IndexByte(rest, '@')
		if at < 0 {
			return out
		}
		if colon := bytes.LastIndexByte(rest[:at], ':'); colon >= 0 {
			out = append(out, rest[colon+1:at])
		}
		rest = rest[at+1:]
	}
}

// topFolders are the first elements of paths that are believed to be paths: from the Filesystem
// Hierarchy Standard 3.0, macOS and Android. A key in base64 may begin with a slash too.
var topFolders = []string{"bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "media", "mnt", "nix",
	"opt", "proc", "root",
	"run", "sbin", "snap", "srv", "sys", "tmp", "usr", "var", "workspace", "app", "src",
	"Applications", "Library", "Network", "System", "Users", "Volumes", "private", "cores",
	"apex", "data", "linkerconfig", "odm", "product", "sdcard", "storage", "system", "system_ext", "vendor"}

// scriptKinds are the extensions of files that interpreters run.
var scriptKinds = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".wasm", ".node", ".jar",
	".apk", ".dex", ".class",
	".py", ".rb", ".php", ".pl", ".lua", ".sh", ".so", ".dylib", ".json"}

// isPath reports whether s is a path below a folder that systems have, a list of
// such, or a script's name.
func isPath(s string) bool {
	if i := strings.IndexFunc(s, notInPaths); i >= 0 || s == "" {
		return false
	}
	if slices.Contains(scriptKinds, path.Ext(s)) && !strings.Contains(s, ":") {
		return true
	}
	for _, p := range strings.Split(strings.TrimPrefix(s, "file://"), ":") {
		first, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
		if p != "" && p != "." && p != "/" && (p[0] != '/' || !slices.Contains(topFolders, first)) {
			return false
		}
	}
	return true
}

func notInPaths(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune("=?&;|\"'<>{}()[]*$!`\\#", r)
}

// An encoding is a value as a program may hold it.
type encoding struct {
	text []byte
	unit int // bytes of a character that begins a gram
	gram int // bytes of a gram
}

// encodings returns a value in bytes, in Latin-1 if that differs, and in UTF-16
// and UTF-32 of both byte orders.
func encodings(value []byte) []encoding {
	out := []encoding{{value, 1, 8}}
	runes := []rune(string(value))
	if !utf8.Valid(value) {
		runes = runes[:0]
		for _, c := range value { // what is not UTF-8 is widened byte by byte
			runes = append(runes, rune(c))
		}
	} else if latin := latin1(runes); len(latin) >= Min && len(latin) < len(value) {
		out = append(out, encoding{latin, 1, 8})
	}
	if len(runes) < Min {
		return out
	}
	var le16, be16, le32, be32 []byte
	for _, u := range utf16.Encode(runes) {
		le16, be16 = binary.LittleEndian.AppendUint16(le16, u), binary.BigEndian.AppendUint16(be16, u)
	}
	for _, r := range runes {
		le32, be32 = binary.LittleEndian.AppendUint32(le32, uint32(r)), binary.BigEndian.AppendUint32(be32, uint32(r))
	}
	return append(out, encoding{le16, 2, maxGram}, encoding{be16, 2, maxGram}, encoding{le32, 4, maxGram},
		encoding{be32, 4, maxGram})
}

// latin1 returns nil if a character is not in it.
func latin1(runes []rune) (out []byte) {
	for _, r := range runes {
		if r > 0xff {
			return nil
		}
		out = append(out, byte(r))
	}
	return out
}
