package export

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"path"
	"strings"

	"coredbg/stack"
	"coredbg/triage"
)

// The version of SARIF, and where OASIS has its schema.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarif makes the result of a core.
func sarif(c *crash) object {
	r := object{"ruleId": string(c.Cause), "level": "error", "kind": "fail", "message": object{"text": c.Title},
		"properties": extra(c)}
	if c.Cause == "snapshot" {
		r["level"], r["kind"] = "none", "informational"
	}
	if c.Coarse != "" {
		r["partialFingerprints"] = object{fmt.Sprintf("coredbgCoarse/v%d", c.Rules): c.Coarse,
			fmt.Sprintf("coredbgFine/v%d", c.Rules): c.Fine}
	}
	stacks := []object{}
	for i, t := range c.threads {
		if i == c.died {
			stacks = append([]object{c.sarifStack(t)}, stacks...)
		} else {
			stacks = append(stacks, c.sarifStack(t))
		}
	}
	r["stacks"] = stacks
	if c.died >= 0 {
		for i := range c.threads[c.died].Frames {
			if f := &c.threads[c.died].Frames[i]; c.own(f) {
				r["locations"] = []object{c.sarifLocation(f)}
				break
			}
		}
	}
	return r
}

func (c *crash) sarifStack(t *stack.Stack) object {
	frames := []object{}
	for i := range t.Frames {
		f := &t.Frames[i]
		x := object{"location": c.sarifLocation(f), "threadId": t.Thread.TID}
		if f.Module != "" {
			x["module"] = path.Base(f.Module)
		}
		frames = append(frames, x)
	}
	return object{"message": object{"text": strings.TrimSpace(fmt.Sprintf("thread %d %s", t.Thread.TID, t.Name))},
		"frames": frames}
}

func (c *crash) sarifLocation(f *stack.Frame) object {
	at := object{}
	if f.PC <= math.MaxInt64 { // SARIF's integers are signed and have 64 bits
		at["address"] = object{"absoluteAddress": uint64(f.PC), "kind": "function"}
	}
	if f.File != "" {
		at["artifactLocation"] = object{"uri": uri(f.File)}
		if f.Line > 0 {
			region := object{"startLine": f.Line}
			region.set("startColumn", f.Column)
			at["region"] = region
		}
	}
	x := object{}
	if len(at) > 0 {
		x["physicalLocation"] = at
	}
	if f.Name != "" {
		x["logicalLocations"] = []object{{"fullyQualifiedName": f.Name, "kind": "function"}}
	}
	return x
}

// uri converts a path to a URI reference. The path of a Node module already is one.
func uri(file string) string {
	if strings.HasPrefix(file, "node:") {
		return (&url.URL{Scheme: "node", Opaque: url.PathEscape(strings.TrimPrefix(file, "node:"))}).String()
	}
	u := &url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifLog joins results into one run.
func sarifLog(docs []json.RawMessage, unread []*triage.Line) any {
	rules, seen := []object{}, map[string]bool{}
	for _, d := range docs {
		var r struct{ RuleID string }
		if json.Unmarshal(d, &r) == nil && !seen[r.RuleID] {
			seen[r.RuleID] = true
			rules = append(rules, object{"id": r.RuleID})
		}
	}
	notes := []object{}
	for _, l := range unread {
		notes = append(notes, object{"level": "error",
			"message": object{"text": fmt.Sprintf("%s: %s: %s", l.Core, l.Status, l.Error)}})
	}
	if docs == nil {
		docs = []json.RawMessage{}
	}
	return object{"version": sarifVersion, "$schema": sarifSchema, "runs": []object{{
		"tool":        object{"driver": object{"name": "coredbg", "version": version(), "rules": rules}},
		"invocations": []object{{"executionSuccessful": len(unread) == 0, "toolExecutionNotifications": notes}},
		"results":     docs,
	}}}
}
