//go:build unix && !linux && !darwin

package file

// Holes are not looked for on this system.
const (
	seekData = -1
	seekHole = -1
)
