package inspect

import (
	"math"
	"strings"

	"coredbg/runtimes/v8/object"
)

// reduce is reduceToSingleString with compact 3: members go on one line if
// the object holds at most three levels of others and all of them fit.
func (f *formatter) reduce(p *parts, level int, x *Value) string {
	const compact = 3
	out := p.out
	if p.array && len(out) > 6 && !f.o.OneLine {
		out = f.group(out, x)
	}
	base := p.base
	if base != "" {
		base += " "
	}
	if f.o.OneLine {
		return base + p.open + " " + strings.Join(out, ", ") + " " + p.close
	}
	if f.deepest-level < compact && len(out) == len(p.out) {
		start := len(out) + f.indent + jsLength(p.open) + jsLength(p.base) + 10
		if f.fits(out, start, p.base) {
			if joined := strings.Join(out, ", "); f.o.Dialect.JoinsLines || !strings.Contains(joined, "\n") {
				return base + p.open + " " + joined + " " + p.close
			}
		}
	}
	nl := "\n" + strings.Repeat(" ", f.indent)
	return base + p.open + nl + "  " + strings.Join(out, ","+nl+"  ") + nl + p.close
}

// fits is isBelowBreakLength.
func (f *formatter) fits(out []string, start int, base string) bool {
	total := len(out) + start
	if total+len(out) > f.o.Width {
		return false
	}
	for _, s := range out {
		if total += jsLength(s); total > f.o.Width {
			return false
		}
	}
	return !strings.Contains(base, "\n")
}

// group is groupArrayElements: many short entries go in columns.
func (f *formatter) group(out []string, x *Value) []string {
	const separator, approxCharHeights, compact, maxColumns = 2, 2.5, 3, 15
	n := len(out)
	if x != nil && n > x.room() {
		n-- // "... more items", or the last item, stays alone
	}
	lengths := make([]int, n)
	total, longest := 0, 0
	for i := range n {
		lengths[i] = displayWidth(out[i])
		total += lengths[i] + separator
		longest = max(longest, lengths[i])
	}
	actual := longest + separator
	if actual*3+f.indent >= f.o.Width || !(float64(total)/float64(actual) > 5 || longest <= 6) {
		return out
	}
	bias := math.Sqrt(float64(actual) - float64(total)/float64(len(out)))
	biased := math.Max(float64(actual)-3-bias, 1)
	columns := min(int(math.Floor(math.Sqrt(approxCharHeights*biased*float64(n))/biased+0.5)),
		(f.o.Width-f.indent)/actual, compact*4, maxColumns)
	if columns <= 1 {
		return out
	}
	var widths []int
	for i := range columns {
		w := 0
		for j := i; j < n; j += columns {
			w = max(w, lengths[j])
		}
		widths = append(widths, w+separator)
	}
	right := x == nil || x.allNumbers(len(out))
	var lines []string
	for i := 0; i < n; i += columns {
		end := min(i+columns, n)
		var s strings.Builder
		for j := i; j < end; j++ {
			cell, width := out[j]+", ", widths[j-i]
			if j == end-1 {
				cell, width = out[j], widths[j-i]-separator
			}
			pad := strings.Repeat(" ", max(width-displayWidth(cell), 0))
			switch {
			case right:
				s.WriteString(pad + cell)
			case j == end-1:
				s.WriteString(cell)
			default:
				s.WriteString(cell + pad)
			}
		}
		lines = append(lines, s.String())
	}
	return append(lines, out[n:]...)
}

// allNumbers reports whether the first n elements of an array are numbers,
// which are aligned at their end.
func (x *Value) allNumbers(n int) bool {
	if uint64(n) > x.Length {
		return false
	}
	for i, m := range x.Elements {
		if m.Value == nil || m.Index != uint64(i) ||
			m.Value.Kind != object.KindNumber && m.Value.Kind != object.KindBigInt {
			return false
		}
	}
	return len(x.Elements) > 0
}
