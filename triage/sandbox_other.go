//go:build !linux

package triage

import "runtime"

// restrict returns why this process cannot be confined.
func restrict([]string, string) (files bool, why string) {
	return false, "there is no Landlock on " + runtime.GOOS
}
