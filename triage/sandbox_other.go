//go:build !linux

package triage

import "runtime"

// confine returns why this process cannot be kept from what it does not need.
func confine() (why string) { return "there is no Landlock on " + runtime.GOOS }

// narrow is not called where confine could not.
func narrow([]string) (why string) { return confine() }
