package java

import (
	"context"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/runtimes/java"
)

// patience is how long a completion or a guess may look for names.
const patience = 5 * time.Second

// Guess returns the function that finds the line for a name of Java: a static field "pkg.Class.field" and
// members behind it, or a class. It returns "" for other texts.
func Guess(s *commands.Session) func(text string, sure bool) (line, left string) {
	return func(text string, _ bool) (line, left string) {
		m, ok := commands.RuntimeOf[java.Objects](s)
		if !ok || !strings.Contains(text, ".") || strings.ContainsAny(text, " \t'\"()|;!<>*&/=`:") {
			return "", ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if all, _ := m.JavaClasses(ctx); len(java.Named(all, text)) > 0 {
			return "::javaclass '" + text + "'", ""
		}
		if _, err := java.StaticSlot(ctx, m, text); err != nil {
			return "", ""
		}
		return "::javaprint '" + text + "'", ""
	}
}

// fieldWords returns the names of classes or, after a class and a point, its static fields; after a field, its members.
func fieldWords(s *commands.Session, prefix string) []string {
	m, ok := commands.RuntimeOf[java.Objects](s)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	all, _ := m.JavaClasses(ctx)
	words := startingWith(all, prefix)
	i := strings.LastIndexByte(prefix, '.')
	if i < 0 {
		return words
	}
	path := prefix[:i]
	if classes := java.Named(all, path); len(classes) > 0 {
		for _, c := range classes {
			for _, f := range c.Own {
				if f.Static() {
					words = append(words, path+"."+f.Name)
				}
			}
		}
		return words
	}
	at, err := java.StaticSlot(ctx, m, path)
	if err != nil || !at.Reference() {
		return words
	}
	for _, name := range memberNames(m, at) {
		words = append(words, path+"."+name)
	}
	return words
}

// startingWith returns the names of classes with a prefix.
func startingWith(all []*java.Class, prefix string) (words []string) {
	for _, c := range all {
		if strings.HasPrefix(c.Name, prefix) {
			words = append(words, c.Name)
		}
	}
	return words
}

// memberNames returns the names of the fields of the object that a slot refers to.
func memberNames(m java.Objects, s java.Slot) (names []string) {
	r := java.Reader{Heap: m.JavaHeap()}
	at, ok := r.Ref(s.Addr)
	if !ok || at == 0 {
		return nil
	}
	o, err := r.Object(at)
	if err != nil {
		return nil
	}
	for _, f := range o.Class.Members {
		names = append(names, f.Name)
	}
	return names
}
