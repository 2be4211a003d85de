package lang

import (
	"strconv"
	"strings"
)

// Quote returns a text in quotes, as one operand, whatever it contains.
func Quote(text string) string {
	if !strings.Contains(text, "'") {
		return "'" + text + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// FileLine splits "FILE:LINE"; ok is false for other texts. The file may be "": that is the one of the current frame.
func FileLine(text string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || i > 0 && text[i-1] == ':' {
		return "", 0, false
	}
	line, err := strconv.Atoi(text[i+1:])
	return text[:i], line, err == nil && line > 0
}
