package builtin

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

const (
	mainOptions  = 4 // that a page of one screen has
	openingLines = 4 // of the description, before there is room for other commands
)

// screenful returns whole, the page of a command, if it fits a terminal. Else it returns the parts that matter most:
// the synopsis, the first sentences, the options that are used most, the example, and how to see the rest.
func screenful(c *commands.Command, whole string) string {
	if out.FitsScreen(whole) {
		return whole
	}
	last := fmt.Sprintf("::help -a %s has the whole page: %d lines", c.Name, strings.Count(whole, "\n")+1)
	var head, tail, also strings.Builder
	section(&head, "NAME", nameLine(c))
	section(&head, "SYNOPSIS", c.Usage())
	if options := frequent(c); len(options) > 0 {
		tail.WriteString("OPTIONS\n")
		for _, o := range options {
			tail.WriteString(brief(&o) + "\n")
		}
		tail.WriteString("\n")
	}
	if c.Example != "" {
		first, _, _ := strings.Cut(c.Example, "\n")
		tail.WriteString("EXAMPLE\n  " + cut(first, pageWidth-2) + "\n\n")
	}
	if len(c.SeeAlso) > 0 {
		also.WriteString("SEE ALSO\n  " + cut(strings.Join(c.SeeAlso, ", "), pageWidth-2) + "\n\n")
	}
	room := out.PageLines - strings.Count(head.String()+tail.String(), "\n") - 3 // heading, empty line, last line
	if n := strings.Count(also.String(), "\n"); room >= n+openingLines {
		room -= n
		tail.WriteString(also.String())
	}
	return head.String() + "DESCRIPTION\n" + strings.Join(opening(c.Detail, room), "\n") + "\n\n" + tail.String() + last
}

// frequent returns the options for a short page: the command's own choice, or the first ones.
func frequent(c *commands.Command) (list []commands.Option) {
	if len(c.Options) <= mainOptions || c.Often == "" {
		return c.Options[:min(mainOptions, len(c.Options))]
	}
	for _, letter := range []byte(c.Often) {
		if i := slices.IndexFunc(c.Options, func(o commands.Option) bool { return o.Letter == letter }); i >= 0 {
			list = append(list, c.Options[i])
		}
	}
	return list
}

// brief returns an option and the beginning of its explanation in one line.
func brief(o *commands.Option) string {
	return fmt.Sprintf("  %-*s%s", hangAt-2, term(o), cut(strings.Join(strings.Fields(o.Help), " "),
		pageWidth-max(hangAt, 2+len(term(o)))))
}

// cut shortens a text to at most n columns. It ends a shortened one with an ellipsis.
func cut(text string, n int) string {
	if len([]rune(text)) <= n {
		return text
	}
	return string([]rune(text)[:max(0, n-2)]) + " …"
}

// opening returns the first sentences of a description, in at most room lines. It stops at the end of a paragraph
// if all of that fits.
func opening(text string, room int) (lines []string) {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	if i := strings.Index(paragraph, "\n "); i >= 0 {
		paragraph = paragraph[:i]
	}
	words := strings.Fields(paragraph)
	for end := len(words); end > 0; end-- {
		sentence := end == len(words) || strings.HasSuffix(words[end-1], ".")
		if lines = wrap(strings.Join(words[:end], " "), pageWidth-2); sentence && len(lines) <= room {
			return indented(lines)
		}
	}
	lines = wrap(paragraph, pageWidth-4)[:max(room, 1)]
	lines[len(lines)-1] += " …"
	return indented(lines)
}

func indented(lines []string) []string {
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}
