package lang

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"coredbg/core"
)

// A Line is what a format command prints for one run, or for a part of a run
// that is long.
type Line struct {
	Start core.Addr
	// Symbol and Offset name Start; Symbol is "" if it has no name.
	Symbol string
	Offset uint64
	// Title is the line of its own that comes first if Start is exactly a
	// symbol; Label comes before the items, with its blanks.
	Title, Label string
	// Dot is set for "=": Start is the value formatted, and not an address.
	Dot   bool
	Items []Item
}

// An Item is one formatted value.
type Item struct {
	Letter byte
	Addr   core.Addr // where its bytes are
	Text   string    // padded
	Value  uint64
	IsNum  bool // Value is meaningful
}

// wrapAt is the column where items wrap to a new line: the usual terminal width.
const wrapAt = 80

// Addr returns the address of the line's bytes, or the value of dot.
func (l *Line) Addr() (core.Addr, bool) { return l.Start, true }

// Addrs returns the numbers of the line: in a pipeline they are addresses.
func (l *Line) Addrs() []core.Addr {
	var all []core.Addr
	for _, it := range l.Items {
		if it.IsNum {
			all = append(all, core.Addr(it.Value))
		}
	}
	return all
}

// Body returns the items with their line breaks, and its final newline.
func (l *Line) Body() string {
	var b strings.Builder
	col := utf8.RuneCountInString(l.Label)
	for _, it := range l.Items {
		text := it.Text
		// Blanks at the end may reach over the edge; what is seen may not.
		if n := len(strings.TrimRight(text, " ")); it.IsNum && col+n > wrapAt && col > labelWidth {
			b.WriteString("\n" + strings.Repeat(" ", labelWidth))
			col = labelWidth
		}
		b.WriteString(text)
		if i := strings.LastIndexByte(text, '\n'); i >= 0 {
			text, col = text[i+1:], 0
		}
		col += utf8.RuneCountInString(text)
	}
	b.WriteByte('\n')
	return b.String()
}

// String returns the line as text, with its label.
func (l *Line) String() string {
	s := l.Label + strings.TrimSuffix(l.Body(), "\n")
	if l.Title != "" {
		s = l.Title + "\n" + s
	}
	return s
}

type jsonItem struct {
	Format string    `json:"format"`
	Addr   core.Addr `json:"addr,omitzero"`
	Value  string    `json:"value,omitempty"`
	Text   string    `json:"text,omitempty"`
}

// MarshalJSON returns {"type":"memory","addr":…,"values":[…]}; for "=" the
// type is "value". Letters that only arrange text leave no item.
func (l *Line) MarshalJSON() ([]byte, error) {
	v := struct {
		Type   string     `json:"type" record:"memory,value"`
		Addr   core.Addr  `json:"addr"`
		Symbol string     `json:"symbol,omitempty"`
		Offset uint64     `json:"offset,omitempty"`
		Values []jsonItem `json:"values"`
	}{"memory", l.Start, l.Symbol, l.Offset, []jsonItem{}}
	if l.Dot {
		v.Type = "value"
	}
	for _, it := range l.Items {
		if it.Letter == 0 || strings.IndexByte("nNrtT", it.Letter) >= 0 {
			continue
		}
		j := jsonItem{Format: string(rune(it.Letter)), Text: strings.ToValidUTF8(strings.TrimSpace(it.Text), "\ufffd")}
		if !l.Dot {
			j.Addr = it.Addr
		}
		if it.IsNum {
			j.Value = core.Addr(it.Value).String()
		}
		v.Values = append(v.Values, j)
	}
	return json.Marshal(v)
}
