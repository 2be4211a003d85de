package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"coredbg"
	"coredbg/core/file"
	"coredbg/triage"
)

// A variant is one death of a bug: by which build, how deep, beside how many threads, by
// which way, and what is damaged of the core.
type variant struct {
	bug                 *bug
	language            string
	build               build
	n                   int
	depth, threads, way int
	damage              string
	chance              *rand.Rand
}

func newVariant(l *language, b *bug, built []build, n int) *variant {
	r := rand.New(rand.NewPCG(*seed+uint64(n), uint64(len(b.name))<<32|uint64(b.name[0])))
	v := &variant{bug: b, language: l.name, build: built[n%len(built)], n: n, depth: r.IntN(40), threads: r.IntN(5),
		way: r.IntN(4), chance: r}
	switch n % 25 {
	case 7:
		v.damage = "noise"
	case 15:
		v.damage = "zeros"
	case 23:
		v.damage = "cut"
	}
	return v
}

func (v *variant) name() string { return fmt.Sprintf("%s-%s.%d", v.language, v.bug.name, v.n) }

// patience is how long a process may live, and how long its core may be read.
const patience = 20 * time.Second

// row makes the core in a folder, which it empties, and says what triage says of it.
func (v *variant) row(ctx context.Context, at string) (*Row, error) {
	ctx, stop := context.WithTimeout(ctx, 3*patience)
	defer stop()
	kept := ""
	if *bundles != "" {
		kept = filepath.Join(*bundles, v.name()+".cdb")
	}
	core := kept
	if !*again {
		var err error
		if core, err = v.die(ctx, at); err != nil {
			return nil, err
		}
		defer os.Remove(core)
	}
	s, err := coredbg.Open(core, coredbg.Options{})
	r := &Row{Bug: v.language + "-" + v.bug.name, Kind: v.language + " " + v.bug.kind, Build: v.build.name,
		Variant: v.n, Damage: v.damage}
	if err != nil {
		r.Line = &triage.Line{Status: triage.Unopened, Error: err.Error()}
		return r, nil
	}
	r.Line = triage.NewLine(ctx, &s.Target)
	s.Close()
	if kept == "" || *again {
		return r, nil
	}
	return r, pack(ctx, core, kept)
}

// die lets the bug kill a process, and damages the core.
func (v *variant) die(ctx context.Context, at string) (string, error) {
	if err := errors.Join(os.RemoveAll(at), os.MkdirAll(at, 0o700)); err != nil {
		return "", err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := exec.CommandContext(ctx, "bash", "-c", `ulimit -c unlimited; ulimit -s 512; exec "$@"`, "bash", v.build.exe,
		v.bug.name, strconv.Itoa(v.depth), strconv.Itoa(v.threads), strconv.Itoa(v.way))
	cmd.Dir = at
	cmd.Env = []string{"PATH=/usr/bin:/bin", "GOTRACEBACK=crash"}
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return "", fmt.Errorf("it did not die: %v", err)
	}
	if s := exit.Sys().(syscall.WaitStatus); !s.CoreDump() {
		return "", fmt.Errorf("it left no core: %v", err)
	}
	found, _ := filepath.Glob(filepath.Join(at, "core*"))
	if len(found) != 1 {
		return "", fmt.Errorf("%d cores in %s: kernel.core_pattern is to be core", len(found), at)
	}
	return found[0], v.spoil(ctx, found[0])
}

// spoil does to a core what disks, transports and limits do.
func (v *variant) spoil(ctx context.Context, core string) error {
	if v.damage == "" {
		return nil
	}
	f, err := elf.Open(core)
	if err != nil {
		return err
	}
	var loads []elf.ProgHeader
	end := uint64(0)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Filesz > 0 {
			loads = append(loads, p.ProgHeader)
			end = max(end, p.Off+p.Filesz)
		}
	}
	f.Close()
	b, err := os.ReadFile(core)
	if err != nil {
		return err
	}
	if v.damage == "cut" {
		b = b[:end-end*v.chance.Uint64N(20)/100]
	}
	for i := 0; i <= len(loads)/4 && v.damage != "cut"; i++ { // a run of 512 bytes in each fourth mapping
		p := loads[v.chance.IntN(len(loads))]
		n := min(512, p.Filesz)
		at := p.Off + v.chance.Uint64N(p.Filesz-n+1)
		for i := range b[at : at+n] {
			b[at+uint64(i)] = 0
			if v.damage == "noise" {
				b[at+uint64(i)] = byte(v.chance.Uint32())
			}
		}
	}
	return file.WriteFile(ctx, core, b, true)
}

// pack writes a bundle of a core.
func pack(ctx context.Context, core, to string) error {
	b, err := coredbg.PlanBundle(ctx, core, coredbg.Options{}, coredbg.BundleOptions{Stacks: true, Lean: true,
		Share: filepath.Join(*bundles, "shared")})
	if err != nil {
		return err
	}
	defer b.Close()
	f, err := file.Create(ctx, to, true)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := b.Write(ctx, f); err != nil {
		return err
	}
	return f.Commit()
}
