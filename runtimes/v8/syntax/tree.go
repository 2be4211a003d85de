package syntax

// A Kind says what a Node is.
type Kind uint8

// The kinds of nodes, with the fields that each uses.
const (
	Invalid Kind = iota

	Identifier // Text
	This
	Super
	Meta    // Text: "new.target" or "import.meta"
	Literal // Text: "true", "false", "null"
	Number  // Number
	String  // Text
	BigInt  // Text: digits
	Template
	// Template: List of String nodes, whose Flags are the text as it is written, and expressions in turn.
	Tagged   // A`B`
	Regexp   // Text: pattern; Flags
	Array    // List: elements; Hole, Spread
	Hole     // no element
	Object   // List of Property and Spread
	Property // A: key, B: value; Text: "init", "get" or "set"; Computed
	Function // Text: name; List: parameters; A: body, an expression for an Arrow
	Class    // Text: name; A: parent; List of Property
	Member   // A.Text; Optional
	Index    // A[B]; Optional
	Call     // A(List...); Optional
	Chain    // A: what an optional link inside ends
	New      // new A(List...)
	Unary    // Text: operator; A
	Update   // Text: "++" or "--"; A; Prefix
	Binary   // Text: operator; A, B
	Logical  // Text: "&&", "||", "??"; A, B
	Assign   // Text: operator; A: target, B: value. In a pattern: B is the default
	Conditional
	// Conditional: A ? B : C.
	Sequence // List
	Spread   // ...A
	Await    // A; Text: "await", "yield" or "yield*"

	Var        // Text: "var", "let", "const"; List of Assign, or of targets
	Expression // A, as a statement
	Return     // A, or nil
	Throw      // A
	If         // if (A) B else C
	For        // for (A; B; C) D
	ForIn      // for (A in B) C
	ForOf      // for (A of B) C; Async for "for await"
	While      // while (A) B
	Do         // do A while (B)
	Block      // List
	Try        // try A catch (B) C finally D
	Switch     // switch (A) List of Case
	Case       // A, nil for default; List
	Break      // Text: label
	Continue   // Text: label
	Labeled    // Text: label; A
	Declare    // A: Function or Class
	Empty
)

// A Node is a part of a program. Which fields are set depends on Kind.
type Node struct {
	Kind       Kind
	Text       string
	Flags      string
	Number     float64
	List       []*Node
	A, B, C, D *Node

	Optional, Computed, Prefix bool
	// Arrow, Async and Generator describe a Function.
	Arrow, Async, Generator bool
	// Static describes a Property of a Class.
	Static bool
	// Source is the text of a Function or Class, from its first word on; "" for one that was parsed from its
	// parameters on.
	Source string

	// Start and End are the extent in bytes of the text, for blocks, loops and switches, for bound names, and
	// for their values in an Assign, which is its B. For a Call, Tagged, New and Await, Start is the position
	// that V8 reports.
	Start, End int
}
