package redact

import (
	"context"
	"fmt"
	"io"

	"coredbg/core/bundle"
	"coredbg/core/bundle/secret"
	"coredbg/core/bundle/span"
)

// Check unpacks the written bytes of a core and searches them, and the index of the bundle, for
// secrets: it fails if one is left. Info is the bundle's description of itself. The other files are as
// they are on disk: their contents are common.
func (r *Redaction) Check(ctx context.Context, info []string, parts []*bundle.Planned, index []byte,
	chunks io.ReaderAt) error {
	g := r.grams.WithoutEdges() // what is left out makes edges everywhere
	var left error
	s := &secret.Sweep{Grams: g, Found: func(lo, hi uint64) {
		if left == nil {
			left = fmt.Errorf("redacting: a secret of %d bytes is left at offset %#x", hi-lo, lo)
		}
	}}
	if err := parts[0].Unpack(ctx, chunks, s.Feed); err != nil {
		return err
	}
	s.End()
	if left != nil {
		return left
	}
	// A value may be a word in the bundle's own description. It counts as common from here on, as the
	// sets are shared.
	for _, line := range info {
		g.Know([]byte(line), false)
	}
	for _, p := range parts {
		for _, s := range p.Spans {
			if s.Kind == span.Gap {
				g.Know([]byte(s.Gap.Detail), false)
			}
		}
	}
	s.Feed(0, index)
	s.End()
	if left != nil {
		return fmt.Errorf("index: %w", left)
	}
	return nil
}
