package codeinfo

import "fmt"

// A Version is the version of the oat format, as in libart's kOatVersion and in each oat file's header.
type Version int

// Versions of format changes.
const (
	oatAndroid8   Version = 124
	oatBitTables  Version = 140 // another CodeInfo, which no release had
	oatAndroid10  Version = 170
	oatFlags      Version = 172 // CodeInfo begins with flags and says which tables it has
	oatInterleave Version = 173 // varints come in groups
	oatCodeSize   Version = 191 // CodeInfo has the size of the code
	oatOneWord    Version = 192 // the method header is one word
	oatMethodInfo Version = 225 // MethodInfo names the dex file too
	oatHighBit    Version = 238 // the method header's flag is bit 31 instead of 30
	oatNoFlag     Version = 239 // the method header is an offset and nothing else
)

// sdkVersions are the oat versions that Android was released with (art/runtime/oat.h
// of each release). From Android 12 on ART is updated on its own, so that a
// device may have a later one.
var sdkVersions = map[int]Version{
	26: 124, 27: 131, 28: 138, 29: 170, 30: 183, 31: 195, 32: 199, 33: 225, 34: 230,
}

// OfSDK returns the version that an Android API level was released with; for
// 35 and later, any with their format. It returns 0 for a level before 26.
func OfSDK(sdk int) Version {
	if v, ok := sdkVersions[sdk]; ok {
		return v
	}
	if sdk >= 35 {
		return oatNoFlag
	}
	return 0
}

func (v Version) interleaved() bool { return v >= oatInterleave }

// encoded reports whether CodeInfo begins with the layout of its tables, as in
// Android 8 and 9; see encoded.go.
func (v Version) encoded() bool { return v >= oatAndroid8 && v < oatBitTables }

// unknown is the error of a version that is not known.
func (v Version) unknown() error {
	return fmt.Errorf("codeinfo: the CodeInfo of oat version %d is not known", int(v))
}

// header lists what the numbers at the beginning of a CodeInfo are.
func (v Version) header(i *Info) []*uint32 {
	list := []*uint32{&i.packedFrameSize, &i.CoreSpillMask, &i.FPSpillMask, &i.DexRegisters}
	if v >= oatCodeSize {
		list = append([]*uint32{&i.CodeSize}, list...)
	}
	if v > oatAndroid10 { // 171 has flags, and records tables as 170 does
		list = append([]*uint32{&i.Flags}, list...)
	}
	if v >= oatFlags {
		list = append(list, &i.tableFlags)
	}
	return list
}
