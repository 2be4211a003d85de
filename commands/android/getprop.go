package android

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/property"
)

var propertyCommands = []commands.Command{{
	Name: "getprop", Module: module, Addr: commands.AddrNone,
	Args:    "[name]",
	Summary: "show Android's system properties, as the process saw them",
	Detail: `The properties are in files below /dev/__properties__ that every process maps; a core
has them if it was dumped with shared file pages (bit 3 of coredump_filter). A name
that ends in a dot or a star means all that begin so.`,
	Example: "::getprop ro.build.*",
	SeeAlso: []string{"status", "artversion"},
	Run:     runGetprop,
}}

// propertyRecord is a property.
type propertyRecord struct {
	_     out.Record `record:"property"`
	Name  string     `json:"name"`
	Value string     `json:"value"`
	At    core.Addr  `json:"addr" dot:"always"`
	Area  string     `json:"area,omitempty"`
	only  bool       // it was asked for by its name
}

func runGetprop(_ context.Context, c *commands.Call) error {
	props, problems := property.Read(c.Session.Process)
	for _, p := range problems {
		c.Warn("%s", p)
	}
	name := ""
	if len(c.Args) > 0 {
		name = c.Text(c.Args[0])
	}
	prefix := strings.TrimSuffix(name, "*")
	many := prefix != name || strings.HasSuffix(name, ".") || name == ""
	found := false
	for _, p := range props {
		if p.Name != name && !(many && strings.HasPrefix(p.Name, prefix)) {
			continue
		}
		found = true
		if err := c.Emit(&propertyRecord{Name: p.Name, Value: p.Value, At: core.Addr(p.Addr), Area: p.Area,
			only: !many}); err != nil {
			return err
		}
	}
	switch {
	case len(props) == 0:
		return c.Unknown("no property area of Android is in the core")
	case !found:
		return fmt.Errorf("there is no property %q", name)
	}
	return nil
}

// Text writes it as Android's getprop does.
func (r *propertyRecord) Text(w *out.Writer) {
	if r.only {
		w.Printf("%s\n", r.Value)
		return
	}
	w.Printf("[%s]: [%s]\n", r.Name, r.Value)
}
