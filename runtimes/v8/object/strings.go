package object

import "coredbg/runtimes/v8/text"

// Package text reads strings. These are its names that a caller of a Reader needs.
type (
	StringInfo      = text.StringInfo
	StringKind      = text.StringKind
	StringError     = text.StringError
	LongBigIntError = text.LongBigIntError
)

// The kinds of strings.
const (
	ConsString   = text.ConsString
	SlicedString = text.SlicedString
	ThinString   = text.ThinString
)

// DecodeRune returns the first character of s and its bytes; it may be a surrogate.
func DecodeRune(s string) (rune, int) { return text.DecodeRune(s) }
