//go:build !unix

package triage

import "os"

// limit does what this system can: Go's own bound on memory is set elsewhere.
func limit(memory, size int64) {}

// peakOf returns 0: how much memory an ended process had is not known here.
func peakOf(*os.ProcessState) int64 { return 0 }

// killed reports whether a process was ended by a signal, which are not known here.
func killed(*os.ProcessState) bool { return false }
