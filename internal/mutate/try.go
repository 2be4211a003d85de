package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// An outcome is what became of a changed number.
type outcome string

const (
	caught    outcome = "caught"
	missed    outcome = "NOT CAUGHT"
	overruled outcome = "overruled"
)

// A result is the outcome for a site, and which stage noticed.
type result struct {
	site    site
	outcome outcome
	by      string
}

// String is the result's line.
func (r result) String() string {
	by := ""
	if r.by != "" {
		by = " by " + r.by
	}
	return fmt.Sprintf("%-10s %s%s", r.outcome, r.site, by)
}

// least is how long a run may take at least, before it counts as one that does not end.
const least = 30 * time.Second

// try changes a number and runs the stages until one fails. If no layout differs with it, it is overruled; the rows of generated
// tables have more readers than layouts.
func (b *built) try(ctx context.Context, s site) result {
	for _, st := range b.stages {
		limit, cancel := context.WithTimeout(ctx, max(least, 10*st.took))
		err := b.command(limit, st, &s).Run()
		cancel()
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return result{s, caught, st.String()}
		}
	}
	if b.layouts == nil {
		return result{s, missed, ""}
	}
	layouts, err := b.dumped(ctx, &s)
	if err == nil && bytes.Equal(layouts, b.layouts) {
		return result{s, overruled, ""}
	}
	return result{s, missed, ""}
}

// dumped returns the layouts that are made where a site is changed; none if s is nil.
func (b *built) dumped(ctx context.Context, s *site) ([]byte, error) {
	f, err := os.CreateTemp(b.dir, "layouts")
	if err != nil {
		return nil, err
	}
	f.Close()
	defer os.Remove(f.Name())
	c := b.command(ctx, timed{stage: stage{run: "^TestMutantLayouts$", pkg: "."}, path: b.dumper}, s)
	c.Env = append(c.Env, envDump+"="+filepath.Clean(f.Name()))
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("layouts: %w\n%s", err, out)
	}
	return os.ReadFile(f.Name())
}
