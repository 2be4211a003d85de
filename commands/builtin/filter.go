package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

func filterCommands() []commands.Command {
	count := []commands.Option{{Letter: 'n', Arg: "count", Digits: true,
		Help: "how many, in decimal, also as -5; 10 if it is not given"}}
	return []commands.Command{
		{Name: "map", Silent: true, Addr: commands.AddrRequired, Args: "statement", RawArgs: true,
			Summary: "replace each address by the result of a statement",
			Detail: "Evaluates the statement at each address and passes on what dot is then. A statement that is only an " +
				"expression sets dot to its value.",
			Example: "::walk thread | ::map .+10", SeeAlso: []string{"::grep", "::eval"}, Run: mapDot},
		{Name: "grep", Silent: true, Addr: commands.AddrRequired, Args: "statement", RawArgs: true,
			Summary: "keep the records where a statement is not zero",
			Detail: "Evaluates the statement at each address and passes on the record if dot is not zero then. To search the " +
				"text that commands print, use the shell: ! grep.",
			Example: "::walk mapping | ::grep .&1000", SeeAlso: []string{"::map", "::eval"}, Run: grep},
		{Name: "head", Addr: commands.AddrOptional, Options: count, Summary: "keep the first records",
			Detail:  "Hands on the first records of a pipeline, and ends it.",
			Example: "::nm | ::head -n 5", SeeAlso: []string{"::tail"}, Filter: head},
		{Name: "tail", Addr: commands.AddrOptional, Options: count, Summary: "keep the last records",
			Detail:  "Hands on the last records of a pipeline.",
			Example: "::nm | ::tail -n 5", SeeAlso: []string{"::head"}, Filter: tail},
		{Name: "sort", Addr: commands.AddrOptional, Options: []commands.Option{
			{Letter: 'n', Help: "by address, not by text"}, {Letter: 'r', Help: "in reverse"}},
			Summary: "sort the records", Detail: "Sorts the records of a pipeline by their text or, with -n, by their address. Records that compare equal keep their order.",
			Example: "::walk frame | ::sort -n | ::uniq", SeeAlso: []string{"::uniq"}, Filter: sortRecords},
		{Name: "uniq", Addr: commands.AddrOptional, Summary: "drop records that repeat the one before",
			Detail:  "Drops each record whose address, or whose text if it has no address, equals the previous record's.",
			Example: "::walk frame | ::sort -n | ::uniq", SeeAlso: []string{"::sort"}, Filter: uniq},
		{Name: "wc", Addr: commands.AddrOptional, Summary: "count records, lines, words and bytes",
			Detail:  "Counts the records of a pipeline, and the lines, words and bytes of their text.",
			Example: "::walk mapping | ::wc", SeeAlso: []string{"::head"}, Filter: wc},
	}
}

// at evaluates the statement of ::map or ::grep at dot and returns the dot after it. The statement's output is
// dropped.
func at(ctx context.Context, c *commands.Call) (core.Addr, error) {
	if len(c.Args) == 0 {
		return 0, c.Usage("it takes a statement")
	}
	l := c.Session.Lang
	err := l.Eval(ctx, words(c), func(lang.Record) error { return nil })
	return l.Dot(), err
}

func mapDot(ctx context.Context, c *commands.Call) error {
	a, err := at(ctx, c)
	if err != nil {
		return err
	}
	return c.Pass(c.Session.Lang.NewValue(uint64(a)))
}

func grep(ctx context.Context, c *commands.Call) error {
	a, err := at(ctx, c)
	if errors.Is(err, lang.ErrAbort) {
		return fmt.Errorf("%w (it evaluates a statement; ! grep searches what is printed)", err)
	}
	if err != nil || a == 0 {
		return err
	}
	if c.Input != nil {
		if a, ok := address(c.Input); ok && a == c.Dot {
			return c.Pass(c.Input)
		}
	}
	return c.Pass(c.Session.Lang.NewValue(uint64(c.Dot)))
}

// A filter is a lang.Sink of two functions.
type filter struct {
	put func(lang.Record) error
	end func() error
}

func (f filter) Put(r lang.Record) error { return f.put(r) }

func (f filter) Close() error {
	if f.end == nil {
		return nil
	}
	return f.end()
}

func head(_ context.Context, c *commands.Call) (lang.Sink, error) {
	left, err := c.Int('n', 10)
	return filter{put: func(r lang.Record) error {
		if left <= 0 {
			return lang.ErrStop
		}
		left--
		if err := c.Pass(r); err != nil || left > 0 {
			return err
		}
		return lang.ErrStop
	}}, err
}

func tail(_ context.Context, c *commands.Call) (lang.Sink, error) {
	n, err := c.Int('n', 10)
	var kept []lang.Record
	return filter{put: func(r lang.Record) error {
		kept = append(kept, r)
		if len(kept) > 2*n+1024 {
			kept = append([]lang.Record(nil), kept[len(kept)-n:]...)
		}
		return nil
	}, end: func() error { return pass(c, kept[max(len(kept)-n, 0):]) }}, err
}

func pass(c *commands.Call, records []lang.Record) error {
	for _, r := range records {
		if err := c.Pass(r); err != nil {
			return err
		}
	}
	return nil
}

// A keyed record is a record with its sort key.
type keyed struct {
	record lang.Record
	addr   core.Addr
	text   string
}

// address returns the address where the next stage would run for a record. For the result of a format command
// it is the value.
func address(r lang.Record) (core.Addr, bool) {
	if m, ok := r.(lang.Multi); ok && len(m.Addrs()) == 1 {
		return m.Addrs()[0], true
	}
	return r.Addr()
}

func sortRecords(_ context.Context, c *commands.Call) (lang.Sink, error) {
	var all []keyed
	return filter{put: func(r lang.Record) error {
		k := keyed{record: r}
		if c.Flag('n') {
			k.addr, _ = address(r)
		} else {
			k.text = c.Session.Render(r)
		}
		all = append(all, k)
		return nil
	}, end: func() error {
		slices.SortStableFunc(all, func(a, b keyed) int {
			order := cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(a.text, b.text))
			if c.Flag('r') {
				return -order
			}
			return order
		})
		for _, k := range all {
			if err := c.Pass(k.record); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

func uniq(_ context.Context, c *commands.Call) (lang.Sink, error) {
	var last keyed
	return filter{put: func(r lang.Record) error {
		a, ok := address(r)
		k := keyed{record: r, addr: a}
		if !ok {
			k.text = c.Session.Render(r)
		}
		if last.record != nil && last.addr == k.addr && last.text == k.text {
			return nil
		}
		last = k
		return c.Pass(r)
	}}, nil
}

// A countRecord is what ::wc counts.
type countRecord struct {
	_       out.Record `record:"count" text:"{text}"`
	Records int        `json:"records" dot:"always"`
	Lines   int        `json:"lines"`
	Words   int        `json:"words"`
	Bytes   int        `json:"bytes"`
	text    string
}

func wc(_ context.Context, c *commands.Call) (lang.Sink, error) {
	n := &countRecord{}
	return filter{put: func(r lang.Record) error {
		text := c.Session.Render(r)
		n.Records++
		n.Lines += strings.Count(text, "\n")
		n.Words += len(strings.Fields(text))
		n.Bytes += len(text)
		return nil
	}, end: func() error {
		n.text = strings.Join([]string{out.Count(n.Records, "record"), out.Count(n.Lines, "line"),
			out.Count(n.Words, "word"), out.Count(n.Bytes, "byte")}, ", ")
		return c.Emit(n)
	}}, nil
}
