package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// maxTime is how long the commands may take over one core.
	maxTime = time.Minute

	// failedOf: one core in this number may be impossible to measure.
	failedOf = 50

	// keepEvery is how many cores are measured between two writes of the cache.
	keepEvery = 100

	// covered are the packages whose blocks count.
	covered = "coredbg/core/...,coredbg/walk/...,coredbg/runtimes/...,coredbg/stack/...,coredbg/crash/..."

	// command is the program. It writes what it has counted only if it is covered, too.
	command = "cmd/coredbg"
)

// A meter measures which blocks cores reach.
type meter struct {
	w       io.Writer
	root    string // the folder with the cores
	scratch string
	program string // coredbg, built to count
	covdata string // Go's tool that reads the counts
	*measured
}

// cover measures the live cores in a folder, and writes the quick set.
func cover(ctx context.Context, w io.Writer, root string, jobs int) error {
	s, err := readSets(ctx)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "cover")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	m := &meter{w: w, root: filepath.Clean(root), scratch: scratch}
	build, err := m.build(ctx)
	if err != nil {
		return err
	}
	kept := m.root + ".blocks"
	if m.measured, err = readMeasured(kept, build); err != nil {
		return err
	}
	names, err := m.measure(ctx, s.all, jobs, kept)
	if err != nil {
		return err
	}
	return writeQuick(ctx, w, m.measured, names, len(s.all))
}

// build builds coredbg so that it counts, and returns a hash of the program and the commands.
func (m *meter) build(ctx context.Context) (string, error) {
	m.program = filepath.Join(m.scratch, "coredbg")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-cover", "-covermode=set",
		"-coverpkg="+covered+",coredbg/"+command, "-o", m.program, "./"+command)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	m.covdata = filepath.Join(m.scratch, "covdata")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", m.covdata,
		"cmd/covdata").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build cmd/covdata: %w\n%s", err, out)
	}
	program, err := os.ReadFile(m.program)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(append(program, strings.Join(commands, "\n")...))), nil
}

// measure measures the cores that the cache lacks, and returns the names of all cores in the
// folder. It leaves out cores that could not be measured. If there are too many, it returns
// an error.
func (m *meter) measure(ctx context.Context, all []string, jobs int, kept string) (names []string, err error) {
	names, todo := m.here(all)
	fmt.Fprintf(m.w, "%d of %d live cores are here, %d to measure\n", len(names), len(all), len(todo))
	var mu sync.Mutex // guards m.measured and failed
	var failed []string
	var wg sync.WaitGroup
	queue := make(chan string)
	for range jobs {
		wg.Go(func() {
			for name := range queue {
				if err := m.one(ctx, &mu, name); err != nil {
					mu.Lock()
					fmt.Fprintf(m.w, "%s: %v\n", name, err)
					failed = append(failed, name)
					mu.Unlock()
				}
			}
		})
	}
	for i, name := range todo {
		if ctx.Err() != nil {
			break
		}
		queue <- name
		if i%keepEvery == keepEvery-1 {
			mu.Lock()
			err = errors.Join(err, m.write(ctx, kept))
			mu.Unlock()
		}
	}
	close(queue)
	wg.Wait()
	err = errors.Join(err, m.write(context.WithoutCancel(ctx), kept), ctx.Err())
	if len(failed)*failedOf > len(names) {
		err = errors.Join(err, fmt.Errorf("%d of %d cores could not be measured", len(failed), len(names)))
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(failed, name) }), err
}

// here returns the names of the cores in the folder, and the names that the cache lacks.
func (m *meter) here(all []string) (names, todo []string) {
	for _, name := range all {
		st, err := os.Stat(filepath.Join(m.root, name, "truth.json"))
		if err != nil || st.Size() == 0 {
			continue // not made, or not yet
		}
		names = append(names, name)
		if m.Cores[name].Stamp != stampOf(st) {
			todo = append(todo, name)
		}
	}
	return names, todo
}

// stampOf tells a file from the file of another day.
func stampOf(st os.FileInfo) string {
	return fmt.Sprintf("%d %s", st.Size(), st.ModTime().UTC().Format(time.RFC3339Nano))
}

// one measures a core.
func (m *meter) one(ctx context.Context, mu *sync.Mutex, name string) error {
	begun := time.Now()
	dir := filepath.Join(m.root, name)
	st, err := os.Stat(filepath.Join(dir, "truth.json"))
	if err != nil {
		return err
	}
	files, flags, err := coresIn(dir)
	if err != nil {
		return err
	}
	data := filepath.Join(m.scratch, name)
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(data)
	c := measuredCore{Stamp: stampOf(st)}
	for _, core := range files {
		if st, err := os.Stat(core); err == nil {
			c.Size += st.Size()
		}
		if err := m.run(ctx, data, core, flags); err != nil {
			return err
		}
	}
	profile := filepath.Join(data, "profile")
	if out, err := exec.CommandContext(ctx, m.covdata, "textfmt", "-i="+data,
		"-o="+profile).CombinedOutput(); err != nil {
		return fmt.Errorf("covdata: %w: %s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	if c.Reached, err = m.Blocks.read(bytes.NewReader(text)); err != nil {
		return err
	}
	if c.Reached.count() == 0 {
		return errors.New("the program counted nothing")
	}
	m.Cores[name] = c
	fmt.Fprintf(m.w, "%s: %d blocks, %.1f s\n", name, c.Reached.count(), time.Since(begun).Seconds())
	return nil
}

// coresIn returns the cores in a folder and the flags that their truth.json wants.
func coresIn(dir string) (files, flags []string, err error) {
	var truth struct {
		Core, Dump string
		Args       []string
	}
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err == nil {
		err = json.Unmarshal(text, &truth)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{truth.Core, "core", truth.Dump} {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	if len(files) == 0 { // one program in several layouts, or many that are alike
		all, _ := filepath.Glob(filepath.Join(dir, "*.core"))
		files = all[:min(len(all), 4)]
	}
	if len(files) == 0 {
		return nil, nil, errors.New("no core is there")
	}
	for i, arg := range truth.Args {
		if i%2 == 1 && !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		flags = append(flags, arg)
	}
	return files, flags, nil
}

// run runs the commands over a core. A program that takes too long is interrupted: it
// writes what it has counted, and is killed if it does not.
func (m *meter) run(ctx context.Context, data, core string, flags []string) error {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	args := append([]string{"-S", "-k", "--offline", "--no-cache"}, flags...)
	for _, c := range commands {
		args = append(args, "-e", c)
	}
	cmd := exec.CommandContext(ctx, m.program, append(args, core)...)
	cmd.Env = []string{"GOCOVERDIR=" + data, "HOME=" + m.scratch, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if e := new(exec.ExitError); errors.As(err, &e) && e.Exited() {
		return nil // some command does not fit
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the commands took more than %v", maxTime)
	}
	return err
}
