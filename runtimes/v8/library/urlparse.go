package library

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A webURL is a URL as the URL standard of WHATWG has it.
type webURL struct {
	scheme         string
	user, password string
	host           string
	hosted         bool // host may be empty
	port           int  // -1 for none
	path           []string
	opaque         string // the path of a URL that no other one is relative to
	isOpaque       bool
	query, hash    string
	asks, hashed   bool // there is a query, a hash
}

// specialPorts are the ports of the special schemes.
var specialPorts = map[string]int{"ftp": 21, "file": -1, "http": 80, "https": 443, "ws": 80, "wss": 443}

func (u *webURL) special() bool { _, ok := specialPorts[u.scheme]; return ok }

// parseURL parses a URL, which may be relative to another one; base may be nil.
func parseURL(s string, base *webURL) (*webURL, bool) {
	s = strings.TrimFunc(s, func(c rune) bool { return c <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	u := &webURL{port: -1}
	rest, hash, hashed := strings.Cut(s, "#")
	if u.hashed = hashed; hashed {
		u.hash = percent(hash, " \"<>`")
	}
	scheme, after, ok := strings.Cut(rest, ":")
	if ok && isScheme(scheme) {
		u.scheme, rest = strings.ToLower(scheme), after
		if u.special() && base != nil && base.scheme == u.scheme && !strings.HasPrefix(rest, "/") &&
			!strings.HasPrefix(rest, "\\") && u.scheme != "file" {
			return u, u.relative(rest, base)
		}
	} else if base == nil {
		return nil, false
	} else if u.scheme = base.scheme; base.isOpaque {
		if rest != "" || !hashed {
			return nil, false
		}
		*u = webURL{scheme: base.scheme, port: -1, opaque: base.opaque, isOpaque: true, query: base.query,
			asks: base.asks,
			hash: u.hash, hashed: true}
		return u, true
	} else {
		return u, u.relative(rest, base)
	}
	if u.scheme == "file" && base != nil && base.scheme == "file" && !strings.HasPrefix(u.slashes(rest), "/") {
		return u, u.relative(rest, base)
	}
	return u, u.absolute(rest)
}

// isScheme reports whether a text is the name of a scheme.
func isScheme(s string) bool {
	for i, c := range s {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || strings.ContainsRune("+-.", c))) {
			return false
		}
	}
	return s != ""
}

// slashes are the backslashes before a query of a special URL as slashes.
func (u *webURL) slashes(s string) string {
	path, query, asks := strings.Cut(s, "?")
	if u.special() {
		path = strings.ReplaceAll(path, "\\", "/")
	}
	if asks {
		return path + "?" + query
	}
	return path
}

// takeQuery cuts the query off a text.
func (u *webURL) takeQuery(s string) string {
	rest, query, asks := strings.Cut(s, "?")
	if asks {
		set := " \"#<>"
		if u.special() {
			set += "'"
		}
		u.query, u.asks = percent(query, set), true
	}
	return rest
}

// relative reads what follows, for a URL that has its beginning from another one.
func (u *webURL) relative(s string, base *webURL) bool {
	s = u.slashes(s)
	if strings.HasPrefix(s, "//") {
		return u.absolute(s)
	}
	u.user, u.password, u.host, u.hosted, u.port = base.user, base.password, base.host, base.hosted, base.port
	rest := u.takeQuery(s)
	switch {
	case rest == "":
		u.path = append([]string(nil), base.path...)
		if !u.asks {
			u.query, u.asks = base.query, base.asks
		}
		return true
	case strings.HasPrefix(rest, "/"):
		u.setPath(rest[1:], nil)
	default:
		u.setPath(rest, base.path[:max(len(base.path)-1, 0)])
	}
	return true
}

// absolute reads what follows the scheme.
func (u *webURL) absolute(s string) bool {
	s = u.slashes(s)
	switch {
	case u.special() && u.scheme != "file":
		s = "//" + strings.TrimLeft(s, "/")
	case u.scheme == "file" && !strings.HasPrefix(s, "//"):
		u.hosted = true
		rest := u.takeQuery(s)
		u.setPath(strings.TrimPrefix(rest, "/"), nil)
		return true
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		end := strings.IndexAny(rest, "/?")
		if end < 0 {
			end = len(rest)
		}
		if !u.authority(rest[:end]) {
			return false
		}
		rest = u.takeQuery(rest[end:])
		if rest != "" || u.special() {
			u.setPath(strings.TrimPrefix(rest, "/"), nil)
		}
		return true
	}
	rest := u.takeQuery(s)
	if strings.HasPrefix(rest, "/") {
		u.setPath(rest[1:], nil)
		return true
	}
	u.opaque, u.isOpaque = percent(rest, ""), true
	return true
}

// authority reads a name, a password, a host and a port.
func (u *webURL) authority(s string) bool {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		const set = " \"#<>?`{}/:;=@[\\]^|"
		name, password, _ := strings.Cut(s[:i], ":")
		u.user, u.password = percent(name, set), percent(password, set)
		if s = s[i+1:]; s == "" {
			return false
		}
	}
	host := s
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.Contains(s[i:], "]") {
		port := s[i+1:]
		if host = s[:i]; host == "" || u.scheme == "file" {
			return false
		}
		if port != "" {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || port[0] == '+' {
				return false
			}
			if u.port = int(n); specialPorts[u.scheme] == u.port && u.special() {
				u.port = -1
			}
		}
	}
	u.hosted = true
	var ok bool
	u.host, ok = u.hostOf(host)
	if u.scheme == "file" && u.host == "localhost" {
		u.host = ""
	}
	return ok
}

// hostOf is a host as a URL has it.
func (u *webURL) hostOf(s string) (string, bool) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		a, err := netip.ParseAddr(inner)
		if !closed || err != nil || !a.Is6() || a.Zone() != "" {
			return "", false
		}
		if a.Is4In6() {
			b := a.As16()
			return "[::ffff:" + strconv.FormatUint(uint64(b[12])<<8|uint64(b[13]), 16) + ":" +
				strconv.FormatUint(uint64(b[14])<<8|uint64(b[15]), 16) + "]", true
		}
		return "[" + a.String() + "]", true
	}
	if !u.special() {
		return percent(s, ""), !strings.ContainsAny(s, "\x00 #/:<>?@[\\]^|")
	}
	if s = unpercent(s); s == "" {
		return "", u.scheme == "file"
	}
	if !utf8.ValidString(s) {
		return "", false
	}
	labels := strings.Split(strings.ToLower(s), ".")
	for i, l := range labels {
		if labels[i] = punycoded(l); strings.ContainsAny(labels[i], "\x00 #%/:<>?@[\\]^|") {
			return "", false
		}
	}
	return numericHost(labels)
}

// numericHost is a host whose last label is a number: an address of four bytes. Others are as they are.
func numericHost(labels []string) (string, bool) {
	host, list := strings.Join(labels, "."), labels
	if n := len(list); n > 1 && list[n-1] == "" {
		list = list[:n-1]
	}
	last := list[len(list)-1]
	if strings.Trim(last, "0123456789") != "" && !strings.HasPrefix(last, "0x") || last == "" {
		return host, true
	}
	if len(list) > 4 {
		return "", false
	}
	address := uint64(0)
	for i, part := range list {
		base := 10
		switch {
		case strings.HasPrefix(part, "0x"):
			part, base = part[2:]+map[bool]string{true: "0"}[len(part) == 2], 16
		case len(part) > 1 && part[0] == '0':
			base = 8
		}
		n, err := strconv.ParseUint(part, base, 64)
		most := uint64(255)
		if i == len(list)-1 {
			most = 1<<(8*(5-len(list))) - 1
		}
		if err != nil || n > most {
			return "", false
		}
		if i == len(list)-1 {
			address |= n
		} else {
			address |= n << (8 * (3 - i))
		}
	}
	b := []byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}
	a, _ := netip.AddrFromSlice(b)
	return a.String(), true
}

// setPath reads a path after others.
func (u *webURL) setPath(s string, before []string) {
	u.path = append([]string(nil), before...)
	parts := strings.Split(s, "/")
	for i, p := range parts {
		last := i == len(parts)-1
		switch strings.ReplaceAll(strings.ToLower(p), "%2e", ".") {
		case "..":
			drive := u.scheme == "file" && len(u.path) == 1 && isDrive(u.path[0])
			if len(u.path) > 0 && !drive {
				u.path = u.path[:len(u.path)-1]
			}
			if last {
				u.path = append(u.path, "")
			}
		case ".":
			if last {
				u.path = append(u.path, "")
			}
		default:
			if u.scheme == "file" && len(u.path) == 0 && isDrive(p) {
				p = p[:1] + ":"
			}
			u.path = append(u.path, percent(p, " \"#<>?`{}^"))
		}
	}
}

func isDrive(s string) bool {
	return len(s) == 2 && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' && (s[1] == ':' || s[1] == '|')
}

// percent writes bytes that a part of a URL cannot have as %XX.
func percent(s, set string) string {
	var b strings.Builder
	for _, c := range []byte(strings.ToValidUTF8(s, "\ufffd")) {
		if c < ' ' || c >= 0x7f || strings.IndexByte(set, c) >= 0 {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unpercent reads bytes that are written as %XX.
func unpercent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
