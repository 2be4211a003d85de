// Package frames has the commands over stacks of JavaScript. It also reads the variables and the source of frames for
// other commands.
//
//	stack.go       ::jsstack
//	frame.go       ::jsframe
//	walkframe.go   the walker
//	frametext.go   a frame as text
//	errorstack.go  a stack as Error.stack has it
//	detail.go      the parts that -v and -l add to a frame: this, arguments, variables
//	variables.go   the variables and the source of frames, for ::locals, ::list and their like
package frames

import "coredbg/commands"

// Commands returns the commands over stacks.
func Commands() []commands.Command { return []commands.Command{jsstackCommand, jsframeCommand} }
