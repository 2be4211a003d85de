package mcp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes"
)

// logo is a runtime of a language that no tool knows by name.
type logo struct{}

func (logo) Name() string                { return "turtle" }
func (logo) Version() string             { return "1" }
func (logo) Language() runtimes.Language { return "logo" }

type logoRecord struct {
	_    out.Record `record:"value" text:"{line}"`
	Line string     `json:"line"`
}

// TestViews: the tools find the commands of a language by their declarations.
func TestViews(t *testing.T) {
	c := connect(t)
	any, err := (&jsonschema.Schema{}).Resolve(nil) // the record of this test is in no schema
	if err != nil {
		t.Fatal(err)
	}
	for tool := range c.schemas {
		c.schemas[tool] = any
	}
	c.call("open", `{"path":"segv.cdb"}`)
	of, err := c.server.core("c1")
	if err != nil {
		t.Fatal(err)
	}
	s := of.Session
	for name, views := range map[string][]commands.View{
		"turtles": {{Language: "logo", Subject: commands.Threads}, {Language: "logo", Subject: commands.Stacks,
			Line: "::turtles -g"}},
		"turtlelocks":  {{Language: "logo", Subject: commands.Locks}},
		"turtleprints": {{Language: "logo", Subject: commands.Values}},
	} {
		s.Commands.Add(commands.Command{Name: name, Views: views, Addr: commands.AddrOptional, Args: "[name]",
			Options: []commands.Option{{Letter: 'g'}, {Letter: 'd', Arg: "depth"}},
			Run: func(_ context.Context, c *commands.Call) error {
				return c.Emit(&logoRecord{Line: fmt.Sprintf("%s %v %x %v %d", name, c.HasAddr, uint64(c.Dot),
					c.Flag('g'), len(c.Args))})
			}})
	}
	if g := c.call("threads", `{}`); strings.Contains(g.text, "turtles") {
		t.Errorf("a language that the process does not run: %s", g.text)
	}
	s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{logo{}} }
	for _, x := range []struct{ tool, args, want string }{
		{"threads", `{}`, "turtles false 0 false 0"},
		{"stacks", `{"language":"logo"}`, "turtles false 0 true 0"},
		{"stacks", `{"language":"logo","all":true}`, "turtles false 0 true 0"},
		{"locks", `{}`, "turtlelocks"},
		{"value", `{"address":"0x10"}`, "turtleprints true 10 false 0"},
		{"value", `{"address":"0x10","language":"logo"}`, "turtleprints true 10"},
		{"value", `{"expression":"a.b","language":"logo"}`, "turtleprints false 10 false 1"},
		{"stacks", `{"language":"basic"}`, `language is go, java, javascript or logo, not "basic"`},
		{"stacks", `{"language":"logo","thread":30840}`, "for all threads together"},
		{"value", `{"address":"0x10","language":"basic"}`, `language is native, java, javascript or logo, not "basic"`},
	} {
		if g := c.call(x.tool, x.args); !strings.Contains(g.text, x.want) {
			t.Errorf("%s %s: no %q in %s", x.tool, x.args, x.want, g.text)
		}
	}
}
