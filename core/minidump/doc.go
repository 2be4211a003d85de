// Package minidump reads minidumps into processes: dumps of Breakpad and Crashpad, of LLDB, and of
// Windows' own MiniDumpWriteDump.
//
// The object chain: the header leads to the directory of streams. SystemInfo says which system and
// processor it was; ThreadList has threads with their contexts, which are register files, and their
// stacks; Exception the thread that died, with the context that it died with, and why; ModuleList the
// images, each with a CodeView record that has its build-id, UUID or PDB id. Memory is in MemoryList,
// in Memory64List, which full dumps have, and with the stacks of ThreadList; MemoryInfoList and
// LinuxMaps say what was mapped. MiscInfo, ThreadNames, CrashpadInfo and the streams that Breakpad
// makes of files in /proc say the rest. Files of modules are found and read by core/elf, core/macho and
// core/pe.
//
// Sources: minidumpapiset.h and winnt.h of the Windows SDK 10.0.22621; Breakpad,
// src/google_breakpad/common/minidump_format.h and minidump_cpu_*.h; Crashpad,
// minidump/minidump_extensions.h; LLVM 19, BinaryFormat/Minidump.h, and lldb's
// MinidumpFileBuilder.cpp.
//
// A minidump holds only selected memory. Other memory has the reason core.NotInDump; only a dump that
// lists all mappings knows which addresses were not mapped.
//
// Map: format.go has the numbers. A reader (streams.go, read.go) reads the file. One type each makes the
// address space (memory.go, maps.go), the threads (threads.go, with context.go and xsave.go for their
// registers), the modules (module.go, modules.go, and windows_modules.go for images of Windows), the signal
// (exception.go, and windows.go for exceptions of Windows) and the annotations (crashpad.go); open.go has
// their order. unloaded.go reads modules that were unloaded, linux.go the streams of Breakpad on Linux, and
// private.go finds the places of private data in a dump.
//
// LIMITATIONS: threads of x86-64, arm64, i386, arm and riscv64; on other processors only memory and
// modules are shown. Little endian only. XSAVE's state is read for the shadow stack's registers only. A
// thread of Linux or macOS has no thread pointer unless its writer puts it into Teb, as Crashpad does.
// Handles, tokens and Windows' function tables are listed as notes, not read.
package minidump
