package commands

import "coredbg/stack"

// Folding: runs of at least foldMin frames that repeat a pattern of at most
// foldPeriod frames are replaced by a line.
const (
	foldMin    = 32
	foldPeriod = 8
	foldAhead  = foldMin + foldPeriod - 1 // frames that show whether a run begins
)

// Hold is the most frames of a stack that commands keep if they print stacks. The other frames of a deep
// recursion are walked again as they are written.
const Hold = 1 << 17

// HoldDetailed is Hold for stacks with the arguments of their frames.
const HoldDetailed = 1 << 10

// A folder finds the runs in the frames of a stack, which come one by one.
type folder struct {
	line func(f *stack.Frame)
	more func(n, period int) // n further frames repeat the last period

	frames []stack.Frame // not written yet; in a run, its last period
	period int           // of the run; 0 outside of runs
	run    int           // frames of the run so far
}

// add takes the next frame.
func (d *folder) add(f *stack.Frame) {
	if d.period > 0 {
		if at := &d.frames[d.run%d.period]; samePlace(f, at) {
			*at = *f
			d.run++
			return
		}
		d.leave()
	}
	if d.frames = append(d.frames, *f); len(d.frames) >= foldAhead {
		d.settle()
	}
}

// settle writes the first frame that waits, or begins the run at it.
func (d *folder) settle() {
	period := repeats(d.frames)
	if period == 0 {
		d.line(&d.frames[0])
		n := copy(d.frames, d.frames[1:])
		d.frames = d.frames[:n]
		return
	}
	for i := range period {
		d.line(&d.frames[i])
	}
	rest := append([]stack.Frame(nil), d.frames[period:]...)
	d.frames, d.period, d.run = append([]stack.Frame(nil), d.frames[:period]...), period, period
	for i := range rest {
		d.add(&rest[i])
	}
}

// leave ends a run. The frames of its last, partial period wait again.
func (d *folder) leave() {
	period, n := d.period, d.run%d.period
	d.more(d.run-n-period, period)
	d.frames, d.period, d.run = d.frames[:n], 0, 0
}

// end writes the frames that wait.
func (d *folder) end() {
	for d.period > 0 || len(d.frames) > 0 {
		if d.period > 0 {
			d.leave()
			continue
		}
		d.settle()
	}
}

// repeats returns the shortest period of the run at the start of fs; 0 if the run is too short
// to fold.
func repeats(fs []stack.Frame) int {
	for period := 1; period <= foldPeriod && 2*period <= len(fs); period++ {
		n := period
		for n < len(fs) && samePlace(&fs[n], &fs[n-period]) {
			n++
		}
		if n-n%period >= foldMin {
			return period
		}
	}
	return 0
}

func samePlace(a, b *stack.Frame) bool {
	return a.PC == b.PC && a.Line == b.Line && a.Column == b.Column && a.Name == b.Name && a.File == b.File
}
