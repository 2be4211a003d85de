package elf

import (
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
)

// Where the dynamic linker has its list of folders, and how much of that is believed.
const (
	linkerConf    = "/etc/ld.so.conf"
	maxConf       = 1 << 16 // bytes of a file
	maxConfFiles  = 64
	maxLibFolders = 256
)

// libraryPlaces returns the places where a library may be whose name alone is known, as crash reporters
// record it: the executable's folder, the folders of /etc/ld.so.conf and of the files it includes, and
// the dynamic linker's default folders (ld.so(8)). With a Sysroot these are folders in it. The caller
// must have a build-id: many libraries share a name.
func (d Disk) libraryPlaces(name, exe string) (tries []string) {
	if name == "" || strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return nil
	}
	dirs := []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib"}
	dirs = slices.Concat(d.confFolders(linkerConf, new(int)), dirs)
	if strings.HasPrefix(exe, "/") {
		dirs = slices.Insert(dirs, 0, filepath.Dir(exe))
	}
	for _, dir := range dirs[:min(len(dirs), maxLibFolders)] {
		tries = append(tries, d.onDisk(filepath.Join(dir, name))...)
	}
	return tries
}

// onDisk returns where a path is on this machine: in Sysroot, if there is one.
func (d Disk) onDisk(path string) []string { return append(d.InSysroot(path), d.Itself(path)...) }

// confFolders reads the folders in a file as ldconfig(8) reads it: one a line, "include" with a
// pattern of further files, and comments. Read counts the files that were read.
func (d Disk) confFolders(path string, read *int) (dirs []string) {
	if *read++; *read > maxConfFiles {
		return nil
	}
	for line := range strings.Lines(d.text(path)) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n,:", r) })
		switch {
		case len(words) == 0:
		case words[0] == "include":
			for _, pattern := range words[1:] {
				if !filepath.IsAbs(pattern) {
					pattern = filepath.Join(filepath.Dir(path), pattern)
				}
				for _, more := range d.matches(pattern) {
					dirs = append(dirs, d.confFolders(more, read)...)
				}
			}
		default:
			dirs = append(dirs, slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, "/") })...)
		}
	}
	return dirs
}

// matches returns the files in a folder whose names match the last part of a pattern.
func (d Disk) matches(pattern string) (paths []string) {
	folder, last := filepath.Split(pattern)
	for _, at := range d.onDisk(folder) {
		list, _ := d.Bounds().ReadDir(at)
		for _, e := range list {
			if ok, _ := filepath.Match(last, e.Name()); ok {
				paths = append(paths, filepath.Join(folder, e.Name()))
			}
		}
	}
	return paths
}

// text returns what is at the start of a file of text; "" if it cannot be read.
func (d Disk) text(path string) string {
	got := d.First(d.onDisk(path), func(core.Source, string) error { return nil })
	if got.Source == nil {
		return ""
	}
	defer got.Source.Close()
	w, err := got.Source.Window(0)
	if err != nil {
		return ""
	}
	return string(w[:min(len(w), maxConf)])
}

// isBareName reports whether a Want has only the name of a library and a build-id.
func isBareName(w find.Want) bool { return len(w.ID) > 0 && !strings.Contains(w.Path, "/") }
