package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"coredbg/core/file"
)

// A kind of bug is its name and the code of a function that dies of it.
type kind struct{ name, code string }

// A bug is one that was seeded.
type bug struct{ name, kind, code, entry string }

// A language is its bugs, the program that has them, and the ways to build it.
type language struct {
	name, file, text string
	bugs             []bug
	builds           []string
}

// A build is a program that was built in one of the ways.
type build struct{ name, exe string }

// languages seeds 200 bugs: 75 of C, 60 of C++, 40 of Rust, 25 of Go.
func languages(seed uint64) []*language {
	n := &names{r: rand.New(rand.NewPCG(seed, 2)), used: map[string]bool{}}
	c := newLanguage(n, "c", "seeds.c", cKinds, 75, cBuilds, func(b *bug, verb, noun string) {
		b.name = verb + "_" + noun
		b.entry = b.name
		if b.kind == "table" {
			b.entry += "_pick"
		}
	})
	c.program(cHead, cTail, "\t{%q, %s},\n", func(b *bug) string { return b.code })
	x := newLanguage(n, "cxx", "seeds.cc", cxxKinds, 60, cxxBuilds, func(b *bug, verb, noun string) {
		b.name = verb + "_" + noun
		b.entry = noun + "_" + verb + "::" + map[string]string{"pure": "make_", "method-null": "call_",
			"template": "call_"}[b.kind] + b.name
	})
	x.program(cxxHead, cxxTail, "\t{%q, %s},\n", func(b *bug) string {
		space, _, _ := strings.Cut(b.entry, "::")
		return "namespace " + space + " { " + b.code + " }"
	})
	r := newLanguage(n, "rust", "seeds.rs", rustKinds, 40, rustBuilds, func(b *bug, verb, noun string) {
		b.name = verb + "_" + noun
		b.entry = noun + "_" + verb + "::" + b.name
		if b.kind == "trait" || b.kind == "generic" {
			b.entry = noun + "_" + verb + "::call"
		}
	})
	r.program(rustHead, rustTail, "\t\t(%q, %s),\n", func(b *bug) string {
		space, _, _ := strings.Cut(b.entry, "::")
		return "mod " + space + " { " + b.code + " }"
	})
	g := newLanguage(n, "go", "seeds.go", goKinds, 25, goBuilds, func(b *bug, verb, noun string) {
		b.name = verb + upper(noun)
		b.entry = map[string]string{"method": "call", "generic": "call", "goroutine": "start"}[b.kind] + b.name
	})
	g.program(goHead, goTail, "\t\t%q: %s,\n", func(b *bug) string { return b.code })
	return []*language{c, x, r, g}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func newLanguage(n *names, name, file string, kinds []kind, count int, builds []string,
	call func(b *bug, verb, noun string)) *language {
	l := &language{name: name, file: file, builds: builds}
	for i := range count {
		k := kinds[i%len(kinds)]
		verb, noun := n.next()
		b := bug{kind: k.name}
		call(&b, verb, noun)
		b.code = strings.NewReplacer("@", b.name, "^", upper(verb)+upper(noun), "#[inline", "#[inline", "#",
			fmt.Sprint(2+n.r.IntN(30))).Replace(k.code)
		l.bugs = append(l.bugs, b)
	}
	return l
}

// program writes the source: the bugs, and a table of them.
func (l *language) program(head, tail, row string, code func(*bug) string) {
	var text, rows strings.Builder
	for i := range l.bugs {
		b := &l.bugs[i]
		text.WriteString(code(b) + "\n")
		fmt.Fprintf(&rows, row, b.name, b.entry)
	}
	l.text = head + text.String() + strings.Replace(tail, "%s", rows.String(), 1)
}

// Ways to build: a name, and a command without the output and the source.
var cBuilds = []string{
	"gcc -O0 -g", "gcc -O2 -g", "clang -O0 -g", "clang -O2 -g", "gcc -O1 -g -DSHIFT=unrelated",
	"gcc -O3 -g", "gcc -Os -g",
	"clang -O1 -g -DSHIFT=renamed", "gcc -O2", "gcc -O2 -g -static", "gcc -O2 -g -flto", "clang-19 -O2 -g",
	"clang-19 -O3 -g -gdwarf-4",
	"musl-gcc -O2 -g", "musl-gcc -O1 -g -static", "gcc -O2 -g -no-pie -fno-pie",
	"gcc -O2 -g -fno-omit-frame-pointer -DSHIFT=other_name",
}
var cxxBuilds = []string{
	"g++ -O0 -g", "g++ -O2 -g", "clang++ -O0 -g", "clang++ -O2 -g", "g++ -O1 -g -DSHIFT=unrelated",
	"g++ -O3 -g", "g++ -Os -g",
	"clang++ -O1 -g -DSHIFT=renamed", "g++ -O2", "g++ -O2 -g -static", "g++ -O2 -g -flto", "clang++-19 -O2 -g",
	"clang++-19 -O3 -g -gdwarf-4",
	"g++ -O2 -g -no-pie -fno-pie -std=c++20", "g++ -O2 -g -static-libstdc++ -DSHIFT=other_name",
}
var rustBuilds = []string{
	"rustc -g", "rustc -g -O", "rustc -O", "rustc -g -C opt-level=1", "rustc -g -C opt-level=s",
	"rustc -g -C opt-level=3 -C codegen-units=1",
	"rustc -g -O -C symbol-mangling-version=v0", "rustc -g -C opt-level=3 -C lto=fat",
	"rustc -g -C symbol-mangling-version=v0", "rustc -g -O -C force-frame-pointers=yes",
}
var goBuilds = []string{
	"go build", "go build -gcflags=all=-N -gcflags=all=-l", "go build -trimpath", "go build -ldflags=-w",
	"go build -buildmode=pie", "go build -gcflags=-l -trimpath",
}

// build builds what is not there yet; a compiler that is not there is left out, and said.
func (l *language) build(ctx context.Context, folder string) ([]build, error) {
	source := filepath.Join(folder, l.file)
	if err := file.WriteFile(ctx, source, []byte(l.text), true); err != nil {
		return nil, err
	}
	var list []build
	for i, way := range l.builds {
		args := strings.Fields(way)
		b := build{name: way, exe: filepath.Join(folder, fmt.Sprintf("%s-%d", l.name, i), "seeds")}
		if _, err := exec.LookPath(args[0]); err != nil {
			log.Printf("%s is left out: %v", way, err)
			continue
		}
		list = append(list, b)
		if _, err := os.Stat(b.exe); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(b.exe), 0o700); err != nil {
			return nil, err
		}
		switch l.name {
		case "rust":
			args = append(args, "--edition=2021", "-A", "warnings", "-C", "panic=abort", "-o", b.exe, source)
		case "go":
			args = append(args, "-o", b.exe, source)
		default:
			args = append(args, "-w", "-pthread", "-o", b.exe, source)
		}
		log.Print(strings.Join(args, " "))
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", way, err, out)
		}
	}
	return list, nil
}
