package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/runtimes/v8/layout"
)

var v8loadCommand = commands.Command{
	Name: "v8load", Module: target.Module, Silent: true, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 't', Help: "take the table alone, also where constants of the binary say otherwise"}},
	Args:    "version",
	Summary: "decode as another version of V8 would have laid things out",
	Detail: `For a core whose version cannot be recognised, or whose V8 is a changed one: the table of
the given version fills in facts that the constants of the binary do not give. Facts
probed or set by ::v8field before are dropped. ::v8version -v says how well it fits.`,
	Example: "::v8load 13.6",
	SeeAlso: []string{"v8version", "v8classes", "v8field"},
	Run:     runLoad,
}

func runLoad(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if len(c.Args) != 1 {
		return c.Usage("a version is needed")
	}
	text := c.Text(c.Args[0])
	ver, ok := layout.ParseVersion(text)
	if !ok {
		return c.Usage("%q is not a version such as 12.4", text)
	}
	if err := v.Load(ver, !c.Flag('t')); err != nil {
		return fmt.Errorf("::v8load: %w", err)
	}
	if test := v.SelfTest(); test.Sound == 0 || test.Sound < test.Functions {
		c.Warn("this version does not fit the core: %v", test)
	}
	return nil
}
