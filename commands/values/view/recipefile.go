package view

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"coredbg/commands"
)

// Recipes describe containers: rows of the built-in table and rows from files.
type Recipes struct {
	rows map[string][]*recipe
}

// builtin are the built-in recipes. A test holds that they can be read.
var builtin = sync.OnceValue(func() *Recipes {
	all := &Recipes{map[string][]*recipe{}}
	if err := errors.Join(all.Add("", builtinRecipes)...); err != nil {
		panic(err)
	}
	return all
})

// recipesOf returns the recipes of a session.
func recipesOf(s *commands.Session) *Recipes {
	if s != nil {
		if r := commands.Kept[Recipes](s); r != nil {
			return r
		}
	}
	return builtin()
}

// NewRecipes returns the built-in recipes; others may be added.
func NewRecipes() *Recipes {
	all := &Recipes{map[string][]*recipe{}}
	for name, list := range builtin().rows {
		all.rows[name] = list
	}
	return all
}

// maxRecipes bounds the rows of a text.
const maxRecipes = 10000

// Add adds the rows of a text. Its name is used in errors. There is one error for each row that cannot be read;
// the other rows are added. Rows for a type come before its earlier rows, in their order: the first that fits a
// value is taken.
func (r *Recipes) Add(name, text string) (problems []error) {
	if name != "" {
		name += ":"
	}
	added := map[string][]*recipe{}
	rows := 0
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if rows++; rows > maxRecipes {
			return append(problems, fmt.Errorf("%s%d: rows after the first %d do not count", name, i+1, maxRecipes))
		}
		of, row, err := parseRecipe(line)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s%d: %w", name, i+1, err))
			continue
		}
		added[of] = append(added[of], row)
	}
	for of, list := range added {
		r.rows[of] = append(list, r.rows[of]...)
	}
	return problems
}

// of returns the rows for a type.
func (r *Recipes) of(name string) []*recipe {
	if r == nil {
		r = builtin()
	}
	if list := r.rows[name]; list != nil {
		return list
	}
	return r.rows[bare(name)]
}

// parseRecipe reads a row.
func parseRecipe(line string) (name string, r *recipe, err error) {
	name, rest := cutName(line)
	words := strings.Fields(rest)
	switch {
	case len(words) == 0:
		return "", nil, fmt.Errorf("want a type, a kind and paths; none of the words is a kind: %s",
			strings.Join(kindNames(), ", "))
	case len(words) == 1:
		return "", nil, errors.New("want paths after the kind")
	}
	r = &recipe{kind: words[0], paths: map[string][]string{}}
	for _, w := range words[1:] {
		if err := r.set(w); err != nil {
			return "", nil, err
		}
	}
	return name, r, r.check()
}

// kindParts are the parts that the kinds need, and after a semicolon the optional ones. "a|b" is one of two.
var kindParts = map[string]string{
	"string": "ptr len", "sequence": "begin|ptr end|len", "deque": "first last",
	"list": "first next ; end value key hook at",
	"tree": "root left right ; at", "blocks": "ptr start len", "erased": "by|to ; also here there class constant value",
	"duration": "value", "trait": "to", "moment": "value", "ring": "ptr cap head len|end", "btree": "root len",
	"box": "", "swiss": "table ctrl mask items", "pointer": "to",
	"maybe": "set value", "variant": "index value", "tuple": "head base", "bits": "begin end|len ; rest",
	"alias":   "value",
	"buckets": "ptr len next ; value key", "slots": "ptr len ; used value key",
}

func isKind(word string) bool { _, ok := kindParts[word]; return ok }

// check reports a part that a recipe lacks, or that its kind does not have.
func (r *recipe) check() error {
	need, may, _ := strings.Cut(kindParts[r.kind], ";")
	known := map[string]bool{}
	for _, all := range strings.Fields(need) {
		found := false
		for _, part := range strings.Split(all, "|") {
			known[part] = true
			found = found || r.paths[part] != nil
		}
		if !found {
			return fmt.Errorf("a %s needs %s", r.kind, strings.ReplaceAll(all, "|", " or "))
		}
	}
	for _, part := range strings.Fields(may) {
		known[part] = true
	}
	for part, paths := range r.paths {
		if !known[part] {
			return fmt.Errorf("a %s has no %s", r.kind, part)
		}
		if err := checkPaths(part, paths); err != nil {
			return err
		}
	}
	for part, paths := range map[string][]string{"when": r.when, "lacks": r.lacks, "begins": r.begins} {
		if err := checkPaths(part, paths); err != nil {
			return err
		}
	}
	if r.paths["key"] != nil && r.paths["value"] == nil {
		return errors.New("a key needs a value")
	}
	if (r.paths["at"] == nil) != (r.node == "") {
		return errors.New("node and at need each other")
	}
	if r.paths["hook"] != nil && len(r.of) != 1 {
		return errors.New("a hook needs of=N, the type that has it")
	}
	r.pairs = r.pairs || r.paths["key"] != nil
	return nil
}

// checkPaths reports the invalid paths of a part.
func checkPaths(part string, paths []string) error {
	for _, p := range paths {
		if _, number := madeNumber(p); number {
			continue
		}
		path, _, err := bitsOfPath(p)
		if err != nil {
			return fmt.Errorf("%s=%s: %q is not a path with &MASK or >>BITS", part, strings.Join(paths, "|"), p)
		}
		for _, name := range strings.Split(strings.TrimSuffix(path, "@"), ".") {
			if name == "" {
				return fmt.Errorf("%s=%s lacks the name of a member", part, strings.Join(paths, "|"))
			}
		}
	}
	return nil
}

// kindNames returns the names of the kinds of containers, sorted.
func kindNames() []string { return slices.Sorted(maps.Keys(kindParts)) }
