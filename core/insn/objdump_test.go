package insn

import (
	"bufio"
	"cmp"
	"debug/elf"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
)

// The truth is GNU objdump's listing of the same code: each mnemonic and each
// operand has to be equal.
//
//	go test ./core/insn -run TestObjdumpFiles -objdump /lib/x86_64-linux-gnu/libc.so.6,/usr/bin/node
//
// compares all code of files. With -sample it also writes one instruction of
// each form into testdata, which TestObjdumpSample compares without objdump.

var (
	objdumpFiles = flag.String("objdump", "",
		"comma-separated ELF files whose code is compared with objdump's listing")
	objdumpSample = flag.Bool("sample", false, "write a sample of the instructions of -objdump into testdata")
)

// objdumpArchs are the architectures by the name of objdump's file format.
var objdumpArchs = map[string]*core.Arch{
	"elf64-x86-64": core.AMD64, "elf32-i386": core.I386, "elf64-littleaarch64": core.ARM64,
}

// A listed is an instruction as objdump lists it.
type listed struct {
	arch *core.Arch
	pc   core.Addr
	code []byte
	text string
}

// readObjdump calls f for each instruction of a listing made with objdump -d -w.
func readObjdump(r io.Reader, f func(listed)) error {
	var arch *core.Arch
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if _, format, ok := strings.Cut(lines.Text(), "file format "); ok {
			arch = objdumpArchs[format]
			continue
		}
		at, rest, ok := strings.Cut(lines.Text(), ":\t")
		bytes, text, ok2 := strings.Cut(rest, "\t")
		pc, err := strconv.ParseUint(strings.TrimSpace(at), 16, 64)
		if !ok || !ok2 || err != nil || arch == nil {
			continue
		}
		code, err := hex.DecodeString(strings.ReplaceAll(bytes, " ", ""))
		if err != nil {
			return err
		}
		if arch == core.ARM64 {
			slices.Reverse(code) // printed as a word
		}
		if noInstruction.MatchString(text) {
			continue
		}
		f(listed{arch, core.Addr(pc), code, text})
	}
	return lines.Err()
}

// compare returns both texts, and whether they are equal. An instruction that is not known
// is nothing untrue: it is counted apart.
func (l *listed) compare() (ours, theirs string, equal, known bool) {
	in, ok := Disassemble(l.arch, l.code, l.pc)
	ours, theirs = strings.ReplaceAll(in.Text, "\t", " "), objdumpText(l.text)
	known = !strings.HasPrefix(ours, ".byte") && !strings.HasPrefix(ours, ".inst")
	return ours, theirs, ok && len(in.Bytes) == len(l.code) && ours == theirs, known
}

// objdumpText returns a text of objdump without symbols, comments and displacements
// of zero that have a register.
func objdumpText(s string) string {
	for _, end := range []string{" <", " # ", "\t// ", " // "} {
		s, _, _ = strings.Cut(s, end)
	}
	s = strings.TrimPrefix(s, "{evex} ")
	s = zeroDisp.ReplaceAllString(s, "$1($2")
	s = strings.Join(strings.Fields(s), " ")
	return target.ReplaceAllString(s, "${1}0x$2")
}

var (
	// noInstruction matches data, and a prefix alone.
	noInstruction = regexp.MustCompile(`\(bad\)|%\?|undefined|NYI|^\.(word|short|byte)|^((data16|addr32|lock|rep[nz]*|[c-gs]s|rex[.WRXB]*)\s*)+$`)
	zeroDisp      = regexp.MustCompile(`([ :,*])0x0\((%)`)
	target        = regexp.MustCompile(`^((?:(?:data16|addr32|lock|bnd|[c-gs]s|rex[.WRXB]*) )*(?:(?:j|call|loop|xbegin)[a-z]*(?:,p[tn])?|b|bl|b\.[a-z]+|cbn?z|tbn?z|adrp?|ldr|ldrsw|prfm) (?:.*, )?)([0-9a-f]+)$`)
)

var (
	registerForm = regexp.MustCompile(`%?\b(st\([0-7]\)|[a-z]{1,4}[0-9]{0,2}[bwdl]?)\b`)
	numberForm   = regexp.MustCompile(`0x[0-9a-f]+|\b[0-9]+\b`)
)

// form returns an instruction's text without the names of registers and without
// numbers.
func (l *listed) form() string {
	mnemonic, operands, _ := strings.Cut(objdumpText(l.text), " ")
	operands = registerForm.ReplaceAllString(operands, "R")
	return l.arch.Name + " " + mnemonic + " " + numberForm.ReplaceAllString(operands, "N")
}

func TestObjdumpFiles(t *testing.T) {
	if *objdumpFiles == "" {
		t.Skip("no -objdump FILES")
	}
	sample := map[string]listed{}
	for path := range strings.SplitSeq(*objdumpFiles, ",") {
		objdumpFile(t, path, sample)
	}
	if *objdumpSample {
		writeSample(t, sample)
	}
}

func objdumpFile(t *testing.T, path string, sample map[string]listed) {
	name := "objdump"
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if f.Machine == elf.EM_AARCH64 && runtime.GOARCH != "arm64" {
		name = "aarch64-linux-gnu-objdump"
	}
	cmd := exec.Command(name, "-d", "-w", "--insn-width=15", path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	n, wrong, unknown := 0, 0, 0
	forms := map[string]int{}
	shown := map[string]string{}
	err = readObjdump(out, func(l listed) {
		n++
		f := l.form()
		ours, theirs, equal, known := l.compare()
		if _, ok := sample[f]; !ok && known {
			sample[f] = l
		}
		if equal {
			return
		}
		if known {
			wrong++
		} else {
			unknown++
		}
		forms[f]++
		shown[f] = fmt.Sprintf("%v: % x: %q, objdump %q", l.pc, l.code, ours, theirs)
	})
	if err := cmp.Or(err, cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return forms[b] - forms[a] }) {
		t.Logf("%7d %s", forms[f], shown[f])
	}
	t.Logf("%s: of %d instructions %d differ, %d are not known", path, n, wrong, unknown)
	if wrong > 0 || n == 0 {
		t.Fail()
	}
}

func writeSample(t *testing.T, sample map[string]listed) {
	var b strings.Builder
	for _, f := range slices.Sorted(maps.Keys(sample)) {
		l := sample[f]
		fmt.Fprintf(&b, "%s\t%x\t%x\t%s\n", l.arch.Name, uint64(l.pc), l.code, objdumpText(l.text))
	}
	if err := os.WriteFile(filepath.Join("testdata", "objdump.txt"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestObjdumpSample compares one instruction of each form in C libraries, libstdc++, the
// dynamic loader and node with objdump 2.40's text.
func TestObjdumpSample(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "objdump.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n, archs := 0, map[string]*core.Arch{}
	for _, arch := range objdumpArchs {
		archs[arch.Name] = arch
	}
	for line := range strings.Lines(string(data)) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if len(f) != 4 {
			t.Fatalf("%q", line)
		}
		l := listed{arch: archs[f[0]], text: f[3]}
		pc, err1 := strconv.ParseUint(f[1], 16, 64)
		code, err2 := hex.DecodeString(f[2])
		if err := cmp.Or(err1, err2); err != nil || l.arch == nil {
			t.Fatalf("%q: %v", line, err)
		}
		l.pc, l.code = core.Addr(pc), code
		if ours, theirs, equal, _ := l.compare(); !equal {
			t.Errorf("%s: %v: % x: %q, objdump %q", f[0], l.pc, code, ours, theirs)
		}
		n++
	}
	if n < 2500 {
		t.Errorf("%d instructions", n)
	}
}
