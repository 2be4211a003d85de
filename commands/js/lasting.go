package js

// lasting are the beginnings of texts whose functions would act on the process or on the console, and the lines that
// show what is left to show: those of the console return undefined.
var lasting = []struct{ text, line string }{
	{"process.exit(", "::status"},
	{"process.abort(", "::status"},
	{"process.kill(", "::status"},
	{"console.clear(", "!clear"},
	{"console.count(", "::jsprint undefined"},
	{"console.countReset(", "::jsprint undefined"},
	{"console.time", "::jsprint undefined"},
	{"console.group", "::jsprint undefined"},
	{"console.assert(", "::jsprint undefined"},
}
