package fit

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// Probe finds V8 in a process, in the executable or in a library, and returns the layout that fits it. If V8 is
// there and cannot be decoded, it returns an *Undecoded instead, and neither if V8 is not there.
func Probe(ctx context.Context, t runtimes.Target) (*Candidate, *Undecoded, error) {
	if t.Process == nil || t.Process.Arch == nil || t.Process.Space == nil {
		return nil, nil, nil
	}
	img, err := layout.FindImage(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	if img == nil {
		u, err := recognize(ctx, t)
		if u == nil {
			return nil, nil, err
		}
		if v := u.decode(t); v != nil {
			return v, nil, err
		}
		u.withoutHeap(t)
		return nil, u, err
	}
	if u := refused(img, t.Process); u != nil {
		return nil, u, nil
	}
	assumed := img.Version
	if assumed.Outside() < 0 {
		if assumed == (layout.Version{}) {
			assumed = layout.NewestKnown
		} else {
			assumed = layout.OldestKnown
		}
	}
	v := New(layout.NewMemory(t, img, layout.New(assumed, img.Constants)))
	nameTypes(v, t)
	if v.Uncertain() || v.Doubt() != nil {
		v.probe()
		v.testAnew()
	}
	return v, nil, nil
}

// refused says why V8 cannot be decoded although its constants are there, or nil.
func refused(img *layout.Image, p *core.Process) *Undecoded {
	u := &Undecoded{module: img.Module}
	if img.Version != (layout.Version{}) {
		u.version = img.Version.String() + img.Embedder
	}
	if bits := 8 * p.Arch.PtrSize; bits != 64 {
		u.because("builds for %d-bit machines are not known", bits)
	}
	if n, ok := img.Constants.Values["TaggedSize"]; ok && n != 8 {
		u.because("its pointers are compressed to %d bytes", n)
	}
	if len(u.reasons) == 0 {
		return nil
	}
	return u
}
