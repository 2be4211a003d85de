package layout

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxRows bounds the rows of a table. The present tables have 3,000.
const maxRows = 1 << 16

// ReadTable reads a table: lines of name, value and source with a tab between, sorted by
// name; lines that begin with # are comments. An error says which line it is in.
func ReadTable(r io.Reader) (map[string]int, error) {
	out := map[string]int{}
	last := ""
	s := bufio.NewScanner(r)
	n := 1
	for ; s.Scan(); n++ {
		line := s.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, "\t")
		text, _, ok2 := strings.Cut(rest, "\t")
		if name == "" || !ok || !ok2 {
			return nil, fmt.Errorf("line %d: no name, value and source between tabs", n)
		}
		value, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: value of %s: %w", n, name, err)
		}
		if name <= last {
			return nil, fmt.Errorf("line %d: %s is not after %s", n, name, last)
		}
		if len(out) == maxRows {
			return nil, fmt.Errorf("line %d: more than %d rows", n, maxRows)
		}
		last, out[name] = name, int(value)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return out, nil
}
