package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coredbg/commands"
	"coredbg/commands/star"
)

// loadCommands adds the user's commands from the *.star files of the configuration folder and from the files
// of -load. A file of the folder that cannot be loaded is reported and left out; one of -load is an error.
func loadCommands(s *commands.Session, f *flags) error {
	if dir, err := os.UserConfigDir(); err == nil && !f.noRC {
		own, _ := filepath.Glob(filepath.Join(dir, "coredbg", "*.star")) // the pattern is well-formed
		for _, path := range own {
			if err := loadFile(s, path); err != nil {
				commands.WriteError(s.Err, err)
			}
		}
	}
	for _, path := range f.load {
		if err := loadFile(s, path); err != nil {
			return err
		}
	}
	return nil
}

func loadFile(s *commands.Session, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, star.MaxFile+1))
	if err != nil {
		return err
	}
	_, err = star.Load(s, path, string(text))
	return err
}
