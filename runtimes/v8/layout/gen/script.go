package main

import (
	"regexp"
	"slices"
	"strings"
)

// A wanted is a constant that tools/gen-postmortem-metadata.py names, with the expression
// of C++ that it has there.
type wanted struct{ name, expr string }

var (
	pairRE  = regexp.MustCompile(`'name':\s*'([^']+)',\s*'value':\s*'([^']+)'`)
	extraRE = regexp.MustCompile(`(?m)^\s*'(\w+, .+)',?$`)
	spaceRE = regexp.MustCompile(`[<> ,:]+`)
)

// script returns what the script of the tree lists: single constants, and fields.
func (s *source) script() []wanted {
	text, _ := s.open("tools/gen-postmortem-metadata.py")
	var out []wanted
	for _, m := range pairRE.FindAllStringSubmatch(text, -1) {
		out = append(out, wanted{m[1], m[2]})
	}
	for _, m := range extraRE.FindAllStringSubmatch(text, -1) {
		out = append(out, accessor(m[1], false)...)
	}
	return append(out, s.accessors()...)
}

var accessorRE = regexp.MustCompile(`(?m)^(SMI_ACCESSORS|ACCESSORS_TO_SMI|ACCESSORS2?|ACCESSORS_GCSAFE|RELEASE_ACQUIRE_ACCESSORS)(_CHECKED2?)?\(([^;{]*?)\)\n`)

// accessors returns the fields that macros in the headers give accessors to.
func (s *source) accessors() []wanted {
	var out []wanted
	for _, name := range s.files("src/objects", "-inl.h") {
		text, _ := s.open(name)
		for _, m := range accessorRE.FindAllStringSubmatch(text, -1) {
			out = append(out, accessor(strings.Join(strings.Fields(m[3]), " "), strings.Contains(m[1], "SMI"))...)
		}
	}
	return out
}

// accessor reads "Class, field, Type, offset"; fields that are Smis have no type.
func accessor(args string, smi bool) []wanted {
	var part []string
	depth, start := 0, 0
	for i, c := range args + "," {
		switch c {
		case '(', '<':
			depth++
		case ')', '>':
			depth--
		case ',':
			if depth == 0 {
				part = append(part, strings.TrimSpace(args[start:i]))
				start = i + 1
			}
		}
	}
	if smi && len(part) >= 3 {
		part = slices.Insert(part[:3:3], 2, "SMI")
	}
	if len(part) < 4 {
		return nil
	}
	expr := part[3]
	if !strings.Contains(expr, "(") {
		expr = part[0] + "::" + expr
	}
	typ := strings.Trim(spaceRE.ReplaceAllString(part[2], "_"), "()")
	return []wanted{{"class_" + part[0] + "__" + part[1] + "__" + typ, expr}}
}
