package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands/out"
)

const (
	completionSynopsis = `usage: coredbg completion bash|zsh|fish
`
	completionAbout = `Prints a script that has a shell complete the subcommands and flags of coredbg.
Packages install it; else load it from the shell's startup file:

  bash  source <(coredbg completion bash)
  zsh   source <(coredbg completion zsh)
  fish  coredbg completion fish | source
`
	manSynopsis = `usage: coredbg man
`
	manAbout = `Prints the manual page of coredbg and its subcommands, for man -l -.
`
)

// manPage is the help of "coredbg man".
var manPage = cmdline.Page{Synopsis: manSynopsis, About: manAbout}

// completionPage is the help of "coredbg completion".
var completionPage = cmdline.Page{Synopsis: completionSynopsis, About: completionAbout}

func init() { // not in the declaration of subcommands, which they read
	subcommands["completion"] = runCompletion
	subcommands["man"] = runMan
}

// A usage is the output of a subcommand with --help.
type usage struct {
	name  string // "" for coredbg itself
	lines []string
	flags []flagUsage
}

// A flagUsage is a line of the flags of a subcommand.
type flagUsage struct {
	names []string // with their dashes
	arg   string
	text  string
}

// flagLine is a line of a table of flags that begins a flag.
var flagLine = regexp.MustCompile(`^  (-\S+(?:, -\S+)*)(?: ([A-Z/]+))?(?:\s{2,}(.*))?$`)

// usages returns the usage of coredbg and then of each subcommand, sorted by name.
func usages() []usage {
	list := []usage{usageOf("")}
	for _, name := range slices.Sorted(maps.Keys(subcommands)) {
		list = append(list, usageOf(name))
	}
	return list
}

func usageOf(name string) usage {
	var b bytes.Buffer
	stdout, quiet := out.NewTerminal(&b), out.NewTerminal(io.Discard)
	if name == "" {
		parseFlags([]string{"--help", "--all"}, stdout, quiet)
	} else {
		command([]string{name, "--help", "--all"}, nil, nil, stdout, quiet)
	}
	u := usage{name: name}
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, "\n")
		u.lines = append(u.lines, line)
		if m := flagLine.FindStringSubmatch(line); m != nil {
			u.flags = append(u.flags, flagUsage{strings.Split(m[1], ", "), m[2], m[3]})
		} else if n := len(u.flags); n > 0 && strings.HasPrefix(line, strings.Repeat(" ", 20)) {
			u.flags[n-1].text += " " + strings.TrimSpace(line)
		}
	}
	return u
}

// runCompletion is "coredbg completion".
func runCompletion(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	set := flag.NewFlagSet("coredbg completion", flag.ContinueOnError)
	operands, err := cmdline.Parse(set, args, &completionPage, stdout, stderr)
	write := map[string]func(io.Writer, []usage){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
	if err == nil && (len(operands) != 1 || write[operands[0]] == nil) {
		err = fmt.Errorf("the shell is bash, zsh or fish")
		cmdline.Mistake(set, err, completionSynopsis, stderr)
	}
	return perform(err, stderr, func(context.Context) error {
		write[operands[0]](stdout, usages())
		return nil
	})
}

// runMan is "coredbg man".
func runMan(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	set := flag.NewFlagSet("coredbg man", flag.ContinueOnError)
	operands, err := cmdline.Parse(set, args, &manPage, stdout, stderr)
	if err == nil && len(operands) > 0 {
		err = fmt.Errorf("too many arguments: %q", operands)
		cmdline.Mistake(set, err, manSynopsis, stderr)
	}
	return perform(err, stderr, func(context.Context) error {
		writeMan(stdout, usages())
		return nil
	})
}

// words returns the flags of a subcommand, with two dashes where they are long.
func (u *usage) words() string {
	var words []string
	for _, f := range u.flags {
		words = append(words, f.names...)
	}
	return strings.Join(words, " ")
}

// writeCases writes the branches of a shell's case: the words after each subcommand, and the words without
// one. set is how the shell sets them. It returns the first words of a command line.
func writeCases(w io.Writer, all []usage, set string) string {
	top := all[0].words()
	first := top
	for _, u := range all[1:] {
		fmt.Fprintf(w, "\t%s) "+set+" ;;\n", u.name, u.words())
		first += " " + u.name
	}
	fmt.Fprintf(w, "\t*) "+set+" ;;\n\tesac\n", top)
	return first
}

func bashCompletion(w io.Writer, all []usage) {
	fmt.Fprint(w, "# bash completion of coredbg\n_coredbg() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n\tcase ${COMP_WORDS[1]} in\n")
	first := writeCases(w, all, "words='%s'")
	fmt.Fprintf(w, "\t[ \"$COMP_CWORD\" = 1 ] && words='%s'\n", first)
	fmt.Fprint(w, "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\tcase $cur in -*) ;; *) local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$cur\")) ;; esac\n}\ncomplete -o filenames -F _coredbg coredbg\n")
}

func zshCompletion(w io.Writer, all []usage) {
	fmt.Fprint(w, "#compdef coredbg\n# zsh completion of coredbg\n_coredbg() {\n\tlocal -a words_\n\tcase ${words[2]} in\n")
	first := writeCases(w, all, "words_=(%s)")
	fmt.Fprintf(w, "\t(( CURRENT == 2 )) && words_=(%s)\n", first)
	fmt.Fprint(w, "\tcompadd -- $words_\n\t[[ ${words[CURRENT]} == -* ]] || _files\n}\nif [ \"$funcstack[1]\" = _coredbg ]; then _coredbg \"$@\"; else compdef _coredbg coredbg; fi\n")
}

// fishQuoted quotes a text for fish.
func fishQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

func fishCompletion(w io.Writer, all []usage) {
	fmt.Fprint(w, "# fish completion of coredbg\n")
	for _, u := range all {
		when := "__fish_use_subcommand"
		if u.name != "" {
			fmt.Fprintf(w, "complete -c coredbg -n __fish_use_subcommand -a %s\n", u.name)
			when = "__fish_seen_subcommand_from " + u.name
		}
		for _, f := range u.flags {
			fmt.Fprintf(w, "complete -c coredbg -n %s", fishQuoted(when))
			for _, n := range f.names {
				if long, ok := strings.CutPrefix(n, "--"); ok {
					fmt.Fprintf(w, " -l %s", long)
				} else {
					fmt.Fprintf(w, " -s %s", strings.TrimPrefix(n, "-"))
				}
			}
			if f.arg != "" {
				fmt.Fprint(w, " -r")
			}
			fmt.Fprintf(w, " -d %s\n", fishQuoted(f.text))
		}
	}
}

// roff escapes a line for troff.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func writeMan(w io.Writer, all []usage) {
	fmt.Fprint(w, ".TH COREDBG 1\n.SH NAME\ncoredbg \\- debugger for core files of dead processes, native and managed\n")
	for _, u := range all {
		title := strings.ToUpper(strings.TrimSpace("coredbg " + u.name))
		if u.name == "" {
			title = "DESCRIPTION"
		}
		fmt.Fprintf(w, ".SH %s\n.nf\n", title)
		for _, line := range u.lines {
			fmt.Fprintln(w, roff(line))
		}
		fmt.Fprint(w, ".fi\n")
	}
}
