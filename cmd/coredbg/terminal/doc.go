// Package terminal is what coredbg does with a terminal: whether a file is one, a line that
// says how far work is, pages, keys, ^C, and the lines that are typed at a prompt. It knows
// sessions only to attach to their output.
package terminal
