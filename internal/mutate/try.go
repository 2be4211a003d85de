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

// Bounds of a run: patience times its processor time, and at least least. A run that takes longer counts as caught.
const (
	least    = 2 * time.Minute
	patience = 50
)

// try changes a number and runs the stages until one fails. If no layout differs with it, it is overruled.
func (b *built) try(ctx context.Context, s site) result {
	for _, st := range b.stages {
		limit, cancel := context.WithTimeout(ctx, max(least, patience*st.took))
		err := b.command(limit, st, &s).Run()
		late := limit.Err() != nil
		cancel()
		if ctx.Err() != nil {
			break
		}
		if late {
			return result{s, caught, st.String() + ", which did not end"}
		}
		if err != nil {
			return result{s, caught, st.String()}
		}
	}
	if s.hidden {
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
