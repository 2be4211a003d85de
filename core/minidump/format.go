package minidump

import "encoding/binary"

var le = binary.LittleEndian

// Sizes of records in bytes.
const (
	headerSize     = 32
	directorySize  = 12
	threadSize     = 48
	moduleSize     = 108
	rangeSize      = 16
	infoHeaderSize = 16
	infoSize       = 48
	threadNameSize = 12
	exceptionSize  = 168
	systemInfoSize = 24 // up to CSDVersionRva
)

// magic is the first word of a minidump.
const magic = "MDMP"

// maxStreams bounds the directory; writers make some 20 entries.
const maxStreams = 4096

// maxString bounds a string in bytes; paths have at most 64 KiB.
const maxString = 1 << 20

// A streamType says what a stream is.
type streamType uint32

// The streams that are read.
const (
	threadList     streamType = 3
	moduleList     streamType = 4
	memoryList     streamType = 5
	exceptionInfo  streamType = 6
	systemInfo     streamType = 7
	memory64List   streamType = 9
	commentA       streamType = 10
	commentW       streamType = 11
	unloadedList   streamType = 14
	miscInfo       streamType = 15
	memoryInfoList streamType = 16
	threadNames    streamType = 24

	breakpadInfo streamType = 0x47670001
	assertion    streamType = 0x47670002
	cpuInfo      streamType = 0x47670003
	procStatus   streamType = 0x47670004
	lsbRelease   streamType = 0x47670005
	cmdLine      streamType = 0x47670006
	environ      streamType = 0x47670007
	auxv         streamType = 0x47670008
	maps         streamType = 0x47670009
	procStat     streamType = 0x4767000b
	procFD       streamType = 0x4767000d
	linuxLimits  streamType = 0x4d7a0003
	crashpadInfo streamType = 0x43500001
)

// streamNames are the names of streams in their headers.
var streamNames = map[streamType]string{
	threadList: "ThreadListStream", moduleList: "ModuleListStream", memoryList: "MemoryListStream",
	exceptionInfo: "ExceptionStream", systemInfo: "SystemInfoStream", 8: "ThreadExListStream",
	memory64List: "Memory64ListStream", commentA: "CommentStreamA", commentW: "CommentStreamW", 12: "HandleDataStream",
	13: "FunctionTableStream", unloadedList: "UnloadedModuleListStream", miscInfo: "MiscInfoStream",
	memoryInfoList: "MemoryInfoListStream", 17: "ThreadInfoListStream", 18: "HandleOperationListStream",
	19: "TokenStream", 20: "JavaScriptDataStream", 21: "SystemMemoryInfoStream", 22: "ProcessVmCountersStream",
	23: "IptTraceStream", threadNames: "ThreadNamesStream",
	breakpadInfo: "BreakpadInfo", assertion: "AssertionInfo", cpuInfo: "LinuxCpuInfo", procStatus: "LinuxProcStatus",
	lsbRelease: "LinuxLsbRelease", cmdLine: "LinuxCmdLine", environ: "LinuxEnviron", auxv: "LinuxAuxv",
	maps: "LinuxMaps", 0x4767000a: "LinuxDsoDebug", procStat: "LinuxProcStat", 0x4767000c: "LinuxProcUptime",
	procFD: "LinuxProcFD", 0x4d7a0001: "MozMacosCrashInfo", 0x4d7a0002: "MozMacosBootargs",
	linuxLimits: "MozLinuxLimits", 0x4d7a0004: "MozSoftErrors", crashpadInfo: "CrashpadInfo",
	0xfacee000: "FacebookAppVersionName",
}

// Processors (winnt.h, PROCESSOR_ARCHITECTURE; Breakpad's begin with 0x8000).
const (
	cpuX86      = 0
	cpuARM      = 5
	cpuAMD64    = 9
	cpuARM64    = 12
	cpuARM64Old = 0x8003
	cpuRISCV64  = 0x8006
)

// Platforms (winnt.h, VER_PLATFORM; Breakpad's begin with 0x8000).
const (
	platformWin32s = 0
	platformWinCE  = 3
	platformUnix   = 0x8000
	platformMac    = 0x8101
	platformIOS    = 0x8102
	platformLinux  = 0x8201
	platformDroid  = 0x8203
)

// A location is where a piece of the file is (MINIDUMP_LOCATION_DESCRIPTOR).
type location struct{ size, rva uint32 }

func locationAt(b []byte) location { return location{le.Uint32(b), le.Uint32(b[4:])} }
