package main

import (
	"fmt"
	"os"
	"strings"

	"coredbg/triage"
)

// split returns the cores that inputs of this machine mean, and the patterns of other file
// systems, which the pipeline looks up.
func split(inputs []string) (local, patterns []string, err error) {
	var here []string
	for _, in := range inputs {
		if strings.Contains(in, "://") {
			patterns = append(patterns, in)
			continue
		}
		here = append(here, in)
	}
	if len(here) > 0 {
		if local, err = triage.Cores(here, os.Stdin, false); err != nil {
			return nil, nil, err
		}
	}
	if len(local)+len(patterns) == 0 {
		return nil, nil, fmt.Errorf("no cores in %s", strings.Join(inputs, ", "))
	}
	return local, patterns, nil
}
