package heap

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

var findCommands = []commands.Command{{
	Name: "find", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'n', Arg: "count", Help: "show at most this many (default 10000; 0 for all)"},
		{Letter: 'a', Help: "ask what is not reachable, too"},
	},
	Args:    "class [where field op value [and ...]]",
	Summary: "find objects of a class by the values of their fields",
	Detail: `CLASS is the name of a class as ::heapstat shows it; * in it stands for any text. FIELD
is a property or an instance field, one of a super class too, or a path: a.b[2].c, a["x y"];
"this" is the object itself, for strings. Only own properties count, and accessors do
not run; arrays and strings have a length, Maps and Sets a size.

OP is == != < <= > >= or ~. VALUE is a number (decimal unless it begins with 0x), a text
in quotes, true, false, null, undefined, NaN or Infinity. Nothing is converted: the text
"5" is not the number 5. Texts are ordered by their bytes. An object equals the number
that is its address. After ~ comes a regular expression (RE2, as in Go), which any part of
a text may match: a plain word finds texts that contain it.

Conditions are joined by "and". An object that has no such field meets no
condition but == undefined. A heap snapshot records texts and objects, but neither small
integers nor true, false, null and undefined: fields that hold these are not there.
Objects are shown with the values that were asked for.`,
	Example:   "::find Widget where id > 1230 and name ~ '[34]$'",
	SeeAlso:   []string{"findjsobjects", "javaheap", "gcroot", "objects-like"},
	EmptyText: "no object meets the conditions",
	Run:       runFind,
}}

// hitRecord is an object that meets conditions.
type hitRecord struct {
	_      out.Record `record:"find" cols:"At name"`
	At     core.Addr  `json:"addr" col:"OBJECT,16,right,%x" ink:"addr" dot:"always"`
	Class  string     `json:"class"`
	Fields []field    `json:"fields,omitempty"` // of the conditions
	name   string     `col:"IS" ink:"symbol"`
}

// A field is a value that was asked for.
type field struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

func runFind(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 10000)
	if err != nil {
		return err
	}
	if len(c.Args) == 0 {
		return c.Usage("a class is needed")
	}
	class := c.Text(c.Args[0])
	conditions, err := conditionsOf(c)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	hits, err := g.Find(ctx, class, conditions, keeper(c, g))
	if err != nil {
		return err
	}
	if hits.Unread > 0 {
		c.Session.Warn(c.Unknown("the fields of %s of class %s could not be read: %w", out.Count(hits.Unread, "object"),
			class, hits.Error))
	}
	switch {
	case hits.Objects == 0:
		return c.Empty("no object has the class %s", class)
	case len(hits.List) == 0 && len(hits.Without) > 0:
		return c.Empty("none of %s of class %s has a field %s", out.Count(hits.Objects, "object"), class,
			strings.Join(hits.Without, ", "))
	case len(hits.List) == 0:
		return c.Empty("none of %s of class %s meets the conditions", out.Count(hits.Objects, "object"), class)
	}
	shown := len(hits.List)
	if most > 0 {
		shown = min(shown, most)
	}
	for i := range hits.List[:shown] {
		if err := c.Emit(newHit(g, conditions, &hits.List[i])); err != nil {
			return err
		}
	}
	if more := len(hits.List) - shown; more > 0 {
		c.Warn("%d more objects are not shown; -n shows more", more)
	}
	return nil
}

// conditionsOf reads what comes after the class.
func conditionsOf(c *commands.Call) ([]graph.Condition, error) {
	args := c.Args[1:]
	if len(args) == 0 {
		return nil, nil
	}
	if args[0].Text != "where" {
		return nil, c.Usage("after the class comes where, not %q", c.Text(args[0]))
	}
	var pieces []graph.Piece
	for _, a := range args[1:] {
		if a.IsNum {
			pieces = append(pieces, graph.Piece{Text: strconv.FormatUint(a.Num, 10)})
		}
		for _, p := range a.Parts {
			pieces = append(pieces, graph.Piece{Text: p.Text, Quoted: p.Quote != 0})
		}
		pieces = append(pieces, graph.Piece{Text: " "})
	}
	list, err := graph.ParseConditions(pieces)
	if err != nil {
		return nil, c.Usage("%v", err)
	}
	return list, nil
}

func newHit(g *graph.Graph, conditions []graph.Condition, hit *graph.Hit) *hitRecord {
	at := g.Addr(hit.ID)
	r := &hitRecord{At: g.Source().Shown(at), Class: g.Type(hit.ID).Class, name: nameOf(g, hit.ID)}
	seen := map[string]bool{}
	var shown []string
	for i, v := range hit.Values {
		name := conditions[i].Field
		if v == nil || seen[name] {
			continue
		}
		seen[name] = true
		text, value := describe(g, v)
		r.Fields = append(r.Fields, field{name, value})
		if name == graph.Itself { // that is what the name says
			continue
		}
		shown = append(shown, out.Clean(name+" = "+text, false))
	}
	if len(shown) > 0 {
		r.name += ": " + strings.Join(shown, ", ")
	}
	return r
}

// shownValue is how many characters of a text a record has.
const shownValue = 256

// describe writes a value for people, and as ::jsprint and ::javaprint write it for
// programs.
func describe(g *graph.Graph, v *graph.Value) (string, json.RawMessage) {
	marshal := func(x any) json.RawMessage {
		b, _ := json.Marshal(x)
		return b
	}
	special := func(kind, value string) json.RawMessage {
		return marshal(struct {
			Kind  string `json:"$"`
			Value string `json:"value,omitempty"`
		}{kind, value})
	}
	switch v.Kind {
	case graph.Undefined:
		return "undefined", special("undefined", "")
	case graph.Null:
		return "null", json.RawMessage("null")
	case graph.Bool:
		return strconv.FormatBool(v.Bool), marshal(v.Bool)
	case graph.Number:
		if v.Int != nil {
			return v.Int.String(), special("number", v.Int.String())
		}
		text := strconv.FormatFloat(v.Num, 'g', -1, 64)
		if abs := math.Abs(v.Num); abs < 1e21 && v.Num == math.Trunc(v.Num) {
			text = strconv.FormatFloat(v.Num, 'f', -1, 64)
		}
		if math.IsNaN(v.Num) || math.IsInf(v.Num, 0) {
			text = strings.Replace(strings.TrimPrefix(text, "+"), "Inf", "Infinity", 1)
			return text, special("number", text)
		}
		return text, json.RawMessage(text)
	case graph.Text:
		runes := []rune(v.Text[:min(len(v.Text), 4*shownValue)])
		if v.Cut || len(runes) > shownValue {
			cut := string(runes[:min(len(runes), shownValue)])
			return strconv.Quote(string(runes[:min(len(runes), shownText)])) + "…", special("string", cut)
		}
		if len(runes) > shownText {
			return strconv.Quote(string(runes[:shownText])) + "…", marshal(v.Text)
		}
		return strconv.Quote(v.Text), marshal(v.Text)
	}
	id, ok := g.ID(v.At)
	if !ok {
		at := g.Source().Shown(v.At)
		return fmt.Sprintf("%x", uint64(at)), marshal(map[string]any{"$": "ref", "addr": at})
	}
	return fmt.Sprintf("%x %s", uint64(g.Source().Shown(v.At)), nameOf(g, id)),
		marshal(map[string]any{"$": "ref", "class": g.Type(id).Class, "addr": g.Source().Shown(v.At)})
}
