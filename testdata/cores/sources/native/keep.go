// keep holds values of all kinds of Go in a function's variables and outside, and writes down what
// they hold: a line for each, its name and its value as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

type color uint8

type point struct{ X, Y int32 }

type shape interface{ area() float64 }

type square struct {
	Side float64
	Name string
}

func (s square) area() float64 { return s.Side * s.Side }
func (p *point) area() float64 { return float64(p.X) * float64(p.Y) }
func (c color) area() float64  { return float64(c) }

type key struct {
	A string
	B int
}

type node struct {
	Name string
	Next *node
}

var (
	Words   = map[string]int{}
	Big     = map[int]string{}
	Grown   = map[uint16]point{}
	Shrunk  = map[int]int{}
	Empty   = map[string]bool{}
	None    map[string]bool
	Keyed   = map[key][]int{}
	Wide    = map[int][40]int64{}
	Nested  = map[string]map[string]int{}
	Faces   = map[string]any{}
	Strings = []string{"one", "two", "drei", ""}
	Queue   = make(chan int, 4)
	Full    = make(chan string, 2)
	Sync    = make(chan bool)
	Closed  = make(chan int, 1)
	Bytes   = []byte("bytes")
	Shapes  []shape
	Any     any
	Nothing any
	Err     error
	Color   = color(9)
)

// says writes down what a variable holds.
func says(name string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	fmt.Println(name, string(b))
}

// numbers returns bytes as numbers, which Go writes down as base64 else.
func numbers(b []byte) (out []int) {
	for _, c := range b {
		out = append(out, int(c))
	}
	return out
}

func fill() {
	for i := 0; i < 7; i++ {
		Words[strings.Repeat("w", i)] = i
	}
	for i := 0; i < 1000; i++ {
		Big[i] = fmt.Sprint("number ", i)
	}
	for i := 0; i < 300; i++ {
		Grown[uint16(i)] = point{int32(i), int32(-i)}
	}
	for i := 0; i < 100; i++ {
		Shrunk[i] = i * i
	}
	for i := 0; i < 100; i++ {
		if i%9 != 0 {
			delete(Shrunk, i)
		}
	}
	for i := 0; i < 3; i++ {
		Keyed[key{fmt.Sprint("k", i), i}] = []int{i, i + 1}
		Wide[i] = [40]int64{int64(i), 2}
		Nested[fmt.Sprint("n", i)] = map[string]int{"x": i}
	}
	Faces["int"], Faces["text"], Faces["point"], Faces["nil"] = 7, "seven", point{7, 8}, nil
	Shapes = []shape{square{2, "small"}, &point{3, 4}, color(5), nil}
	Any, Err = square{9, "any"}, fmt.Errorf("an error of %d", 1)
	Queue <- 1
	Queue <- 2
	Queue <- 3
	<-Queue
	Queue <- 4
	Queue <- 5
	Full <- "a"
	Full <- "b"
	Closed <- 6
	close(Closed)
}

//go:noinline
func last(words map[string]int, list []point, text string, face any, small shape, next *node) {
	says("words", words)
	says("list", list)
	says("text", text)
	says("face", face)
	says("small", small)
	says("list[1].Y", list[1].Y)
	says(`words["ww"]`, words["ww"])
	says("Big[999]", Big[999])
	os.Stdout.Sync()
	debug.SetTraceback("crash")
	var p *int
	*p = len(words) + len(list) + len(text)
	says("never", []any{words, list, text, face, small, next})
}

func main() {
	fill()
	says("Words", Words)
	says("Big", Big)
	says("Grown", Grown)
	says("Shrunk", Shrunk)
	says("Empty", Empty)
	says("None", None)
	says("Nested", Nested)
	says("Strings", Strings)
	says("Bytes", numbers(Bytes))
	says("Queue", []int{2, 3, 4, 5})
	says("Full", []string{"a", "b"})
	says("Sync", []bool{})
	says("Closed", []int{6})
	says("Faces", Faces)
	says("Any", Any)
	says("Nothing", Nothing)
	says("Shapes", Shapes)
	says("Color", Color)
	says("Wide", Wide)
	says("Keyed", [][]any{{key{"k0", 0}, []int{0, 1}}, {key{"k1", 1}, []int{1, 2}}, {key{"k2", 2}, []int{2, 3}}})
	last(Words, []point{{1, 2}, {3, 4}}, "text", point{5, 6}, square{3, "local"}, &node{"first", &node{"second", nil}})
}
