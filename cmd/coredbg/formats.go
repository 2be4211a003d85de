package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/corpus"
	"coredbg/triage"
)

// caseFormat is what "coredbg corpus" has its processes write.
const caseFormat = "case"

// formats are the documents besides lines of triage that a process may make of its core.
var formats = map[string]func(context.Context, *commands.Session, *triage.Line) (any, error){
	caseFormat: func(ctx context.Context, s *commands.Session, l *triage.Line) (any, error) {
		return corpus.Of(ctx, s, l), nil
	},
}

// formatNames lists the formats.
func formatNames() string { return strings.Join(slices.Sorted(maps.Keys(formats)), ", ") }
