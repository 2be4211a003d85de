package bytecode

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// Costs of matching bytecodes with a table of sizes.
const (
	costMissing = 4  // a bytecode that the nearest set has
	costOther   = 5  // one that it does not have
	costUnknown = 20 // one of no version that is known
)

// OfSizes returns the set of an image by V8's table of sizes, three rows of the same
// length. It consists of bytecodes that are known in any version, in their order, with these
// sizes, and is as near as possible to the set of ver. A bytecode without a name goes by
// its number.
func OfSizes(sizes []byte, ver layout.Version) (*Set, bool) {
	n := len(sizes) / 3
	if n == 0 || n > 256 {
		return nil, false
	}
	sets := Sets()
	rows := alignedRows(sets[Nearest(sets, ver)])
	steps := align(rows, sizes, n)
	s := &Set{Version: ver}
	for _, k := range steps {
		if k >= 0 {
			s.names, s.kinds = append(s.names, rows[k].name), append(s.kinds, rows[k].kinds)
			continue
		}
		op := len(s.names)
		s.names = append(s.names, fmt.Sprintf("Bytecode%d", op))
		s.kinds = append(s.kinds, slices.Repeat([]operandKind{opUnsigned}, max(int(sizes[op])-1, 0)))
	}
	return s, true
}

// An alignRow is a row of the list of all versions' bytecodes.
type alignRow struct {
	name  string
	kinds []operandKind
	near  bool // the nearest set has it
}

func alignedRows(near *Set) (list []alignRow) {
	at := 0
	for line := range strings.Lines(rows) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		r := alignRow{name: f[0], kinds: []operandKind(strings.Trim(f[1], "-"))}
		if at < len(near.names) && near.names[at] == r.name && slices.Equal(near.kinds[at], r.kinds) {
			r.near = true
			at++
		}
		list = append(list, r)
	}
	return list
}

// align returns for each of n bytecodes the row that it is, or -1: the cheapest way
// through both lists in order.
func align(rows []alignRow, sizes []byte, n int) []int {
	fits := func(r *alignRow, op int) bool {
		s := &Set{kinds: [][]operandKind{r.kinds}}
		for i, scale := range []int{1, 2, 4} {
			if got := int(sizes[i*n+op]); got != 0 && got != s.size(0, scale) {
				return false
			}
		}
		return true
	}
	// cost[i][j] is the cost of all rows and bytecodes after the first i rows and j bytecodes.
	cost := make([][]int, len(rows)+1)
	for i := range cost {
		cost[i] = make([]int, n+1)
	}
	skip := func(i int) int {
		if rows[i].near {
			return costMissing
		}
		return 0
	}
	take := func(i int) int {
		if rows[i].near {
			return 0
		}
		return costOther
	}
	for i := len(rows); i >= 0; i-- {
		for j := n; j >= 0; j-- {
			best := 1 << 30
			if i == len(rows) && j == n {
				best = 0
			}
			if i < len(rows) {
				best = min(best, cost[i+1][j]+skip(i))
			}
			if j < n {
				best = min(best, cost[i][j+1]+costUnknown)
			}
			if i < len(rows) && j < n && fits(&rows[i], j) {
				best = min(best, cost[i+1][j+1]+take(i))
			}
			cost[i][j] = best
		}
	}
	out := make([]int, 0, n)
	for i, j := 0, 0; j < n; {
		switch {
		case i < len(rows) && fits(&rows[i], j) && cost[i][j] == cost[i+1][j+1]+take(i):
			out = append(out, i)
			i, j = i+1, j+1
		case i < len(rows) && cost[i][j] == cost[i+1][j]+skip(i):
			i++
		default:
			out = append(out, -1)
			j++
		}
	}
	return out
}
