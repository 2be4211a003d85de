package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/vmstructs"
)

// A describer reads what the virtual machine is.
type describer struct {
	*vmstructs.Tables
	r        *object.Reader
	problems []string
}

var errNoField = errors.New("the static field was not found")

func (d *describer) problem(format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf(format, args...))
}

// Describe describes the virtual machine whose code cache is given.
func Describe(_ context.Context, k *code.Cache) *runtimes.JavaMachine {
	d := &describer{Tables: k.Tables, r: k.Reader}
	m := &runtimes.JavaMachine{Version: k.Release(), Command: d.text("Arguments._java_command"), Flags: d.flags(),
		Collector: d.collector(), Uptime: d.uptime()}
	m.Args = append(d.strings("Arguments._jvm_flags_array", "Arguments._num_jvm_flags"),
		d.strings("Arguments._jvm_args_array", "Arguments._num_jvm_args")...)
	m.Properties = d.properties()
	property := map[string]string{}
	for _, p := range m.Properties {
		property[p.Name] = p.Value
	}
	m.Name, m.Vendor = property["java.vm.name"], property["java.vm.vendor"]
	if v := property["java.vendor.version"]; v != "" {
		m.Vendor = strings.TrimSpace(m.Vendor + " (" + v + ")")
	}
	// "OpenJDK 64-Bit Server VM (17.0.15+6) for linux-amd64 JRE (17.0.15+6), built on … by …"
	info := d.text("Abstract_VM_Version._s_internal_vm_info_string")
	if name, _, ok := strings.Cut(info, " ("); ok && m.Name == "" {
		m.Name = name
	}
	if _, built, ok := strings.Cut(info, ", built on "); ok {
		m.Built = built
	}
	m.JIT = d.jit(m.Version)
	m.Heaps = d.heaps(m.Collector)
	m.Metaspace, m.Loaders = d.metaspace()
	if heap := d.PointerAt(0, "Universe._collectedHeap"); heap != 0 {
		if f, ok := d.Lookup("CollectedHeap._total_collections"); ok {
			m.Collections = uint64(uint32(f.Int(d.Process.Cursor(), heap)))
		}
	}
	m.Moving = d.r.Evacuation().Regions()
	if z := d.r.Colouring(); z != nil {
		m.Moving = z.Forwardings()
	}
	m.References, m.Classes = d.r.Encoding()
	m.Code = k.Usage()
	m.Problems = d.problems
	return m
}

// jit says which compiler is not the virtual machine's own: Graal takes the place of C2 where JVMCI's compiler is used.
func (d *describer) jit(version string) string {
	on, _ := d.Flag("UseJVMCICompiler")
	native, _ := d.Flag("UseJVMCINativeLibrary")
	switch {
	case on && native:
		return "Graal, as a native library (JVMCI), in place of C2"
	case on:
		return "Graal (JVMCI), in place of C2"
	case strings.Contains(version, "jvmci"):
		return "none but its own; its JDK is GraalVM's"
	}
	return ""
}
