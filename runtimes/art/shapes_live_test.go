package art_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"coredbg/runtimes/java"
)

// TestLiveShapes compares the static fields of shapes/Shapes.java with the output of String.valueOf: Java's
// own words for collections and for classes that it writes as a word. For floats the output has their bits,
// as the program could not write their digits.
func TestLiveShapes(t *testing.T) {
	o := java.Default()
	o.MaxString, o.Depth = 100, 4
	compareValues(t, "shapes.Shapes.%s", 60, o)
}

// TestLiveVals is TestLiveShapes for the elements of Vals.v (faults/vals/Vals.java).
func TestLiveVals(t *testing.T) {
	o := java.Default()
	o.Depth = 4
	compareValues(t, "vals.Vals.v[%s]", 40, o)
}

// compareValues compares the values that programs printed with the places of their names. A program prints
// least values or more.
func compareValues(t *testing.T, place string, least int, o java.Options) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			said := saidValues(t, filepath.Join(dir, "log.txt"))
			if len(said) < least {
				t.Fatalf("it printed %d values, want %d and more", len(said), least)
			}
			for name, want := range said {
				s, err := java.StaticSlot(context.Background(), a, fmt.Sprintf(place, name))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				v := java.Inspector{Heap: a.JavaHeap()}.InspectSlot(s, o)
				got := inJava(v)
				if word, err := strconv.Unquote(got); err == nil && v.Kind == java.ValueText {
					got = word
				}
				if got != want {
					t.Errorf("%s is %s; Java writes %s", name, got, want)
				}
			}
		})
	}
}

// saidValues returns the values that a program printed, by name.
func saidValues(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	said := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, text, ok := strings.Cut(strings.TrimPrefix(s.Text(), "value: "), " = "); ok &&
			strings.HasPrefix(s.Text(), "value: ") {
			said[name] = text
		}
	}
	return said
}

// inJava writes a value as String.valueOf does, with escapes for everything except ASCII.
func inJava(v *java.Value) string {
	switch v.Kind {
	case java.ValueNumber:
		return numberInJava(v)
	case java.ValueString, java.ValueEnum, java.ValueText:
		return escaped(v.Text)
	case java.ValueClass:
		return "class " + v.Text
	case java.ValueMap:
		var parts []string
		for i := 0; i+1 < len(v.Items); i += 2 {
			parts = append(parts, inJava(v.Items[i])+"="+inJava(v.Items[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case java.ValueList, java.ValueArray:
		return listInJava(v)
	case java.ValueObject:
		return objectInJava(v)
	}
	return string(v.Kind)
}

func numberInJava(v *java.Value) string {
	switch java.ShortName(v.Type) {
	case "float", "Float":
		f, err := strconv.ParseFloat(v.Text, 32) // the digits read back
		if err != nil || len(v.Text) > 14 {
			return v.Text
		}
		return fmt.Sprintf("%#x", math.Float32bits(float32(f)))
	case "double", "Double":
		f, err := strconv.ParseFloat(v.Text, 64)
		if err != nil || len(v.Text) > 24 {
			return v.Text
		}
		return fmt.Sprintf("%#x", math.Float64bits(f))
	case "char", "Character":
		return escaped(java.UTF16([]uint16{uint16(v.Raw)}))
	}
	return v.Text
}

func listInJava(v *java.Value) string {
	var parts []string
	for _, x := range v.Items {
		parts = append(parts, inJava(x))
	}
	all := strings.Join(parts, ", ")
	name := java.ShortName(v.Type)
	switch {
	case name == "OptionalDouble" && len(parts) == 1, name == "AtomicReference":
		return all // what it holds is printed
	case strings.HasPrefix(name, "Optional") && len(parts) == 0:
		return name + ".empty"
	case strings.HasPrefix(name, "Optional"):
		return name + "[" + all + "]"
	case name == "BitSet":
		return "{" + all + "}"
	}
	return "[" + all + "]"
}

// objectInJava writes objects that are shown by their fields.
func objectInJava(v *java.Value) string {
	fields := map[string]string{}
	labels := v.Labels()
	for i := range v.Fields {
		fields[labels[i]] = inJava(v.Fields[i].Value)
	}
	switch java.ShortName(v.Type) {
	case "Shapes$Derived":
		return fields["shapes.Shapes$Base.id"] + " " + fields["id"]
	case "LongAdder":
		return fields["base"]
	case "AtomicIntegerArray":
		return fields["array"]
	case "AbstractMap$SimpleEntry":
		return fields["key"] + "=" + fields["value"]
	case "Collections$CopiesList":
		n, _ := strconv.Atoi(fields["n"])
		return "[" + strings.TrimSuffix(strings.Repeat(fields["element"]+", ", n), ", ") + "]"
	case "StringJoiner":
		value := strings.TrimPrefix(fields["value"], fields["prefix"])
		return fields["prefix"] + value + fields["suffix"]
	case "Date":
		return fields["fastTime"]
	}
	return fmt.Sprint(fields)
}

// escaped writes text as the program did: UTF-16 units that are not ASCII as escapes.
func escaped(s string) string {
	var b strings.Builder
	for rest := s; rest != ""; {
		if unit, ok := java.LoneSurrogate(rest); ok {
			fmt.Fprintf(&b, `\u%04x`, unit)
			rest = rest[3:]
			continue
		}
		for _, r := range rest {
			if r < 128 {
				b.WriteRune(r)
			} else {
				for _, unit := range utf16.Encode([]rune{r}) {
					fmt.Fprintf(&b, `\u%04x`, unit)
				}
			}
			rest = rest[len(string(r)):]
			break
		}
	}
	return b.String()
}
