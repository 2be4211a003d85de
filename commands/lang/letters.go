package lang

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"time"
)

// A Letter is one of the format letters of "/", "?" and "=".
type Letter struct {
	Letter byte
	// Size is the number of bytes that the letter consumes: -1 for the size of
	// a pointer, 0 for none or for as many as the data says.
	Size    int
	Summary string

	width int // columns, left-aligned; 0 for as many as needed
	text  func(v uint64, radix int) string
}

// Letters returns all format letters in order of the alphabet, capitals first.
func Letters() []Letter { return letters[:] }

func letterOf(c byte) *Letter {
	for i := range letters {
		if letters[i].Letter == c {
			return &letters[i]
		}
	}
	return nil
}

func hex(v uint64, _ int) string        { return strconv.FormatUint(v, 16) }
func octal(v uint64, _ int) string      { return strconv.FormatUint(v, 8) }
func decimal(v uint64, _ int) string    { return strconv.FormatUint(v, 10) }
func binary2(v uint64, _ int) string    { return strconv.FormatUint(v, 2) }
func inRadix(v uint64, rad int) string  { return strconv.FormatUint(v, rad) }
func octalSharp(v uint64, _ int) string { return fmt.Sprintf("%#o", v) }

// signed returns a form of the low size bytes of a value taken as signed.
func signed(size, radix int) func(uint64, int) string {
	shift := uint(64 - 8*size)
	return func(v uint64, _ int) string { return strconv.FormatInt(int64(v<<shift)>>shift, radix) }
}

func swapped(size int) func(uint64, int) string {
	return func(v uint64, _ int) string { return hex(bits.ReverseBytes64(v)>>uint(64-8*size), 16) }
}

func float32Text(v uint64, _ int) string {
	return fmt.Sprintf("%e", math.Float32frombits(uint32(v)))
}

func float64Text(v uint64, _ int) string {
	return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
}

// timeText is MDB's form of a time, in UTC: a core may come from anywhere.
func timeText(v uint64, _ int) string {
	const year9999 = 253402300799
	if int64(v) > year9999 || int64(v) < -year9999 {
		return strconv.FormatInt(int64(v), 10)
	}
	return time.Unix(int64(v), 0).UTC().Format("2006 Jan _2 15:04:05")
}

func time32Text(v uint64, _ int) string { return timeText(uint64(int64(int32(v))), 0) }

func charText(v uint64, _ int) string   { return string([]byte{byte(v)}) }
func escapeText(v uint64, _ int) string { return escapeByte(byte(v), 0) }

// letters is the table of mdb_fmt.c.
var letters = [...]Letter{
	{'+', 0, "move dot forward by the count, in bytes", 0, nil},
	{'-', 0, "move dot back by the count, in bytes", 0, nil},
	{'B', 1, "hexadecimal int", 8, hex},
	{'C', 1, "character, with C escapes", 0, escapeText},
	{'D', 4, "decimal signed int", 16, signed(4, 10)},
	{'E', 8, "decimal unsigned long long", 16, decimal},
	{'F', 8, "double", 16, float64Text},
	{'G', 8, "octal unsigned long long", 16, octal},
	{'H', 4, "hexadecimal int with its bytes swapped", 16, swapped(4)},
	{'I', 0, "address, bytes and instruction", 0, nil},
	{'J', 8, "hexadecimal long long", 16, hex},
	{'K', -1, "hexadecimal pointer", 16, hex},
	{'N', 0, "newline", 0, nil},
	{'O', 4, "octal unsigned int", 16, octalSharp},
	{'P', -1, "symbol", 16, nil},
	{'Q', 4, "octal signed int", 16, signed(4, 8)},
	{'R', 8, "binary", 64, binary2},
	{'S', 0, "string, with C escapes, to its NUL", 0, nil},
	{'T', 0, "tab", 0, nil},
	{'U', 4, "decimal unsigned int", 16, decimal},
	{'V', 1, "decimal unsigned int", 8, decimal},
	{'W', 4, "default radix unsigned int", 16, inRadix},
	{'X', 4, "hexadecimal int", 16, hex},
	{'Y', 4, "decoded time32_t, in UTC", 24, time32Text},
	{'Z', 8, "hexadecimal long long", 16, hex},
	{'^', 0, "move dot back by the increment times the count", 0, nil},
	{'a', 0, "dot as symbol+offset", 0, nil},
	{'b', 1, "octal unsigned int", 8, octalSharp},
	{'c', 1, "character", 0, charText},
	{'d', 2, "decimal signed short", 8, signed(2, 10)},
	{'e', 8, "decimal signed long long", 16, signed(8, 10)},
	{'f', 4, "float", 16, float32Text},
	{'g', 8, "octal signed long long", 16, signed(8, 8)},
	{'h', 2, "hexadecimal short with its bytes swapped", 8, swapped(2)},
	{'i', 0, "instruction", 0, nil},
	{'n', 0, "newline", 0, nil},
	{'o', 2, "octal unsigned short", 8, octalSharp},
	{'p', -1, "symbol", 16, nil},
	{'q', 2, "octal signed short", 8, signed(2, 8)},
	{'r', 0, "blank", 0, nil},
	{'s', 0, "string, to its NUL", 0, nil},
	{'t', 0, "tab", 0, nil},
	{'u', 2, "decimal unsigned short", 8, decimal},
	{'v', 1, "decimal signed int", 8, signed(1, 10)},
	{'w', 2, "default radix unsigned short", 8, inRadix},
	{'x', 2, "hexadecimal short", 8, hex},
	{'y', 8, "decoded time64_t, in UTC", 24, timeText},
}
