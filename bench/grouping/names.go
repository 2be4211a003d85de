package main

import "math/rand/v2"

var verbs = []string{"load", "parse", "flush", "merge", "resolve", "encode", "decode", "schedule", "notify",
	"commit", "evict",
	"render", "scan", "split", "attach", "release", "verify", "update", "collect", "route", "expand", "import",
	"measure", "query", "sign"}

var nouns = []string{"header", "token", "session", "buffer", "index", "record", "packet", "account", "cursor",
	"layout", "region",
	"manifest", "ticket", "segment", "profile", "channel", "widget", "catalog", "journal", "policy", "stanza", "volume",
	"digest", "outline"}

// names gives names, none twice.
type names struct {
	r    *rand.Rand
	used map[string]bool
}

func (n *names) next() (verb, noun string) {
	for {
		verb, noun = verbs[n.r.IntN(len(verbs))], nouns[n.r.IntN(len(nouns))]
		if !n.used[verb+noun] {
			n.used[verb+noun] = true
			return verb, noun
		}
	}
}
