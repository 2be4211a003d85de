package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

type jsonWriter struct{ b []byte }

func (j *jsonWriter) raw(s string) { j.b = append(j.b, s...) }

func (j *jsonWriter) str(s string) {
	j.b = AppendString(j.b, s)
}

// AppendString appends s as a JSON string. Surrogates without a partner are
// escaped; what else is not UTF-8 becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		r, size := object.DecodeRune(s[i:])
		if utf16.IsSurrogate(r) {
			b = appendEncoded(b, s[start:i])
			b = fmt.Appendf(b, `\u%04x`, r)
			start = i + size
		}
		i += size
	}
	return append(appendEncoded(b, s[start:]), '"')
}

// appendEncoded appends what is between the quotes of s in JSON.
func appendEncoded(b []byte, s string) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return b
	}
	q := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	return append(b, q[1:len(q)-1]...)
}

// kind opens an object with "$".
func (j *jsonWriter) kind(k string) {
	j.raw(`{"$":`)
	j.str(k)
}

func (j *jsonWriter) key(k string) {
	if c := j.b[len(j.b)-1]; c != '{' {
		j.raw(",")
	}
	j.str(k)
	j.raw(":")
}

func (j *jsonWriter) text(k, v string) {
	j.key(k)
	j.str(v)
}

func (j *jsonWriter) int(k string, n uint64) {
	j.key(k)
	j.b = strconv.AppendUint(j.b, n, 10)
}

// set writes a flag that is absent unless it is set.
func (j *jsonWriter) set(k string, is bool) {
	if is {
		j.key(k)
		j.raw("true")
	}
}

func (j *jsonWriter) addr(w layout.Tagged) { j.text("addr", fmt.Sprintf("%#x", uint64(w))) }

func (j *jsonWriter) comma(first bool) {
	if !first {
		j.raw(",")
	}
}

func (j *jsonWriter) more(n int, first bool) {
	if n > 0 {
		j.comma(first)
		j.raw(fmt.Sprintf(`{"$":"more","count":%d}`, n))
	}
}
