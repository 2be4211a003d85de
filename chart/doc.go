// Package chart draws trees of named weights as SVG: flame graphs, which show the nesting of nodes, and
// treemaps, which show the large ones. It does not know the meaning of weights: bytes of a heap,
// threads by their stacks.
//
//	node.go      Node: a tree of weights
//	box.go       the boxes to draw: weights added up, small ones folded
//	drawing.go   Drawing: titles, units and limits; the file's head, its colours
//	flame.go     Flame, with a script that zooms
//	treemap.go   Treemap, by the squarified algorithm of Bruls, Huizing and van Wijk (2000)
//	screen.go    Screen: a session in a terminal
//	text.go      names as text of XML
//
// A drawing is one file that needs nothing else: its one script is in it, and reads well
// without. Colours follow the reader's light or dark scheme. Names may be hostile: whatever is
// not a printable character is written as an escape, and no name is ever markup.
//
// LIMITATIONS: nodes deeper than 256 levels are counted but not drawn. Labels are cut by the
// width of a monospaced font; a label in another one may touch the edge of its box.
package chart
