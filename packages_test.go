package coredbg_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/doc"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/packages.md")

const packagesIntroduction = `# The packages of coredbg

<!-- written by go test . -run TestPackagesPage -update -->

[design.md](design.md) says how they work together. Each line is the first sentence of a package comment; the rest of the
comment says more. Next to the packages there are:

* ` + "`fleet`" + `, a module of its own: triage as a pipeline of Apache Beam, over any number of machines.
* ` + "`runtimes/v8/layout/gen`" + `, a module of its own: the command that writes the tables of V8's numbers.
* ` + "`editors/vscode`" + `, an extension of Visual Studio Code that starts ` + "`coredbg dap`" + `.
* ` + "`release`" + `: the script that makes packages for systems. ` + "`bench`" + `: costs, beside other debuggers.
* ` + "`testdata/cores`" + `: the corpus, the programs that made it, and ` + "`make`" + `. ` + "`testdata/script`" + `: stories.
`

// TestPackagesPage compares docs/packages.md with the package comments and the types of errors; -update writes it.
func TestPackagesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(packagesIntroduction)
	top := ""
	for _, p := range describedPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "coredbg/")
		if head, _, _ := strings.Cut(name, "/"); head != top {
			top = head
			fmt.Fprintf(&b, "\n## %s\n\n", top)
		}
		text := strings.TrimSuffix(p.Doc, ".")
		if _, rest, ok := strings.Cut(text, " "+filepath.Base(name)+" "); ok {
			text = rest
		}
		fmt.Fprintf(&b, "* `%s` %s.\n", name, text)
	}
	b.WriteString("\n## Types of errors\n\n")
	for _, e := range errorTypes(t) {
		fmt.Fprintf(&b, "* `%s` %s\n", e.name, e.doc)
	}
	text := b.String()
	if *update {
		if err := os.WriteFile("docs/packages.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile("docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	have, want := strings.Split(string(page), "\n"), strings.Split(text, "\n")
	for _, line := range want {
		if !slices.Contains(have, line) {
			t.Errorf("docs/packages.md lacks: %s", line)
		}
	}
	if !t.Failed() && string(page) != text {
		t.Error("docs/packages.md has more than the package comments say; run this test with -update")
	}
}

// describedPackages lists the packages of the module with the first sentences of their comments.
func describedPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Doc", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ImportPath, "coredbg/testdata/") {
			continue
		}
		if p.Doc == "" && !strings.HasPrefix(p.ImportPath, "coredbg/internal/") {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// An errorType is an exported type of errors.
type errorType struct{ name, doc string }

// errorTypes lists the exported types of errors with the first sentences of their comments.
func errorTypes(t *testing.T) []errorType {
	t.Helper()
	declared := regexp.MustCompile(`(?m)((?:^// .*\n)+)^type ([A-Z]\w*Error) struct`)
	comment := regexp.MustCompile(`(?m)^// `)
	var all []errorType
	sources(t, func(path, text string) {
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			first := new(doc.Package).Synopsis(comment.ReplaceAllString(m[1], ""))
			_, first, _ = strings.Cut(first, m[2]+" ")
			all = append(all, errorType{filepath.Base(filepath.Dir(path)) + "." + m[2], first})
		}
	})
	slices.SortFunc(all, func(a, b errorType) int { return strings.Compare(a.name, b.name) })
	return all
}
