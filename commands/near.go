package commands

import (
	"os/exec"
	"slices"
	"strings"

	"coredbg/commands/foreign"
)

// Near returns the command whose name is closest to an unknown one, or "" if no name is close. Names of one
// sign are close to no other.
func (r *Registry) Near(name string) string { return foreign.Nearest(name, r.names()) }

// names returns the names of the commands that are words.
func (r *Registry) names() (names []string) {
	for _, c := range r.Commands() {
		if !strings.HasPrefix(c.Name, "$") {
			names = append(names, c.Name)
		}
	}
	return names
}

// NearWalker is Near for walkers.
func (r *Registry) NearWalker(name string) string {
	var names []string
	for _, w := range r.Walkers() {
		names = append(names, w.Name)
	}
	return foreign.Nearest(name, names)
}

// Suggest returns how an error about a command that does not exist goes on: by
// what the name means elsewhere, by its letters, or by the commands that are
// about it.
func (r *Registry) Suggest(name string) string {
	if _, p, ok := foreign.Meaning([]string{strings.ToLower(name)}); ok {
		return ": " + p.Here
	}
	if near := r.Near(name); near != "" {
		return "; did you mean " + title(near) + "? (::dcmds lists them)"
	}
	if about := r.about(name); len(about) > 0 {
		return "; see " + strings.Join(about, ", ") + " (::dcmds " + name + ")"
	}
	return " (::dcmds lists them)"
}

// about returns the titles of a few commands that have a word in their name or
// summary.
func (r *Registry) about(word string) []string {
	word = strings.TrimSuffix(strings.ToLower(word), "s")
	if len(word) < 3 {
		return nil
	}
	var all []string
	for _, c := range r.Commands() {
		if strings.Contains(c.Name, word) || slices.ContainsFunc(strings.Fields(c.Summary), func(w string) bool {
			return strings.TrimSuffix(strings.ToLower(w), "s") == word
		}) {
			all = append(all, c.Title())
		}
	}
	return all[:min(len(all), 4)]
}

// filters are the programs that output is given to most.
var filters = strings.Fields("awk cat column cut egrep fgrep grep head jq less more nl perl python3 sed sort tac tail tee " +
	"tr uniq wc xargs")

// unknownFilter returns what is wrong with operands that end in a pipe to something that is neither a program nor a
// command: which word that is, and the near ones that exist. It returns "" for other operands.
func (r *Registry) unknownFilter(operands []string) string {
	i := slices.IndexFunc(operands, func(a string) bool { return a == "|" || a == "!" })
	if i < 0 || i+1 >= len(operands) {
		return ""
	}
	word := strings.TrimPrefix(operands[i+1], "::")
	if _, own := r.Command(word); own {
		return ""
	}
	if _, err := exec.LookPath(word); err == nil {
		return ""
	}
	hint := word + ": there is neither a program nor a command with this name"
	var near []string
	if f := foreign.Nearest(word, filters); f != "" {
		if _, err := exec.LookPath(f); err == nil {
			near = append(near, f)
		}
	}
	if c := r.Near(word); c != "" {
		near = append(near, title(c))
	}
	if len(near) > 0 {
		hint += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return hint
}
