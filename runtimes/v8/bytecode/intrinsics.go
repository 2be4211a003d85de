package bytecode

import (
	"strings"
)

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
		if len(f) == 0 || !listed(f[1:], s.Version) {
			continue
		}
		if id == 0 {
			return "_" + f[0]
		}
		id--
	}
	return ""
}
