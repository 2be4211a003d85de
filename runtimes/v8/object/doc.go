// Package object reads the objects of V8's heap: maps and properties, contexts, functions with their scripts and
// bytecode, classes and realms.
//
// Its readers are structs, each built on the previous and unaware of the next:
//
//	text.Strings strings.go (names of package text)
//	MapReader    shape.go, map.go, property.go, private.go, fields.go, dictionary.go, swiss.go,
//	             collection.go, kind.go
//	ScopeReader  context.go, scopeinfo.go, modulevars.go
//	Scripts      script.go
//	BytecodeReader  positions.go, bytecodearray.go; it has code.Reader, too
//	Functions    function.go, scripttitle.go, builtinid.go
//	RealmReader  realm.go
//	ClassReader  class.go, functionname.go, typenames.go, kinds.go
//	Members      elements.go, buffer.go, member.go, own.go, iterator.go, promise.go
//	Reader       closure.go, classes.go, errortext.go, utilinspect.go
//
// The object chain: an object's first word is its Map, which has its instance type,
// sizes and DescriptorArray; fields are in the object, in its PropertyArray or in a
// dictionary. JSFunction.shared is a SharedFunctionInfo, whose name_or_scope_info
// gives the name and whose script the file; a BytecodeArray or Code has tables that
// lead to positions in the script; Script.line_ends or the source give line and
// column. A native context leads to the global object and its classes.
//
// Upstream: objects/*.h, objects/*.tq, execution/isolate-data.h,
// codegen/source-position-table.cc and, for names as
// util.inspect prints them, Node's lib/internal/util/inspect.js. Versions: V8 7.4
// (Node 12.0) to 14.6 (Node 26).
//
// LIMITATIONS: the value of a getter is known only if the getter returns a literal or a variable. Names of
// builtins need the image, stripped or not.
package object
