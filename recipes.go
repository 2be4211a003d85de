package coredbg

import (
	"fmt"
	"io"
	"os"

	"coredbg/commands"
	"coredbg/commands/values/view"
)

// maxRecipes is how many bytes a file of recipes may have.
const maxRecipes = 1 << 20

// readRecipes adds the recipes of files to a session's.
func readRecipes(s *commands.Session, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	rows := view.NewRecipes()
	commands.Keep(s, rows)
	return addRecipes(rows, paths, func(problem error) { commands.WriteError(s.Err, problem) })
}

// addRecipes adds the recipes of files to rows. It calls say with each row that cannot be read.
func addRecipes(rows *view.Recipes, paths []string, say func(problem error)) error {
	for _, path := range paths {
		text, err := readFile(path, maxRecipes)
		if err != nil {
			return fmt.Errorf("reading recipes: %w", err)
		}
		for _, problem := range rows.Add(path, text) {
			say(problem)
		}
	}
	return nil
}

// CheckRecipes reads files of recipes as Open does. It calls say with each row that cannot be read,
// and returns why a file cannot be.
func CheckRecipes(paths []string, say func(problem error)) error {
	return addRecipes(view.NewRecipes(), paths, say)
}

// readFile returns the text of a regular file that has at most max bytes.
func readFile(path string, max int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	b, err := io.ReadAll(io.LimitReader(f, max+1))
	if int64(len(b)) > max {
		return "", fmt.Errorf("%s has more than %d bytes", path, max)
	}
	return string(b), err
}
