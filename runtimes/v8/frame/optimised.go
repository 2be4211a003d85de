package frame

import (
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
)

// optimised decodes a frame of Maglev or TurboFan into the calls that its code
// stands for.
func (a *activation) optimised(c callsite.Call) []runtimes.SourceFrame {
	tier := a.v.objects.Tier(a.place.Code.Kind)
	frames := a.expand(c)
	out := make([]runtimes.SourceFrame, 0, len(frames))
	for i, fr := range frames {
		var f runtimes.SourceFrame
		if fr.builtin {
			f = a.builtin(fr.Call)
		} else {
			f = a.source(fr.Call, fr.position, tier)
		}
		f.Inlined = i < len(frames)-1
		out = append(out, f)
	}
	return out
}

// expand returns the calls that an optimised frame stands for, innermost
// first; c, the outermost, with an unknown position if there is nothing to
// tell.
func (a *activation) expand(c callsite.Call) []inlinedFrame {
	dec, code := a.v, a.place.Code
	// Safepoints are found by the return address.
	back := dec.returnOffset(code, int(a.pc-code.Start)+1)
	frames, _, err := dec.byTranslation(code, back, a.fp)
	placed, ok := dec.byPositions(code, back-1, c.Shared)
	switch {
	case err == nil && ok:
		takePositions(frames, placed)
	case ok:
		frames = placed
	case err != nil:
		return []inlinedFrame{{Call: c, position: -1}}
	}
	frames[len(frames)-1].Call = c
	return frames
}

// takePositions gives frames whose position is not known, for their function has
// lost its bytecode or the table of it, the one of the same function in placed.
func takePositions(frames, placed []inlinedFrame) {
	for i := range frames {
		if frames[i].builtin {
			continue
		}
		if len(placed) == 0 || placed[0].Shared != frames[i].Shared {
			return
		}
		if frames[i].position < 0 {
			frames[i].position = placed[0].position
		}
		placed = placed[1:]
	}
}
