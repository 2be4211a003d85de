package layout

// A Trait is 1 in versions whose V8 behaves as its name says, else 0.
type Trait = int

// Traits is the part of Layout for differences of behaviour: what V8 does, writes and keeps, and
// not where. Classes are V8's where it has one.
type Traits struct {
	// ErrorStack is the text of Error.stack.
	ErrorStack struct {
		NamesAny, NamesAllSettled Trait // frames of elements of Promise.any and Promise.allSettled
		FollowsThenables          Trait // the caller of a PromiseResolveThenableJobTask is a frame
		NamesConstructs           Trait // "new", where optimised code made the object itself
		NamesUnlessPrefix         Trait // a type's name comes before any function's name that does not begin with it
		SpacedMethod              Trait // "get x" needs no [as x]
		NamesClasses              Trait // a class as the receiver of its static method is named itself
		NamesFunctions            Trait // so is any function as receiver
		OwnURLPosition            Trait // positions count from the script's start if its source names its URL
		WasmURL                   Trait // frames of WebAssembly have the URL of their source
		WasmExports               Trait // a function of WebAssembly without a name has its export's
	}
	// CallSiteInfo has the bits of a captured frame's flags. It was StackFrameInfo until 9.2, and part of a
	// FrameArray until 9.0.
	CallSiteInfo struct {
		ConstructorMask, AsyncMask int
		PositionMask               int // the bits that say that the position was computed
	}
	// Names is how objects and functions get a name.
	Names struct {
		// the tag of any prototype counts before the constructor, and only the nearest constructor does
		TagFirst     Trait
		DisplayName  Trait // the property "displayName" comes before "name"
		Computed     Trait // a class goes by its function's property "name", and so do names that V8 computes
		Initializers Trait // functions that run a class's initialisers get their names from V8, not from the compiler
	}
	FeedbackMetadata struct {
		ClosureSlots Trait // create_closure_slot_count comes before the slots
	}
	ScriptContextTable struct {
		// ArrayClass is set if it, RegExpMatchInfo and ObjectBoilerplateDescription are no FixedArrays.
		ArrayClass     Trait
		JoinedCapacity Trait // capacity and length have a word together
	}
	// Heap is how allocation areas are kept.
	Heap struct {
		AreaPairs     Trait // of a linear allocation area top and limit follow each other, without its start
		AllocationTop Trait // SemiSpaceNewSpace has allocation_top_
	}
	// Snapshot is V8's heap snapshot.
	Snapshot struct {
		Extra, TraceIDs, Detachedness Trait // extra_native_bytes, and the fields trace_node_id and detachedness
		Shapes                        Trait // the type "object shape"
		SharedAreFree                 Trait // objects of read-only pages have no size
		StringTable                   Trait // the table of internalized strings is below the roots
		NumberedTransitions           Trait // references of a TransitionArray are numbered
		InternalCode                  Trait // V8's own tables and feedback have the type "code"
		ContextIsGlobal               Trait // a root refers to the native context and not to its global object
	}
	// Inspect is util.inspect of the Node release that has this V8, for processes that do not say their
	// release; see inspect.Dialect.
	Inspect struct {
		// an object need not be an instance of the class that is named
		ClassByName                                                        Trait
		SymbolBrackets, BufferBrackets, MarkProxies, DottedTags, LooseTags Trait
		Cause, Errors, ModuleTags, Node12, Classes, Sizes, StackParts      Trait
		ObjectsFirst, JoinsLines, LongEscapes                              Trait
		// Node runs TypeScript by blanking its types out
		RunsTypeScript Trait
	}
}

const (
	inspectFile  = "lib/internal/util/inspect.js of Node"
	snapshotFile = "profiler/heap-snapshot-generator.cc"
)

// traitRows are the rows of Traits.
var traitRows = []row{
	{"ErrorStack.NamesAny", number, "execution/isolate.cc", []step{{V(0, 0), 0}, {V(8, 5), 1}}},
	{"ErrorStack.NamesAllSettled", number, "execution/isolate.cc", []step{{V(0, 0), 0}, {V(10, 2), 1}}},
	{"ErrorStack.FollowsThenables", number, "execution/isolate.cc", []step{{V(0, 0), 0}, {V(14, 1), 1}}},
	// FrameSummaries::top_frame_is_construct_call.
	{"ErrorStack.NamesConstructs", number, "execution/isolate.cc", []step{{V(0, 0), 0}, {V(13, 0), 1}}},
	// AppendMethodCall.
	{"ErrorStack.NamesUnlessPrefix", number, "objects/call-site-info.cc", []step{{V(0, 0), 1}, {V(10, 0), 0}}},
	{"ErrorStack.SpacedMethod", number, "objects/call-site-info.cc", []step{{V(0, 0), 0}, {V(12, 1), 1}}},
	// CallSiteInfo::GetTypeName.
	{"ErrorStack.NamesClasses", number, "objects/call-site-info.cc", []step{{V(0, 0), 0}, {V(10, 2), 1}}},
	{"ErrorStack.NamesFunctions", number, "objects/call-site-info.cc", []step{{V(0, 0), 0}, {V(13, 3), 1}}},
	{"ErrorStack.OwnURLPosition", number, "objects/stack-frame-info.cc", []step{{V(0, 0), 0}, {V(9, 0), 1}}},
	// SerializeWasmStackFrame; objects/stack-frame-info.cc @ 8.6 has the script's name.
	{"ErrorStack.WasmURL", number, "objects/stack-frame-info.cc", []step{{V(0, 0), 0}, {V(9, 0), 1}}},
	{"ErrorStack.WasmExports", number, "wasm/wasm-module.cc", []step{{V(0, 0), 0}, {V(8, 0), 1}, {V(9, 0), 0}}},

	// objects/frame-array.h @ 7.8, 8.7: kIsWasmInterpretedFrame comes before until 8.4. 15.2 has dropped
	// asm.js and two bits; 15.0 has them.
	{"CallSiteInfo.ConstructorMask", number, "objects/call-site-info.tq", []step{{V(0, 0), 1 << 4}, {V(8, 4), 1 << 3},
		{V(15, 2), 1 << 2}}},
	{"CallSiteInfo.AsyncMask", number, "objects/call-site-info.tq", []step{{V(0, 0), 1 << 6}, {V(8, 4), 1 << 5},
		{V(15, 2), 1 << 3}}},
	// A bit came in front of it in 11; a FrameArray does not have it.
	{"CallSiteInfo.PositionMask", number, "objects/call-site-info.tq",
		[]step{{V(0, 0), 0}, {V(9, 0), 1<<6 | 1<<7}, {V(15, 2), 1<<4 | 1<<5}}},

	{"Names.TagFirst", number, "objects/js-objects.cc", []step{{V(0, 0), 1}, {V(9, 7), 0}}},
	// JSFunction::GetDebugName: tried on 7.7 to 8.4; neither 7.4 nor 9.4 looks for it.
	{"Names.DisplayName", number, "objects/js-function.cc", []step{{V(0, 0), 0}, {V(7, 5), 1}, {V(9, 0), 0}}},
	{"Names.Computed", number, "objects/js-function.cc", []step{{V(0, 0), 0}, {V(14, 2), 1}}},
	{"Names.Initializers", number, "objects/shared-function-info.cc", []step{{V(0, 0), 0}, {V(11, 8), 1}}},

	{"FeedbackMetadata.ClosureSlots", number, "objects/feedback-vector.h", []step{{V(0, 0), 0}, {V(7, 5), 1}}},
	// objects/regexp-match-info.h, objects/literal-objects.h and objects/contexts.h have classes of their own.
	{"ScriptContextTable.ArrayClass", number, "objects/fixed-array.h", []step{{V(0, 0), 0}, {V(12, 0), 1}}},
	{"ScriptContextTable.JoinedCapacity", number, "objects/contexts.h", []step{{V(0, 0), 0}, {V(14, 9), 1}}},

	{"Heap.AreaPairs", number, "heap/spaces.h", []step{{V(0, 0), 1}, {V(9, 0), 0}}},
	{"Heap.AllocationTop", number, "heap/new-spaces.h", []step{{V(0, 0), 0}, {V(12, 0), 1}}},

	{"Snapshot.Extra", number, snapshotFile, []step{{V(0, 0), 0}, {V(13, 0), 1}}},
	{"Snapshot.TraceIDs", number, snapshotFile, []step{{V(0, 0), 1}, {V(13, 0), 0}}},
	{"Snapshot.Detachedness", number, snapshotFile, []step{{V(0, 0), 0}, {V(8, 6), 1}}},
	{"Snapshot.Shapes", number, snapshotFile, []step{{V(0, 0), 0}, {V(11, 0), 1}}},
	{"Snapshot.SharedAreFree", number, snapshotFile, []step{{V(0, 0), 0}, {V(13, 0), 1}}},
	{"Snapshot.StringTable", number, snapshotFile, []step{{V(0, 0), 0}, {V(8, 6), 1}}},
	{"Snapshot.NumberedTransitions", number, snapshotFile, []step{{V(0, 0), 1}, {V(11, 0), 0}}},
	{"Snapshot.InternalCode", number, snapshotFile, []step{{V(0, 0), 0}, {V(10, 0), 1}}},
	// V8HeapExplorer::SetUserGlobalReference.
	{"Snapshot.ContextIsGlobal", number, snapshotFile, []step{{V(0, 0), 0}, {V(14, 6), 1}}},

	// Each is what the first Node release with the version does when it is run.
	{"Inspect.ClassByName", number, inspectFile, []step{{V(0, 0), 1}, {V(8, 4), 0}}},
	{"Inspect.SymbolBrackets", number, inspectFile, []step{{V(0, 0), 1}, {V(13, 0), 0}}},
	{"Inspect.BufferBrackets", number, inspectFile, []step{{V(0, 0), 0}, {V(13, 6), 1}}},
	{"Inspect.MarkProxies", number, inspectFile, []step{{V(0, 0), 0}, {V(14, 6), 1}}},
	{"Inspect.DottedTags", number, inspectFile, []step{{V(0, 0), 0}, {V(14, 6), 1}}},
	{"Inspect.LooseTags", number, inspectFile, []step{{V(0, 0), 0}, {V(13, 6), 1}, {V(14, 6), 0}}},
	{"Inspect.Cause", number, inspectFile, []step{{V(0, 0), 0}, {V(9, 4), 1}}},
	{"Inspect.Errors", number, inspectFile, []step{{V(0, 0), 0}, {V(9, 4), 1}}},
	{"Inspect.ModuleTags", number, inspectFile, []step{{V(0, 0), 0}, {V(8, 4), 1}}},
	{"Inspect.Node12", number, inspectFile, []step{{V(0, 0), 1}, {V(7, 9), 0}}},
	// 7.8 belongs to Node 12.18; Node 13 has 7.9 and 8.1.
	{"Inspect.Classes", number, inspectFile, []step{{V(0, 0), 0}, {V(7, 8), 1}, {V(7, 9), 0}, {V(8, 4), 1}}},
	{"Inspect.Sizes", number, inspectFile, []step{{V(0, 0), 0}, {V(7, 8), 1}}},
	{"Inspect.StackParts", number, inspectFile, []step{{V(0, 0), 0}, {V(12, 4), 1}}},
	{"Inspect.ObjectsFirst", number, inspectFile, []step{{V(0, 0), 1}, {V(11, 3), 0}}},
	{"Inspect.JoinsLines", number, inspectFile, []step{{V(0, 0), 1}, {V(8, 6), 0}}},
	{"Inspect.LongEscapes", number, inspectFile, []step{{V(0, 0), 1}, {V(8, 1), 0}}},
	{"Inspect.RunsTypeScript", number, "lib/internal/modules/typescript.js of Node",
		[]step{{V(0, 0), 0}, {V(12, 4), 1}}},
}
