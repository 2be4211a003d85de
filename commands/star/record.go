package star

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	starjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// valueOf returns a record as the dictionary that its JSON is.
func valueOf(r lang.Record) (starlark.Value, error) {
	text, err := out.Marshal(commands.Plain(r))
	if err != nil {
		return nil, err
	}
	return call("decode", starlark.String(text))
}

// call calls a function of Starlark's own JSON module.
func call(name string, v starlark.Value) (starlark.Value, error) {
	f, ok := starjson.Module.Members[name].(*starlark.Builtin)
	if !ok {
		return nil, errors.New("no json." + name)
	}
	return starlark.Call(&starlark.Thread{Name: name}, f, starlark.Tuple{v}, nil)
}

// results returns the records in what a function returned: the elements of a list, nothing for None, else the
// value alone.
func results(v starlark.Value) (list []starlark.Value, err error) {
	switch x := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case *starlark.Dict, starlark.String:
		return []starlark.Value{v}, nil
	case starlark.Iterable:
		it := x.Iterate()
		defer it.Done()
		var e starlark.Value
		for it.Next(&e) {
			if list = append(list, e); len(list) > maxRecords {
				return nil, fmt.Errorf("it returns more than %d records", maxRecords)
			}
		}
		return list, nil
	}
	return []starlark.Value{v}, nil
}

// A record is a value that a function returned.
type record struct {
	name  string // of the command: its type
	value starlark.Value
	json  json.RawMessage
	at    core.Addr
	isAt  bool
}

// newRecord makes a record of a value. A dictionary's "addr", or a number, is its address.
func newRecord(name string, v starlark.Value) (*record, error) {
	text, err := call("encode", v)
	if err != nil {
		return nil, err
	}
	s, _ := starlark.AsString(text)
	r := &record{name: name, value: v, json: json.RawMessage(s)}
	at := v
	if d, ok := v.(*starlark.Dict); ok {
		at, _, _ = d.Get(starlark.String("addr"))
	}
	switch x := at.(type) {
	case starlark.Int:
		n, ok := x.Uint64()
		r.at, r.isAt = core.Addr(n), ok
	case starlark.String:
		if d, ok := v.(*starlark.Dict); ok && d != nil {
			n, err := strconv.ParseUint(strings.TrimPrefix(string(x), "0x"), 16, 64)
			r.at, r.isAt = core.Addr(n), err == nil
		}
	}
	return r, nil
}

// Addr returns the record's address, if it has one.
func (r *record) Addr() (core.Addr, bool) { return r.at, r.isAt }

// Text writes a string as it is, and a dictionary as NAME=VALUE, two blanks apart.
func (r *record) Text(w *out.Writer) {
	d, ok := r.value.(*starlark.Dict)
	if !ok {
		w.Printf("%s\n", out.Clean(plain(r.value), false))
		return
	}
	var list []string
	for _, item := range d.Items() {
		if key := plain(item[0]); key != "type" {
			list = append(list, key+"="+plain(item[1]))
		}
	}
	w.Printf("%s\n", out.Clean(strings.Join(list, "  "), false))
}

// plain returns a value as people read it.
func plain(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

// JSON returns the record for programs: a dictionary unchanged, with the command's name as its type by default,
// else the value.
func (r *record) JSON() any {
	d, ok := r.value.(*starlark.Dict)
	if !ok {
		return struct {
			Type  string          `json:"type"`
			Value json.RawMessage `json:"value"`
		}{r.name, r.json}
	}
	if _, has, _ := d.Get(starlark.String("type")); has || len(r.json) < 2 {
		return r.json
	}
	head := `{"type":` + strconv.Quote(r.name)
	if d.Len() > 0 {
		head += ","
	}
	return json.RawMessage(head + string(r.json[1:]))
}
