//go:build unix

package main

import "syscall"

// private has all files that are made be those of the user alone.
func private() { syscall.Umask(0o077) }
