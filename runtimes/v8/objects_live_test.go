package v8_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

// truthOptions are the options that the program wrote inspect.txt with.
func truthOptions() inspect.InspectOptions {
	o := inspect.DefaultInspect()
	o.Depth, o.MaxArray, o.ShowHidden = 1, 12, true
	return o
}

// global finds a global of a core by name.
func global(t testing.TB, v *v8.V8, name string) object.Slot {
	t.Helper()
	realms, err := v.Objects.Realms(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := v.Objects.Global(realms[0], name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// members splits util.inspect's output for an object into the object's members.
func members(text string) (keys []string, parts map[string]string) {
	parts = map[string]string{}
	key := ""
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "  "); ok && rest != "" && !strings.ContainsAny(rest[:1], " }])>") {
			key, _, _ = strings.Cut(rest, ":")
			keys = append(keys, key)
		}
		parts[key] += line + "\n"
	}
	return keys, parts
}

// TestInspect compares every kind of value with the output of util.inspect in the process itself (inspect.txt).
func TestInspect(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(filepath.Join(dir, "inspect.txt"))
			if err != nil {
				t.Skip(err)
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			x := v.Values.InspectSlot(global(t, v, "T"), truthOptions())
			got := x.Format(inspect.FormatOptions{ShowHidden: true, Exact: true, Dialect: v.Values.Dialect()}) + "\n"
			if got == string(want) {
				return
			}
			keys, wanted := members(string(want))
			gotKeys, gotten := members(got)
			if !slices.Equal(keys, gotKeys) {
				t.Errorf("keys are\n%v\nwant\n%v", gotKeys, keys)
			}
			right := 0
			for _, k := range keys {
				if gotten[k] == wanted[k] {
					right++
					continue
				}
				t.Errorf("got\n%s\nwant\n%s", gotten[k], wanted[k])
			}
			t.Logf("%d of %d values right", right, len(keys))
		})
	}
}

// TestInspectJSON checks values of testdata/cores/sources/v8/values.js against the
// forms that programs read.
func TestInspectJSON(t *testing.T) {
	wants := map[string]string{
		"smi": `42`, "dbl": `3.25`, "bigdbl": `1e+300`,
		"nan":     `{"$":"number","value":"NaN"}`,
		"negzero": `{"$":"number","value":"-0"}`,
		"inf":     `{"$":"number","value":"-Infinity"}`,
		"big":     `"123456789012345678901234567890n"`,
		"und":     `{"$":"undefined"}`, "nul": `null`, "yes": `true`,
		"seq2":         `"héllo 世界"`,
		"sym":          `{"$":"symbol","description":"mySymbol"}`,
		"arrHoley":     `[1,{"$":"hole"},3]`,
		"arrDict":      `["zero",{"$":"hole","count":99999},"big"]`,
		"map":          `{"$":"Map","entries":[["k1","v1"],[2,{"two":2}]]}`,
		"set":          `{"$":"Set","values":[1,"two",3.5]}`,
		"date":         `{"$":"Date","iso":"1971-01-01T00:00:00.000Z"}`,
		"re":           `{"$":"RegExp","source":"ab+c","flags":"gi"}`,
		"u8":           `{"$":"Uint8Array","values":[1,2,3,250]}`,
		"f64":          `{"$":"Float64Array","values":[1.25,-2]}`,
		"promResolved": `{"$":"Promise","state":"fulfilled","value":17}`,
		"prom":         `{"$":"Promise","state":"pending"}`,
		"getterObj":    `{"5":"five","10":"ten","computed":{"$":"accessor"},"plain":1,"computed2":2,"[Symbol(mySymbol)]":"symval"}`,
		"privat":       `{"$class":"Priv","pub":2,"#secret":13}`,
		"gadget":       `{"$class":"Gadget","id":8888,"name":"widget8888","next":null,"weight":8888.5,"flag":true}`,
		"nullProto":    `{"$class":null,"np":"npv"}`,
		"boxedNum":     `{"$":"Number","value":5}`,
		"args":         `{"0":1,"1":"two","2":3,"$class":"Arguments"}`,
		"wref":         `{"$":"WeakRef","target":{"$class":"Widget","id":9999,"name":"widget9999","next":null}}`,
	}
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			root := global(t, v, "T")
			for name, want := range wants {
				s, err := v.Objects.Member(root, []string{name})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				got, err := json.Marshal(v.Values.InspectSlot(s, inspect.DefaultInspect()))
				if name == "wref" && string(got) == "null" {
					continue // no WeakRef before V8 8.4
				}
				if err != nil || !sameJSON(t, string(got), want) {
					t.Errorf("%s = %s, %v, want %s", name, got, err, want)
				}
			}
		})
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// TestIntercepted looks at process.env, whose names and values are computed by functions of Node. The object
// holds no part of them, and must not look empty.
func TestIntercepted(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			s, err := v.Objects.Member(global(t, v, "process"), []string{"env"})
			if err != nil {
				t.Fatal(err)
			}
			x := v.Values.InspectSlot(s, inspect.DefaultInspect())
			got := x.Format(inspect.FormatOptions{Dialect: v.Values.Dialect()})
			if !x.Intercepted || !strings.Contains(got, "interceptor") {
				t.Errorf("process.env is %s", got)
			}
			if b, _ := x.MarshalJSON(); !strings.Contains(string(b), `"$intercepted":true`) {
				t.Errorf("process.env is %s", b)
			}
			plain := v.Values.InspectSlot(global(t, v, "K"), inspect.DefaultInspect())
			if plain.Intercepted {
				t.Error("a plain object has an interceptor")
			}
		})
	}
}

// TestBuffersJSON checks buffers that changed under their views against the forms that
// programs read.
func TestBuffersJSON(t *testing.T) {
	wants := map[string]string{
		"rabGrown_Int16Array16_4_3": `{"$":"Int16Array","values":[1541,2055,2569]}`,
		"rabTiny_Uint8Array8_":      `{"$":"Uint8Array","values":[1,2,3]}`,
		"rabTiny_Uint8Array8_3_5":   `{"$":"Uint8Array","outOfBounds":true,"values":[]}`,
		"rabTiny":                   `{"$":"ArrayBuffer","byteLength":3,"values":[1,2,3]}`,
		"rabDetached":               `{"$":"ArrayBuffer","byteLength":0,"detached":true,"values":[]}`,
		"detached_Uint8Array8_":     `{"$":"Uint8Array","outOfBounds":true,"values":[]}`,
	}
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			root := global(t, v, "K")
			_, err := v.Objects.Member(root, []string{"rab"})
			resizable := err == nil
			for name, want := range wants {
				if !resizable && strings.HasPrefix(name, "rab") {
					continue // not known to this release
				}
				s, err := v.Objects.Member(root, []string{name})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				got, err := json.Marshal(v.Values.InspectSlot(s, inspect.DefaultInspect()))
				if err != nil || !sameJSON(t, string(got), want) {
					t.Errorf("%s = %s, %v, want %s", name, got, err, want)
				}
			}
		})
	}
}

// TestMember follows paths of members.
func TestMember(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		_, _, v := openLive(t, filepath.Join(dir, "core"))
		root := global(t, v, "globalThis")
		for path, want := range map[string]string{
			"T.arrObj[1].z":                 "1",
			"T.arrDict[100000]":             "'big'",
			"T.dict.kobj.inDict":            "true",
			"T.dict['key7']":                "7",
			"T.self.self.smi":               "42",
			"T.f64[1]":                      "-2",
			"T.privat.#secret":              "13",
			"T.getterObj[Symbol(mySymbol)]": "'symval'",
			"T.proxy.target":                "1",
			"keep.widgets[17].name":         "'widget17'",
			"keep.widgets.length":           "1234",
			"T.args[2]":                     "3",
			"T.old.hello":                   "[Function (anonymous)]",
		} {
			names, err := object.Path(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := v.Objects.Member(root, names)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if got := v.Values.InspectSlot(s, inspect.DefaultInspect()).Format(inspect.FormatOptions{}); got != want {
				t.Errorf("%s = %s, want %s", path, got, want)
			}
		}
	}
}

// TestKinds compares each value under the global K with the output of util.inspect in the process itself, with
// hidden properties ("H name") and without, and whole ("A name"; kinds.json;
// testdata/cores/sources/v8/kinds.js).
func TestKinds(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "kinds.json"))
			if err != nil {
				t.Skip(err)
			}
			var wants map[string]string
			if err := json.Unmarshal(data, &wants); err != nil {
				t.Fatal(err)
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			root := global(t, v, "K")
			// The first releases of Node 16 do not show the errors of an
			// AggregateError.
			node, _ := v.Objects.NodeVersion()
			old := node.Major == 16 && node.Minor < 14
			ours := map[string]bool{"agg": true}
			names := make([]string, 0, len(wants))
			for name := range wants {
				names = append(names, name)
			}
			slices.Sort(names)
			right := 0
			for _, name := range names {
				key, hidden := strings.CutPrefix(name, "H ")
				key, all := strings.CutPrefix(key, "A ")
				s, err := v.Objects.Member(root, []string{key})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				o := inspect.DefaultInspect()
				o.ShowHidden = hidden
				if all {
					o.Show(1 << 20)
				}
				got := v.Values.InspectSlot(s, o).Format(inspect.FormatOptions{ShowHidden: hidden, Exact: true,
					Dialect: v.Values.Dialect()})
				if wants[name] == "out of bounds" && strings.HasPrefix(got, "DataView {") &&
					strings.Contains(got, "<out of bounds>") {
					right++
					continue
				}
				if all { // both ends
					got = fmt.Sprintf("%d: %s...%s", len(got), got[:min(len(got), 200)], got[max(len(got)-200, 0):])
				}
				if got == wants[name] || old && ours[key] {
					right++
					continue
				}
				const longest = 1 << 11
				t.Errorf("%s:\ngot  %.*s\nwant %.*s", name, longest, got, longest, wants[name])
			}
			t.Logf("%d of %d values right", right, len(names))
		})
	}
}
