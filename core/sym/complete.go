package sym

import (
	"bytes"
	"strconv"
	"strings"

	"coredbg/core"
)

// Readable calls yield for names of C++ and Rust in m, without parameters, that begin with prefix as
// people read them, until it returns false. Names come in the order of symbols; a name may come more
// than once. In a big module only a part is tried, see maxTried.
func (t *Table) Readable(m *core.Module, prefix string, yield func(name string) bool) error {
	x := t.module(m).index()
	whole, part := identifiers(prefix)
	tried := 0
	for i := range x.len() {
		name := x.name(i)
		if !mangled(name) || !bytes.Contains(name, part) || !containsAll(name, whole) {
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		readable := Demangle(string(name), true)
		if strings.HasPrefix(readable, prefix) && !yield(readable) {
			return nil
		}
	}
	return x.err
}

// identifiers returns how manglings spell the identifiers that a prefix of a
// readable name has as a whole, and the one that it ends in, which may go on.
// Those that Itanium's abbreviates ("std" is "St") cannot be asked for, nor what
// is in brackets.
func identifiers(prefix string) (whole [][]byte, part []byte) {
	i := len(prefix)
	for i > 0 && identifierByte(prefix[i-1]) {
		i--
	}
	part = []byte(prefix[i:])
	if strings.ContainsAny(prefix[:i], "(<{[") {
		return nil, part
	}
	for _, id := range strings.FieldsFunc(prefix[:i],
		func(r rune) bool { return r < 0x80 && !identifierByte(byte(r)) }) {
		if id != "std" {
			whole = append(whole, []byte(strconv.Itoa(len(id))+id))
		}
	}
	return whole, part
}

func containsAll(name []byte, parts [][]byte) bool {
	for _, p := range parts {
		if !bytes.Contains(name, p) {
			return false
		}
	}
	return true
}
