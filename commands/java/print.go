package java

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
)

var printCommands = []commands.Command{{
	Name: "javaprint", Module: module, Often: "dbsr", Addr: commands.AddrOptional,
	Views: []commands.View{{Language: runtimes.LanguageJava, Subject: commands.Values}},
	Options: []commands.Option{
		{Letter: 'a', Help: "show the address of each object"},
		{Letter: 'b', Help: "show the object's bytes too"},
		{Letter: 'd', Arg: "depth", Help: "open this many levels of objects inside (default 2)"},
		{Letter: 'n', Arg: "count", Help: "show at most this many elements and entries of each (default 100)"},
		{Letter: 'o', Help: "write on one line"},
		{Letter: 'r', Help: "raw: collections and boxed values by their fields, with class and lock word"},
		{Letter: 's', Arg: "length", Help: "show at most this many characters of a string (default 10000)"},
		{Letter: 'x', Help: "write integers in hexadecimal"},
	},
	Args:    "[member ...]",
	Summary: "print an object of Java",
	Detail: `Prints the object at the address with its fields; strings, boxed values and enums as
they look in Java; collections of java.util and Android with their elements, in their
own order. A member is a path of fields and indices: threads[0].name. Without an
address the path starts with a class: java.lang.Thread.count is its static field.

[Class] stands for an object deeper than -d, <Class addr> for one that holds this one.
A reason stands for an unreadable value, as <not dumped> or <...is not an object>.

In JSON the value is plain where JSON can say it, and else an object with the key
"$": {"$":"int[]","length":3,"values":[1,2,3]}, {"$":"java.util.HashMap","length":1,
"entries":[[k,v]]}, {"$":"enum","class":"C","name":"N"}, {"$":"class","name":"C"},
{"$":"long","value":"9007199254740993"}, {"$":"double","value":"NaN"},
{"$":"string","length":N,"value":"prefix"}, {"$":"ref","class":"C","addr":"0x..."} for an
object that is not opened, {"$":"more","count":N} where a list was cut short,
{"$":"error","reason":"..."}. Other objects have "$class", "$addr" and their fields.`,
	Example: "::javasearch demo.Worker | ::javaprint -d 0",
	SeeAlso: []string{"arttype", "javaclass", "javasearch"},
	Words:   fieldWords,
	Run:     runPrint,
}, {
	Name: "arttype", Module: module, Addr: commands.AddrRequired,
	Summary: "show which Android Runtime object is at an address",
	Detail: `Objects and places inside of them, classes, methods, fields, threads, monitors and dex
files are known. A pipe gets the object.`,
	Example: "12c0cf90::arttype",
	SeeAlso: []string{"whatis", "javaprint"},
	Run:     runType,
}}

// valueRecord is a value of Java, named if it is one of several.
type valueRecord struct {
	label string
	value *java.Value
	form  java.FormatOptions
	bytes []byte
	at    core.Addr
}

func inspectOptions(c *commands.Call) (o java.Options, err error) {
	o = java.Default()
	if o.Depth, err = c.Int('d', o.Depth); err != nil {
		return o, err
	}
	if c.Flag('n') {
		n, err := c.Int('n', 0)
		if err != nil {
			return o, err
		}
		o.Show(n)
	}
	if o.MaxString, err = c.Int('s', o.MaxString); err != nil {
		return o, err
	}
	o.Raw = c.Flag('r')
	return o, nil
}

func runPrint(ctx context.Context, c *commands.Call) error {
	m, err := objectsOf(c)
	if err != nil {
		return err
	}
	in, reader := java.Inspector{Heap: m.JavaHeap()}, java.Reader{Heap: m.JavaHeap()}
	o, err := inspectOptions(c)
	if err != nil {
		return err
	}
	form := java.FormatOptions{OneLine: c.Flag('o'), Addresses: c.Flag('a'), Hex: c.Flag('x')}
	if len(c.Args) == 0 && !c.HasAddr && c.Dot == 0 {
		return c.Usage("it takes the address of an object, or a class and its static field")
	}
	if len(c.Args) == 0 {
		if _, err := reader.Object(c.Dot); err != nil {
			return err
		}
		r := &valueRecord{value: in.Inspect(c.Dot, o), form: form, at: c.Dot}
		if r.bytes, err = objectBytes(c, m, c.Dot); err != nil {
			return err
		}
		return c.Emit(r)
	}
	for _, arg := range c.Args {
		path := c.Text(arg)
		var s java.Slot
		if c.HasAddr {
			s, err = reader.Member(c.Dot, path)
		} else {
			s, err = java.StaticSlot(ctx, m, path)
		}
		if errors.Is(err, java.ErrNoClass) {
			err = noClass(c, err)
		}
		if err != nil {
			return err
		}
		r := &valueRecord{value: in.InspectSlot(s, o), form: form}
		r.at = r.value.Addr
		if len(c.Args) > 1 {
			r.label = path
		}
		if r.bytes, err = objectBytes(c, m, r.at); err != nil {
			return err
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// maxShownBytes is how much of an object -b shows.
const maxShownBytes = 4096

// objectBytes reads what -b shows.
func objectBytes(c *commands.Call, m java.Objects, at core.Addr) ([]byte, error) {
	if !c.Flag('b') || at == 0 {
		return nil, nil
	}
	n, err := m.JavaSize(at)
	if err != nil {
		return nil, err
	}
	return core.ReadBytes(c.Session.Process.Space, at, min(n, maxShownBytes))
}

// Addr returns the object's address.
func (r *valueRecord) Addr() (core.Addr, bool) { return r.at, r.at != 0 }

// Text writes the value.
func (r *valueRecord) Text(w *out.Writer) {
	if r.label != "" {
		w.Paint(out.Symbol, "%s", r.label)
		w.Printf(": ")
	}
	w.Value(r.value.Format(r.form))
	w.Printf("\n")
	for i := 0; i < len(r.bytes); i += 16 {
		row := r.bytes[i:min(i+16, len(r.bytes))]
		w.Paint(out.Addr, "    %v", r.at+core.Addr(i))
		w.Printf("  % x\n", row)
	}
}

// A valueJSON is a value as programs see it.
type valueJSON struct {
	_     out.Record      `record:"javavalue"`
	Addr  core.Addr       `json:"addr,omitzero"`
	Bytes string          `json:"bytes,omitempty"` // of the object in hexadecimal, if they were asked for
	Value json.RawMessage `json:"value"`
}

// JSON implements out.Formed.
func (r *valueRecord) JSON() any {
	return &valueJSON{Addr: r.at, Bytes: hex.EncodeToString(r.bytes), Value: r.value.AppendJSON(nil)}
}

// typeRecord describes the object at an address.
type typeRecord struct {
	_    out.Record `record:"arttype" text:"{addr:%#x} is {what}"`
	At   core.Addr  `json:"addr" ink:"addr" dot:"always"`
	What string     `json:"what"`
	Java string     `json:"class,omitempty"`
}

func runType(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	what, ok := a.WhatIs(c.Dot)
	if !ok {
		return fmt.Errorf("%v is nothing of the Android Runtime that is known", c.Dot)
	}
	r := &typeRecord{At: core.Addr(c.Dot), What: what}
	if k := a.ClassOf(c.Dot); k != nil {
		r.Java = k.Name
	}
	return c.Emit(r)
}
