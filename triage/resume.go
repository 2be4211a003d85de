package triage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"coredbg/core/file"
)

// maxLine bounds a line of triage that is read, in bytes.
const maxLine = 16 << 20

// Resume opens a file of lines to be gone on with, or makes it, and returns which cores have
// one. A last line that was not finished is dropped.
func Resume(path string) (f *os.File, done map[string]bool, err error) {
	if f, err = file.Append(path); err != nil {
		return nil, nil, err
	}
	done = map[string]bool{}
	whole := int64(0)
	err = eachLine(f, func(line []byte, ended bool) error {
		if !ended {
			return nil
		}
		whole += int64(len(line))
		l := struct{ Type, Core string }{}
		if err := json.Unmarshal(line, &l); err != nil || l.Type != "triage" {
			return fmt.Errorf("%s is not a file of triage: %.40q", path, line)
		}
		done[l.Core] = true
		return nil
	})
	if err == nil {
		err = f.Truncate(whole)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, done, nil
}

// eachLine calls do for each line with its newline, and whether it has one.
func eachLine(r io.Reader, do func(line []byte, ended bool) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		var line []byte
		for {
			part, err := in.ReadSlice('\n')
			line = append(line, part...)
			if len(line) > maxLine {
				return fmt.Errorf("a line is longer than %d bytes", maxLine)
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			if len(line) > 0 {
				if e := do(line, bytes.HasSuffix(line, []byte("\n"))); e != nil {
					return e
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			break
		}
	}
}

// Shard returns the i-th of n parts of a list, counted from 1: every n-th.
func Shard(list []string, i, n int) []string {
	var part []string
	for k := i - 1; k < len(list); k += n {
		part = append(part, list[k])
	}
	return part
}

// Left returns the cores that are not done.
func Left(cores []string, done map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(cores), func(c string) bool { return done[spelled(c)] })
}

// spelled is a path as a line has it: what is not UTF-8 is replaced.
func spelled(path string) string { return string([]rune(path)) }
