package coredbg

import (
	"fmt"
	"io"
	"os"

	"coredbg/commands"
	"coredbg/commands/values"
)

// maxRecipes is how many bytes a file of recipes may have.
const maxRecipes = 1 << 20

// readRecipes adds the recipes of files to a session's.
func readRecipes(s *commands.Session, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	rows := values.NewRecipes()
	for _, path := range paths {
		text, err := readFile(path, maxRecipes)
		if err != nil {
			return fmt.Errorf("reading recipes: %w", err)
		}
		for _, problem := range rows.Add(path, text) {
			commands.WriteError(s.Err, problem)
		}
	}
	s.Recipes = rows
	return nil
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
