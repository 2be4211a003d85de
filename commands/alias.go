package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The bounds of aliases.
const (
	maxAliases = 1000
	maxAlias   = 4096 // bytes of a line
)

// Aliases are words that stand for lines.
type Aliases struct {
	lines   map[string]string
	running []string // the words whose lines are running
}

// Set makes a word stand for a line. Operands that are typed behind the word come to the end of the line, or
// to the place of "$*" in it. An empty line takes the word back.
func (a *Aliases) Set(word, line string) error {
	switch {
	case !isAliasName(word):
		return fmt.Errorf("%q is no word: an alias has letters, digits, - and _, and begins with a letter", word)
	case line == "" && a.lines[word] == "":
		return fmt.Errorf("%s is no alias", word)
	case line == "":
		delete(a.lines, word)
		return nil
	case len(line) > maxAlias || len(a.lines) >= maxAliases:
		return errors.New("it is too long, or there are too many aliases")
	}
	if a.lines == nil {
		a.lines = map[string]string{}
	}
	a.lines[word] = line
	return nil
}

// Line returns the line that a word stands for; "" if it stands for none.
func (a *Aliases) Line(word string) string { return a.lines[word] }

// Words returns the words in order.
func (a *Aliases) Words() (words []string) {
	for w := range a.lines {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

func isAliasName(word string) bool {
	for i, r := range word {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return word != "" && len(word) <= 64
}

// statement returns the statement that runs the line of an alias, if a text begins with one. Within the line
// the word has its own meaning, so that "alias bt=bt 5" is no circle.
func (a *Aliases) statement(text string) (run string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	line, ok := a.lines[word]
	if !ok || slices.Contains(a.running, word) {
		return "", false
	}
	switch rest = strings.TrimSpace(rest); {
	case strings.Contains(line, "$*"):
		line = strings.ReplaceAll(line, "$*", rest)
	case rest != "":
		line += " " + rest
	}
	return "::typed -n " + word + " " + operandOf(line), true
}

// operandOf quotes a text as one operand: between double quotes a backslash takes the meaning of the next character.
func operandOf(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text) + `"`
}
