//go:build !unix

package triage

import (
	"os"
	"runtime/debug"
)

// Limit bounds what this process takes as far as Go can: the size of files is not bounded.
func Limit(memory, _ int64) {
	if memory > 0 {
		debug.SetMemoryLimit(memory / 4 * 3)
	}
}

// peakOf returns 0: how much memory an ended process had is not known here.
func peakOf(*os.ProcessState) int64 { return 0 }

// killed reports whether a process was ended by a signal, which are not known here.
func killed(*os.ProcessState) bool { return false }
