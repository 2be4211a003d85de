package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/store"
)

// seek replaces a process id, a program's name or path, or a unit in place of the core by the path of its last core in
// the system's stores. If all cores of it are gone, the error says what is known.
func (f *flags) seek(stderr io.Writer) error {
	word, exe := f.core, ""
	switch {
	case f.executable != "" || word == coredbg.Stdin || word == "":
		return nil
	case cmdline.Exists(word):
		if !coredbg.IsImage(word) {
			return nil
		}
		abs, err := filepath.Abs(word)
		if err != nil {
			return nil
		}
		word, exe = abs, f.core
	case strings.ContainsRune(word, filepath.Separator) && !filepath.IsAbs(word):
		return nil
	}
	found, refused := f.stores().Find(word)
	f.known = len(found)
	gone := 0
	for ; gone < len(found) && found[gone].Gone; gone++ {
	}
	if gone > 0 {
		newest := &found[0]
		text := "the last core is gone: " + newest.Says()
		if newest.Path != "" {
			text += ": " + newest.Path
		}
		if gone == len(found) {
			return fmt.Errorf("%s: %s", f.core, text)
		}
		fmt.Fprintf(stderr, "coredbg: %s\n", out.Clean(text, false))
	}
	if len(found) == 0 {
		for _, err := range refused {
			commands.WriteError(stderr, err)
		}
		return nil // the error of opening it follows
	}
	last := &found[gone]
	older := ""
	if n := len(found) - gone - 1; n > 0 {
		older = fmt.Sprintf(" (%s in the stores)", out.Count(n, "older core"))
	}
	fmt.Fprintf(stderr, "coredbg: %s%s\n", out.Clean(last.Says(), false), older)
	fmt.Fprintf(stderr, "coredbg: %s\n", out.Clean(last.Path, false))
	f.core, f.executable = last.Path, exe
	return nil
}

// stores says where the cores are: below the sysroot, if there is one.
func (f *flags) stores() store.Places {
	if f.sysroot != "" {
		return store.Places{Root: f.sysroot}
	}
	pattern, _ := os.ReadFile("/proc/sys/kernel/core_pattern") // a file of Linux
	here, _ := os.Getwd()
	return store.Places{Pattern: string(pattern), Folder: here}
}
