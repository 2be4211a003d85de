package library

import (
	"maps"

	"coredbg/runtimes/v8/ecma"
)

// intrinsics are the known functions, by the names that realms give them. Each file adds its own.
var intrinsics = map[string]ecma.Builtin{}

// constructors make objects of V8's own classes.
var constructors = map[string]ecma.Constructor{}

// natives call functions of the program that need C++ of their host; ok is false for others.
var natives []ecma.Native

func register(table map[string]ecma.Builtin) { maps.Copy(intrinsics, table) }
