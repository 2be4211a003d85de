package object

// A Kind says what a value of JavaScript is.
type Kind string

// The kinds of values.
const (
	KindUndefined    Kind = "undefined"
	KindNull         Kind = "null"
	KindBoolean      Kind = "boolean"
	KindNumber       Kind = "number"
	KindBigInt       Kind = "bigint"
	KindString       Kind = "string"
	KindSymbol       Kind = "symbol"
	KindHole         Kind = "hole" // no value: an element or a binding that is not there (yet)
	KindObject       Kind = "object"
	KindArray        Kind = "array"
	KindFunction     Kind = "function"
	KindDate         Kind = "date"
	KindRegExp       Kind = "regexp"
	KindError        Kind = "error"
	KindMap          Kind = "map"
	KindSet          Kind = "set"
	KindWeakMap      Kind = "weakmap"
	KindWeakSet      Kind = "weakset"
	KindWeakRef      Kind = "weakref"
	KindMapIterator  Kind = "mapiterator"
	KindSetIterator  Kind = "setiterator"
	KindArrayBuffer  Kind = "arraybuffer"
	KindSharedBuffer Kind = "sharedarraybuffer"
	KindTypedArray   Kind = "typedarray"
	KindDataView     Kind = "dataview"
	KindPromise      Kind = "promise"
	KindProxy        Kind = "proxy"
	KindGenerator    Kind = "generator"
	KindArguments    Kind = "arguments"
	KindBoxed        Kind = "boxed" // a primitive in an object
	KindModule       Kind = "module"
	KindInternal     Kind = "internal" // an object of V8's own, which no program sees
	KindRef          Kind = "ref"      // an object that is being printed further out
	KindCut          Kind = "cut"      // left out, because there were too many
	KindCustom       Kind = "custom"   // text that a function of the program made
	KindCorrupt      Kind = "corrupt"  // could not be decoded: see Err
)
