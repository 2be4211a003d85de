// Package object reads the objects of V8's heap: strings, maps and properties,
// contexts, functions with their scripts, bytecode and code, classes and realms.
//
// Its readers are structs over each other, each of which knows nothing of the next:
//
//	Strings    strings.go, external.go, wtf8.go, number.go
//	Shapes     shape.go, map.go, property.go, fields.go, dictionary.go, swiss.go,
//	           collection.go, context.go, scopeinfo.go, kind.go
//	Scripts    script.go
//	Functions  function.go, scripttitle.go, text.go, positions.go, code.go, place.go,
//	           blobcopy.go, bytecodearray.go, builtinid.go, isolate.go
//	Kinds      class.go, functionname.go, typenames.go, kinds.go, realm.go
//	Members    elements.go, buffer.go, member.go, own.go, iterator.go, promise.go
//	Reader     closure.go, classes.go, names.go, errorstack.go, captured.go, framearray.go, errortext.go,
//	           fatal.go, refers.go, callback.go, utilinspect.go
//
// The object chain: an object's first word is its Map, which has its instance type,
// sizes and DescriptorArray; fields are in the object, in its PropertyArray or in a
// dictionary. JSFunction.shared is a SharedFunctionInfo, whose name_or_scope_info
// gives the name and whose script the file; a BytecodeArray or Code has tables that
// lead to positions in the script; Script.line_ends or the source give line and
// column. A native context leads to the global object and its classes.
//
// Upstream: objects/*.h, objects/*.tq, execution/isolate-data.h,
// codegen/source-position-table.cc, objects/call-site-info.cc and, for names as
// util.inspect prints them, Node's lib/internal/util/inspect.js. Versions: V8 7.4
// (Node 12.0) to 14.6 (Node 26).
//
// LIMITATIONS: external strings that do not have the address of their characters themselves, as they
// are small or the characters may move, are read only if what their resource holds is known: V8's copy of
// that address since V8 9.0, an address that the length follows, or Blink's text; not what Blink has
// parked, nor on Windows what it may park. What a getter would compute is known only of getters that
// return a literal or a variable; names of builtins need the image, stripped or not.
package object
