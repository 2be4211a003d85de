package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"coredbg/core/file"
	"coredbg/internal/liveset"
)

// writeQuick chooses the quick set among the names that were measured, out of a whole set of
// total names, and writes it.
func writeQuick(ctx context.Context, w io.Writer, m *measured, names []string, total int) error {
	if lacking := lackingKinds(names); len(lacking) > 0 {
		return fmt.Errorf("no core is here of these kinds: %s", strings.Join(lacking, ", "))
	}
	chosen, reached, all := choose(m, names)
	share := float64(reached) / float64(max(all, 1))
	fmt.Fprintf(w, "%d cores reach %d of %d blocks, %.2f %%\n", len(chosen), reached, all, 100*share)
	if len(chosen) > liveset.MostQuick || share < enough {
		return fmt.Errorf("the quick set may have %d cores and has to reach %.0f %%: nothing is written",
			liveset.MostQuick, 100*enough)
	}
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("git rev-parse: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The quick set: %d live cores, which reach %d of the %d blocks of core, walk, runtimes,\n",
		len(chosen), reached, all)
	fmt.Fprintf(&b, "# stack and crash that %d of all %d live cores reach (%.2f %%).\n", len(names), total, 100*share)
	fmt.Fprintf(&b, "# go run ./internal/live cover wrote it on %s at commit %s.\n",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)))
	for _, name := range chosen {
		fmt.Fprintln(&b, name)
	}
	return file.WriteFile(ctx, quickFile, []byte(b.String()), true)
}

// lackingKinds returns the kinds that the quick set needs and no name has.
func lackingKinds(names []string) (lacking []string) {
	for i := range liveset.Kinds {
		k := &liveset.Kinds[i]
		if !k.Slow() && !slices.ContainsFunc(names, func(name string) bool { return liveset.KindOf(name) == k }) {
			lacking = append(lacking, k.Name)
		}
	}
	return lacking
}
