package js

import "strings"

// lasting are the beginnings of texts that ask for the state of the process or of its clock, and the lines
// that show it.
var lasting = []struct{ text, line string }{
	{"process.memoryUsage()", "::memory"},
	{"performance.memory", "::v8heap"},
	{"performance.measureUserAgentSpecificMemory", "::v8heap"},
	{"v8.getHeapStatistics()", "::v8heap"},
	{"v8.getHeapSpaceStatistics()", "::v8spaces"},
	{"require('v8').getHeap", "::v8heap"},
	{`require("v8").getHeap`, "::v8heap"},
	{"process._getActiveHandles()", "::handles"},
	{"process.getActiveResourcesInfo()", "::handles"},
	{"process._getActiveRequests()", "::requests"},
	{"performance.", "::status"},
	{"process.exit(", "::status"},
	{"process.abort(", "::status"},
	{"process.kill(", "::status"},
	{"process.uptime()", "::status"},
	{"process.hrtime", "::status"},
	{"Date.now()", "::status"},
	{"new Date()", "::status"},
	{"console.clear(", "::status"},
	{"console.count(", "::status"},
	{"console.countReset(", "::status"},
	{"console.time", "::status"},
	{"console.group", "::status"},
	{"console.assert(", "::status"},
}

// unanswered returns the members that a text asks for, if the line shows the whole table: ".rss" for
// "process.memoryUsage().rss".
func unanswered(text, line string) string {
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	for _, l := range lasting {
		rest, is := strings.CutPrefix(text, l.text)
		if is && l.line == line && (strings.HasSuffix(l.text, ")") || strings.HasSuffix(l.text, ".memory")) {
			return rest
		}
	}
	return ""
}
