package sourcemap

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Resolve returns what a URL or path in a map or script leads to, which is at base: a path
// if it is one of a file, else a URL.
func Resolve(base, ref string) string {
	switch {
	case scheme(ref) != "":
		return filePath(clean(ref))
	case isPath(ref):
		if s := scheme(base); s != "" && s != "file" { // a path on the server of base
			host, _ := origin(base)
			return clean(host + ref)
		}
		return path.Clean(ref)
	}
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		base = base[:i+1]
	} else if i := strings.LastIndexByte(base, '\\'); i >= 0 {
		base = strings.ReplaceAll(base[:i+1], `\`, "/")
	} else {
		base = ""
	}
	if scheme(base) == "" {
		return path.Clean(base + unescape(ref))
	}
	return filePath(clean(base + ref))
}

// scheme returns the scheme of a URL, "" if it is a path: what has one letter is a drive.
func scheme(s string) string {
	name, _, ok := strings.Cut(s, ":")
	if !ok || len(name) < 2 || strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("+-.", c)
	}) {
		return ""
	}
	return strings.ToLower(name)
}

// isPath reports whether ref is a whole path, of any system.
func isPath(ref string) bool {
	return strings.HasPrefix(ref, "/") || len(ref) > 2 && ref[1] == ':' && (ref[2] == '/' || ref[2] == '\\')
}

// origin splits a URL after its host.
func origin(u string) (host, rest string) {
	at := strings.IndexByte(u, ':') + 1
	if strings.HasPrefix(u[at:], "//") {
		at += 2
		if i := strings.IndexByte(u[at:], '/'); i >= 0 {
			return u[:at+i], u[at+i:]
		}
		return u, ""
	}
	return u[:at], u[at:]
}

// clean takes "." and ".." out of a URL's path.
func clean(u string) string {
	if scheme(u) == "data" {
		return u
	}
	host, rest := origin(u)
	if !strings.HasPrefix(rest, "/") {
		return u
	}
	return host + path.Clean(rest)
}

// filePath returns the path of a file's URL, others as they are.
func filePath(u string) string {
	if scheme(u) != "file" {
		return u
	}
	_, rest := origin(u)
	return unescape(rest)
}

// unescape resolves %XX as far as it is right.
func unescape(s string) string {
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}

// Path returns the path in a URL or path, without query and fragment. The path can be used to find the file on
// a disk.
func Path(u string) string {
	if scheme(u) == "" {
		return u
	}
	_, rest := origin(u)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	return unescape(rest)
}

// Folders returns where the map of a script may be on this machine: the script's folder, and the
// one above it unless that is the root or just below it. It returns an empty list for a
// script that is not a file.
func Folders(script string) []string {
	name := filePath(script)
	if scheme(name) != "" || !path.IsAbs(name) {
		return []string{}
	}
	dirs := []string{path.Dir(path.Clean(name))}
	if up := path.Dir(dirs[0]); strings.Count(up, "/") > 1 {
		dirs = append(dirs, up)
	}
	return dirs
}

// IsData reports whether a URL holds the map itself.
func IsData(u string) bool { return scheme(u) == "data" }

// Data returns the content of a data: URL (RFC 2397).
func Data(u string) ([]byte, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(u, "data:"), ",")
	if !ok {
		return nil, errors.New("source map: a data: URL without a comma")
	}
	if !strings.HasSuffix(strings.ToLower(strings.TrimRight(head, " ")), ";base64") {
		s, err := url.PathUnescape(body)
		if err != nil {
			return nil, fmt.Errorf("source map: data: URL: %w", err)
		}
		return []byte(s), nil
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(body), "="))
	if err != nil {
		return nil, fmt.Errorf("source map: data: URL: %w", err)
	}
	return b, nil
}
