package bytecode

import (
	"strings"
	"sync"

	"coredbg/runtimes/v8/layout"
)

// An operandKind is the type of an operand of a bytecode
// (interpreter/bytecode-operands.h: OperandType), by a letter. Where V8 has one
// type for several uses and a later version tells them apart, the letters are
// those of the later one; what V8 reads and what it writes are one kind.
type operandKind byte

const (
	opFlag8     operandKind = 'F'
	opFlag16    operandKind = 'H'
	opIntrinsic operandKind = 'N'
	opRuntime   operandKind = 'T'
	opNative    operandKind = 'X' // an index in the native context
	opAbort     operandKind = 'A'
	opEmbedded  operandKind = 'E' // feedback that V8 14.6 keeps in the bytecode
	opConstant  operandKind = 'K' // an index in the constant pool
	opFeedback  operandKind = 'V' // a slot of the feedback vector
	opContext   operandKind = 'C' // a slot of a context
	opCoverage  operandKind = 'B'
	opUnsigned  operandKind = 'U'
	opCount     operandKind = '#' // registers in the list in front
	opSigned    operandKind = 'S'
	opRegister  operandKind = 'R'
	opList      operandKind = 'L'
	opPair      operandKind = 'P'
	opTriple    operandKind = 't'
)

// size returns the bytes of an operand; those that a prefix widens are scale
// times one byte.
func (k operandKind) size(scale int) int {
	switch k {
	case opFlag8, opIntrinsic, opNative, opAbort:
		return 1
	case opFlag16, opRuntime, opEmbedded:
		return 2
	}
	return scale
}

func (k operandKind) signed() bool {
	switch k {
	case opSigned, opRegister, opList, opPair, opTriple:
		return true
	}
	return false
}

// A Set is the bytecodes of one version by number.
type Set struct {
	Version layout.Version // the first that has it
	names   []string
	kinds   [][]operandKind
}

// size returns the length of a bytecode without prefix.
func (s *Set) size(op, scale int) int {
	n := 1
	for _, k := range s.kinds[op] {
		n += k.size(scale)
	}
	return n
}

// Sizes returns the set's table of sizes in the form of V8's own.
func (s *Set) Sizes() []byte {
	out := make([]byte, 0, 3*len(s.names))
	for _, scale := range []int{1, 2, 4} {
		for op := range s.names {
			out = append(out, byte(s.size(op, scale)))
		}
	}
	return out
}

// Fits reports whether the lengths of all bytecodes are those of V8's own
// table of sizes.
func (s *Set) Fits(sizes []byte) bool {
	row := len(sizes) / 3
	if row != len(s.names) {
		return false
	}
	for scale, r := 1, 0; r < 3; scale, r = 2*scale, r+1 {
		for op := range s.names {
			// The prefixes themselves and breakpoints of the debugger have no
			// size when widened in some versions.
			if n := int(sizes[r*row+op]); n != 0 && n != s.size(op, scale) {
				return false
			}
		}
	}
	return true
}

// versions are the versions between which bytecodes came and went, of
// those that releases of Node carry.
var versions = []layout.Version{layout.V(7, 8), layout.V(8, 1), layout.V(8, 4), layout.V(9, 0), layout.V(9, 4), layout.V(10, 1), layout.V(11, 3), layout.V(11, 8),
	layout.V(12, 4), layout.V(12, 9), layout.V(13, 6), layout.V(14, 1), layout.V(14, 6)}

// Sets returns the bytecodes of each of versions.
var Sets = sync.OnceValue(func() []*Set {
	var sets []*Set
	for _, ver := range versions {
		s := &Set{Version: ver}
		for line := range strings.Lines(rows) {
			f := strings.Fields(line)
			if len(f) < 2 || len(f) > 2 && f[2] != "-" && ver.Before(twoNumbers(f[2])) || len(f) > 3 && ver.AtLeast(twoNumbers(f[3])) {
				continue
			}
			s.names = append(s.names, f[0])
			s.kinds = append(s.kinds, []operandKind(strings.Trim(f[1], "-")))
		}
		sets = append(sets, s)
	}
	return sets
})

// twoNumbers reads "13.6".
func twoNumbers(s string) (major, minor int) {
	for _, r := range s {
		if r == '.' {
			major, minor = minor, 0
			continue
		}
		minor = 10*minor + int(r-'0')
	}
	return major, minor
}

// intrinsicRows are the functions that InvokeIntrinsic names by number
// (interpreter/interpreter-intrinsics.h: INTRINSICS_LIST), each with the
// versions that have it, as in rows.
const intrinsicRows = `
AsyncFunctionAwait 12.9
AsyncFunctionAwaitCaught - 12.9
AsyncFunctionAwaitUncaught - 12.9
AsyncFunctionEnter
AsyncFunctionReject
AsyncFunctionResolve
AsyncGeneratorAwait 12.9
AsyncGeneratorAwaitCaught - 12.9
AsyncGeneratorAwaitUncaught - 12.9
AsyncGeneratorReject
AsyncGeneratorResolve
AsyncGeneratorYield - 11.3
AsyncGeneratorYieldWithAwait 11.3
CreateJSGeneratorObject
GeneratorGetResumeMode
GeneratorClose
GetImportMetaObject
Call - 9.4
CopyDataProperties
CopyDataPropertiesWithExcludedPropertiesOnStack 10.1
CreateIterResultObject
CreateAsyncFromSyncIterator
HasProperty - 9.4
IsArray - 9.4
IsJSReceiver - 9.4
IsSmi - 9.4
ToStringRT - 9.0
ToString 9.0 9.4
ToLength - 9.4
ToObject - 9.4
`

// intrinsicName returns the name of an intrinsic in the set's version.
func (s *Set) intrinsicName(id uint32) string {
	for line := range strings.Lines(intrinsicRows) {
		f := strings.Fields(line)
		if len(f) == 0 || len(f) > 1 && f[1] != "-" && s.Version.Before(twoNumbers(f[1])) || len(f) > 2 && s.Version.AtLeast(twoNumbers(f[2])) {
			continue
		}
		if id == 0 {
			return "_" + f[0]
		}
		id--
	}
	return ""
}

// rows lists the bytecodes of all versions in the order of their
// numbers: the name, the kinds of the operands ("-" for none), the first
// version that has the row there ("-" for 7.8), and the first that has not.
// interpreter/bytecodes.h: BYTECODE_LIST, as the builds of Node 12.22.12, 14.0.0,
// 14.21.3, 15.14.0, 16.0.0, 16.20.2, 17.9.1, 18.0.0, 20.20.2, 21.7.3, 22.23.3,
// 23.11.1, 24.21.0, 25.9.0, 26.10.0 have it: each number was shown to their
// Bytecodes::ToString, the kinds are those of their Bytecodes::kOperandTypes.
const rows = `
Wide -
ExtraWide -
DebugBreakWide -
DebugBreakExtraWide -
DebugBreak0 -
DebugBreak1 R
DebugBreak2 RR
DebugBreak3 RRR
DebugBreak4 RRRR
DebugBreak5 TRR
DebugBreak6 TRRR
Ldar R 9.4
LdaZero -
LdaSmi S
LdaUndefined -
LdaNull -
LdaTheHole -
LdaTrue -
LdaFalse -
LdaConstant K
LdaGlobal KV - 9.4
LdaGlobalInsideTypeof KV - 9.4
StaGlobal KV - 9.4
PushContext R - 9.4
PopContext R - 9.4
LdaContextSlotNoCell RCU 14.1
LdaContextSlot RCU
LdaScriptContextSlot RCU 13.6 14.1
LdaImmutableContextSlot RCU
LdaCurrentContextSlotNoCell C 14.1
LdaCurrentContextSlot C
LdaCurrentScriptContextSlot C 13.6 14.1
LdaImmutableCurrentContextSlot C
Star R 9.4
Mov RR 9.4
PushContext R 9.4
PopContext R 9.4
TestReferenceEqual R 9.4
TestUndetectable - 9.4
TestNull - 9.4
TestUndefined - 9.4
TestTypeOf F 9.4
LdaGlobal KV 9.4
LdaGlobalInsideTypeof KV 9.4
StaGlobal KV 9.4
StaContextSlotNoCell RCU 14.1
StaCurrentContextSlotNoCell C 14.1
StaContextSlot RCU
StaCurrentContextSlot C
StaScriptContextSlot RCU 12.4 14.1
StaCurrentScriptContextSlot C 12.4 14.1
LdaLookupSlot K
LdaLookupContextSlotNoCell KCU 14.1
LdaLookupContextSlot KCU
LdaLookupScriptContextSlot KCU 13.6 14.1
LdaLookupGlobalSlot KVU
LdaLookupSlotInsideTypeof K
LdaLookupContextSlotNoCellInsideTypeof KCU 14.1
LdaLookupContextSlotInsideTypeof KCU
LdaLookupScriptContextSlotInsideTypeof KCU 13.6 14.1
LdaLookupGlobalSlotInsideTypeof KVU
StaLookupSlot KF
Ldar R - 9.4
Star R - 9.4
Mov RR - 9.4
LdaNamedProperty RKV - 10.1
LdaNamedPropertyNoFeedback RK - 9.4
LdaNamedPropertyFromSuper RKV 9.0 10.1
LdaKeyedProperty RV - 10.1
GetNamedProperty RKV 10.1
GetNamedPropertyFromSuper RKV 10.1
GetKeyedProperty RV 10.1
GetEnumeratedKeyedProperty RRRV 12.4
LdaModuleVariable SU
StaModuleVariable SU
StaNamedProperty RKV - 10.1
StaNamedPropertyNoFeedback RKF - 9.4
StaNamedOwnProperty RKV - 10.1
StaKeyedProperty RRV - 10.1
SetNamedProperty RKV 10.1
DefineNamedOwnProperty RKV 10.1
SetKeyedProperty RRV 10.1
DefineKeyedOwnProperty RRV 10.1 11.3
DefineKeyedOwnProperty RRFV 11.3
StaInArrayLiteral RRV
StaDataPropertyInLiteral RRFV - 10.1
DefineKeyedOwnPropertyInLiteral RRFV 10.1
CollectTypeProfile S - 11.3
SetPrototypeProperties K 14.1 14.6
SetPrototypeProperties KV 14.6
Add RV
Sub RV
Mul RV
Div RV
Mod RV
Exp RV
BitwiseOr RV
BitwiseXor RV
BitwiseAnd RV
ShiftLeft RV
ShiftRight RV
ShiftRightLogical RV
Add_StringConstant_Internalize RVF 14.1
AddSmi SV
SubSmi SV
MulSmi SV
DivSmi SV
ModSmi SV
ExpSmi SV
BitwiseOrSmi SV
BitwiseXorSmi SV
BitwiseAndSmi SV
ShiftLeftSmi SV
ShiftRightSmi SV
ShiftRightLogicalSmi SV
Inc V
Dec V
Negate V
BitwiseNot V
ToBooleanLogicalNot -
LogicalNot -
TypeOf - - 12.9
TypeOf V 12.9
DeletePropertyStrict R
DeletePropertySloppy R
GetSuperConstructor R
FindNonDefaultConstructorOrConstruct RRP 11.3
CallAnyReceiver RL#V
CallProperty RL#V
CallProperty0 RRV
CallProperty1 RRRV
CallProperty2 RRRRV
CallUndefinedReceiver RL#V
CallUndefinedReceiver0 RV
CallUndefinedReceiver1 RRV
CallUndefinedReceiver2 RRRV
CallNoFeedback RL# - 9.4
CallWithSpread RL#V
CallRuntime TL#
CallRuntimeForPair TL#P
CallJSRuntime UL# - 8.4
CallJSRuntime XL# 8.4
InvokeIntrinsic NL#
Construct RL#V
ConstructWithSpread RL#V
ConstructForwardAllArgs RV 12.4
TestEqual RV - 14.6
TestEqualStrict RV - 14.6
TestLessThan RV - 14.6
TestGreaterThan RV - 14.6
TestLessThanOrEqual RV - 14.6
TestGreaterThanOrEqual RV - 14.6
TestEqual RE 14.6
TestEqualStrict RE 14.6
TestLessThan RE 14.6
TestGreaterThan RE 14.6
TestLessThanOrEqual RE 14.6
TestGreaterThanOrEqual RE 14.6
TestReferenceEqual R - 9.4
TestInstanceOf RV
TestIn RV
TestUndetectable - - 9.4
TestNull - - 9.4
TestUndefined - - 9.4
TestTypeOf F - 9.4
ToName R - 11.8
ToName - 11.8
ToNumber V
ToNumeric V
ToObject R
ToString -
CreateRegExpLiteral KVF - 11.3
ToBoolean - 11.8
CreateRegExpLiteral KVH 11.3
CreateArrayLiteral KVF
CreateArrayFromIterable -
CreateEmptyArrayLiteral V
CreateObjectLiteral KVF
CreateEmptyObjectLiteral -
CloneObject RFV
GetTemplateObject KV
CreateClosure KVF
CreateBlockContext K
CreateCatchContext RK
CreateFunctionContext KU
CreateFunctionContextWithCells KU 14.1
CreateEvalContext KU
CreateWithContext RK
CreateMappedArguments -
CreateUnmappedArguments -
CreateRestParameter -
JumpLoop US - 11.3
JumpLoop USV 11.3
Jump U
JumpConstant K
JumpIfNullConstant K
JumpIfNotNullConstant K
JumpIfUndefinedConstant K
JumpIfNotUndefinedConstant K
JumpIfUndefinedOrNullConstant K
JumpIfTrueConstant K
JumpIfFalseConstant K
JumpIfJSReceiverConstant K
JumpIfForInDoneConstant KRR 12.9
JumpIfToBooleanTrueConstant K
JumpIfToBooleanFalseConstant K
JumpIfToBooleanTrue U
JumpIfToBooleanFalse U
JumpIfTrue U
JumpIfFalse U
JumpIfNull U
JumpIfNotNull U
JumpIfUndefined U
JumpIfNotUndefined U
JumpIfUndefinedOrNull U
JumpIfJSReceiver U
JumpIfForInDone URR 12.9
SwitchOnSmiNoFeedback KUS
ForInEnumerate R
ForInPrepare tV
ForInContinue RR - 12.9
ForInNext RRPV
ForInStep R
StackCheck - - 8.4
ForOfNext RRP 14.1 14.6
ForOfNext RRPV 14.6
SetPendingMessage -
Throw -
ReThrow -
Return -
ThrowReferenceErrorIfHole K
ThrowSuperNotCalledIfHole -
ThrowSuperAlreadyCalledIfNotHole -
ThrowIfNotSuperConstructor R 9.0
SwitchOnGeneratorState RKU
SuspendGenerator RL#U
ResumeGenerator RL#
GetIterator RV - 8.1
GetIterator RVV 8.1
Debugger -
IncBlockCounter B
Abort U - 14.6
Abort A 14.6
Star15 - 9.0
Star14 - 9.0
Star13 - 9.0
Star12 - 9.0
Star11 - 9.0
Star10 - 9.0
Star9 - 9.0
Star8 - 9.0
Star7 - 9.0
Star6 - 9.0
Star5 - 9.0
Star4 - 9.0
Star3 - 9.0
Star2 - 9.0
Star1 - 9.0
Star0 - 9.0
Illegal -
`
