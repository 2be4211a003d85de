package sourcemap

import "fmt"

// Bounds of the cost of a map that is made to be expensive.
const (
	// maxValues bounds the values of the JSON: decoded, an empty one takes some dozen
	// bytes where its text takes two.
	maxValues = 1 << 22
	// maxUnsorted bounds the mappings whose columns do not rise, in bytes: all segments of a
	// line are read to find one.
	maxUnsorted = 1 << 20
)

// bounded returns an error if a JSON text has too many values. Invalid JSON is left for the reader to find.
func bounded(b []byte) error {
	n, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '[' || c == '{'):
			if n++; n > maxValues {
				return fmt.Errorf("source map: more than %d values of JSON", maxValues)
			}
		}
	}
	return nil
}
