// Command coredbg examines core files of dead processes, native and managed,
// in the language of illumos MDB: at a prompt, or from a script.
//
//	coredbg [flags] [executable] core
//	coredbg bundle [flags] core
//	coredbg fetch [flags] core
//	coredbg diff [flags] old new
//	coredbg triage [flags] core|folder|pattern|list|- ...
//	coredbg groups [flags] file ...
//	coredbg collect [flags] < core
//	coredbg corpus add|check|update|clean [flags] ...
//	coredbg report [flags] [executable] core
//	coredbg mcp [flags] [core ...]
//	coredbg dap [flags]
//	coredbg schema [type ...]
//	coredbg completion bash|zsh|fish
//	coredbg man
//
// It exits with 0 if all went well, 1 if the core could not be opened or (in
// batch) a command failed, 2 after a mistake in its arguments, and 3 if it
// finished but memory or files were missing that the result needed.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands"
	"coredbg/commands/builtin"
	"coredbg/commands/out"
)

func main() {
	delayCollection()
	if err := enoughFiles(); err != nil {
		commands.WriteError(os.Stderr, err)
		os.Exit(exitFatal)
	}
	os.Exit(run(os.Args[1:], coredbg.Open, os.Stdin, out.NewTerminal(standardOutput(os.Stdout, os.Args[1:])),
		out.NewTerminal(os.Stderr)))
}

// delayCollection has the first garbage collection wait until 16 MiB are in use, instead
// of 4: a short command on a small core ends before, and would spend a quarter of
// its time on three of them. Later ones are as Go or $GOGC has them.
func delayCollection() {
	if old := debug.SetGCPercent(400); old != 100 {
		debug.SetGCPercent(old)
		return
	}
	collected := new([64]byte)
	runtime.SetFinalizer(collected, func(*[64]byte) { debug.SetGCPercent(100) })
}

// subcommands are what the first argument may name instead of a core.
var subcommands = map[string]func(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int{
	"bundle": runBundle, "fetch": runFetch, "diff": runDiff, "triage": runTriage, "groups": runGroups,
	"corpus": runCorpus, "collect": runCollect, "report": runReport,
	"mcp": runMCP, "dap": runDAP, "schema": runSchema,
}

// run is main with its surroundings as arguments. Output that could not be written is a failure,
// whatever it was.
func run(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	code := command(args, open, stdin, stdout, stderr)
	if err := stdout.Err(); err != nil && (code == exitOK || code == exitPartial) {
		commands.WriteError(stderr, err)
		return exitFatal
	}
	return code
}

// helpOf translates requests for help to the usual arguments: "help WORD" for a subcommand, "help WORD" and
// "WORD --help" for a command of the prompt. It returns other arguments as they are.
func helpOf(args []string) []string {
	if len(args) < 2 || len(args) > 3 {
		return args
	}
	word, rest := args[0], args[1:]
	if word == "help" {
		word, rest = args[1], append([]string{"--help"}, args[2:]...)
	}
	_, known := coredbg.Registry().Command(word)
	switch all := len(rest) == 2 && slices.Contains(cmdline.All, rest[1]); {
	case !slices.Contains(cmdline.Help, rest[0]), len(rest) == 2 && !all:
	case subcommands[word] != nil:
		return append([]string{word}, rest...)
	case known && all:
		return []string{"-e", "::help -a '" + word + "'"}
	case known:
		return []string{"-e", "::help '" + word + "'"}
	}
	return args
}

// command is run without a look at what became of the output.
func command(args []string, open opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	args = helpOf(args)
	if len(args) > 0 {
		if sub := subcommands[args[0]]; sub != nil {
			return sub(args[1:], open, stdin, stdout, stderr)
		}
	}
	f, err := parseFlags(args, stdout, stderr)
	switch {
	case err != nil:
		return exitUsage // it has been said
	case f.version:
		version, compiler := builtin.Version()
		fmt.Fprintln(stdout, "coredbg", version, compiler)
		return exitOK
	case f.help:
		return exitOK
	}
	return runCore(f, open, stdin, stdout, stderr)
}
