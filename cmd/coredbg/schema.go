package main

import (
	"context"
	"flag"
	"os"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/schema"
	"coredbg/commands/out"
)

const (
	schemaSynopsis = `usage: coredbg schema [type ...]
`
	schemaAbout = `Prints the JSON Schema (draft 2020-12) of the records that -json writes: of all of
them, or of the named types with the definitions that they need. docs/json.md lists
the types.
`
)

// schemaPage is the help of "coredbg schema".
var schemaPage = cmdline.Page{Synopsis: schemaSynopsis, About: schemaAbout}

// runSchema is "coredbg schema".
func runSchema(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	set := flag.NewFlagSet("coredbg schema", flag.ContinueOnError)
	types, err := cmdline.Parse(set, args, &schemaPage, stdout, stderr)
	return perform(err, stderr, func(context.Context) error {
		text := schema.Text()
		if len(types) > 0 {
			if text, err = schema.For(types...); err != nil {
				return err
			}
			text = append(text, '\n')
		}
		_, err := stdout.Write(text)
		return err
	})
}
