package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/dap"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/out"
)

const (
	dapSynopsis = `usage: coredbg dap [flags]
`
	dapAbout = `Shows a core to an editor, by the Debug Adapter Protocol on standard input and
output. The editor's launch configuration names it: "core", and if they are not where the
core says "program", "search", "source", "sysroot" and "debugDir". editors/vscode is an
extension of Visual Studio Code for it.
`
)

// dapPage is the help of "coredbg dap".
var dapPage = cmdline.Page{Synopsis: dapSynopsis, About: dapAbout, Often: []string{"search", "sysroot"}}

// runDAP is "coredbg dap".
func runDAP(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f := &flags{}
	set := flag.NewFlagSet("coredbg dap", flag.ContinueOnError)
	openFlags(set, f)
	set.Func("source", "look for source files in `folder`; may be repeated", func(s string) error {
		f.search = append(f.search, s)
		return nil
	})
	operands, err := cmdline.Parse(set, args, &dapPage, stdout, stderr)
	if err == nil && len(operands) > 0 {
		err = fmt.Errorf("the editor names the core: %q is not taken", operands)
		cmdline.Mistake(set, err, dapSynopsis, stderr)
	}
	return perform(err, stderr, func(ctx context.Context) error {
		s := dap.New(dap.Options{Open: func(l *dap.Launch) (*commands.Session, error) { return f.openFor(l, open) }})
		err := s.Serve(ctx, stdin, raw(stdout))
		if err == nil || ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("messages of the editor: %w", err)
	})
}

// openFor opens the core that an editor names.
func (f *flags) openFor(l *dap.Launch, open opener) (*commands.Session, error) {
	of := *f
	of.core, of.executable = l.Core, l.Program
	of.search = append(append(of.search[:len(of.search):len(of.search)], l.Search...), l.Source...)
	of.debugDirs = append(of.debugDirs[:len(of.debugDirs):len(of.debugDirs)], l.Debug...)
	if l.Sysroot != "" {
		of.sysroot = l.Sysroot
	}
	s, err := open(of.core, of.options(nil, nil, out.NewTerminal(io.Discard), terminal.NewTicker(nil, system)))
	return s, hint(err)
}
