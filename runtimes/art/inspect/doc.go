// Package inspect makes values of objects and of the registers of frames.
//
// Reading is package object's; how a value looks is package java's.
//
// Files:
//
//	inspect.go  Inspector: values of objects
//	vregs.go    VReg: registers of dex code, as the variables that are in them
package inspect
