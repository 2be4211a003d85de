package bytecode

// rows lists the bytecodes of all versions in the order of their
// numbers: the name, the kinds of the operands ("-" for none), the first
// version that has the row there ("-" for 7.8), and the first that has not.
// interpreter/bytecodes.h: BYTECODE_LIST, as the builds of Node 12.22.12, 14.0.0, 14.21.3, 15.14.0, 16.0.0,
// 16.20.2, 17.9.1, 18.0.0, 20.20.2, 21.7.3, 22.23.3, 23.11.1, 24.21.0, 25.9.0, 26.10.0 have it: each number was
// shown to their Bytecodes::ToString, and the kinds come from their Bytecodes::kOperandTypes.
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
