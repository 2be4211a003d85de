package native

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

var sourcesCommands = []commands.Command{{
	Name: "sources", Addr: commands.AddrNone,
	Args:    "[text]",
	Summary: "list the source files of the program and its libraries",
	Detail: `Lists the files that debugging information (DWARF) names, as the compiler had them. With a text, only files whose path contains it.
::jsscripts lists the scripts of JavaScript.`,
	Example:   "::sources crash.c",
	SeeAlso:   []string{"objects", "jsscripts"},
	EmptyText: "debugging information names no such file",
	Run:       runSources,
}}

// A sourceFileRecord is a source file.
type sourceFileRecord struct {
	_      out.Record `record:"source-file"`
	Object string     `json:"object" col:"OBJECT,20"`
	Path   string     `json:"file" col:"FILE"`
}

// maxSources bounds the files of an object.
const maxSources = 1 << 18

func runSources(ctx context.Context, c *commands.Call) error {
	if len(c.Args) > 1 {
		return c.Usage("it takes one text")
	}
	text := ""
	if len(c.Args) == 1 {
		text = c.Text(c.Args[0])
	}
	for _, m := range c.Session.Process.Modules {
		seen := map[string]bool{}
		c.Session.Symbols.Files(m, func(path string) bool {
			if strings.Contains(path, text) {
				seen[path] = true
			}
			return len(seen) < maxSources && ctx.Err() == nil
		})
		var list []*sourceFileRecord
		for path := range seen {
			list = append(list, &sourceFileRecord{Object: m.Name(), Path: path})
		}
		slices.SortFunc(list, func(a, b *sourceFileRecord) int { return strings.Compare(a.Path, b.Path) })
		if err := commands.EmitAll(c, list); err != nil {
			return err
		}
	}
	return ctx.Err()
}
