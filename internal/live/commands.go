package main

import "strings"

// commands are run over each core. Together they do what the tests look at; a command that
// does not fit a core ends at once.
var commands = strings.Split(strings.TrimSpace(`
::status
::analyze
::signature
::siginfo
::threads -t
::walk thread | ::stack -v
::walk thread | ::locals -A -l 100
::stacks -a
::source
::regs
::fpregs
::ucontext
::threads | ::head -n 16 | ::findstack
::objects -v
::mappings
::notes
::annotations
::auxv
::args
::env
::mutexes
::deadlock
::memtag
::dis -n 5
::tombstone
::goroutines
::goroutines -s waiting | ::locals -A -l 100
::isolates
::v8version -v
::v8verify
::jsstack -e
::jsstack -l
::walk jsframe | ::jsframe -v
::v8heap -v
::v8spaces
::v8types
::realms
::nodeinfo
::nodefatal
::handles
::requests
::timers
::ticks
::uvloop
::promises
::asyncstack
::jsscripts
::jsfunctions
::jsfunctions | ::head -n 30 | ::v8function -d
::jsfunctions | ::head -n 30 | ::jssource
::jsfunctions | ::head -n 30 | ::jsclosure
::findjsobjects -s
::findjsobjects | ::head -n 60 | ::jsprint -d 3
::findjsobjects | ::head -n 30 | ::v8print
::findjsobjects | ::head -n 30 | ::whatis
::findjsobjects | ::head -n 5 | ::jsfindrefs
::findjsobjects | ::head -n 3 | ::gcroot
::jsglobal
::jsprint globalThis.process.env
::heapstat -r
::leaks
::dominators
::dupstrings
::bigarrays
::roots
::artversion
::javathreads -v
::walk thread | ::javastack -lv
::arttrace -c
::javamonitors
::javaexception
::javaheap
::javaspaces
::classloaders
::finalizers
::jniref
::dexfile
::oat
::codeinfo
::managedstack
::getprop
::coverage`), "\n")
