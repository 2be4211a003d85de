package bugs

import "testing"

// TestSignFull: the holder is the bug, together with the class if the holder does not belong to the
// program. Numbers and classes that differ from one core to the next do not count.
func TestSignFull(t *testing.T) {
	r := DefaultRules()
	sign := func(s Suspect) *Signature {
		return r.SignFull(JSHeapLimit, []Suspect{s},
			&Program{Name: "node", Args: []string{"node", "--x", "/srv/app.js"}}, Whole)
	}
	byURL := Holder{Name: "byUrl of ResponseCache", File: "cache.js", Own: true}
	session := Suspect{Class: "Session", File: "app-0a1b2c3d4e.js", Holders: []Holder{byURL},
		Text: "5 objects of Session keep 80% of the heap"}
	a := sign(session)
	if a.Name != "js-heap-limit | Session app.js in byUrl of ResponseCache" {
		t.Errorf("%q", a.Name)
	}
	session.File, session.Text = "app.js", "7 objects of Session keep 60% of the heap"
	if b := sign(session); b.Coarse != a.Coarse || b.Fine != a.Fine {
		t.Errorf("%+v, %+v", a, b)
	}
	session.Class = "Map"
	if b := sign(session); b.Coarse != a.Coarse || b.Fine == a.Fine {
		t.Errorf("another class in the same holder: %+v, %+v", a, b)
	}
	session.Holders = []Holder{{Name: "queue of Worker", File: "cache.js", Own: true}}
	if b := sign(session); b.Coarse == a.Coarse {
		t.Errorf("%+v: another holder is the same bug", b)
	}
	lib := Holder{Name: "requests of Agent", File: "_http_agent"}
	one, two := Suspect{Class: "ClientRequest", Holders: []Holder{lib, byURL}},
		Suspect{Class: "ClientRequest", Holders: []Holder{lib, {Name: "agent of Client", File: "client.js", Own: true}}}
	if sign(one).Coarse == sign(two).Coarse {
		t.Error("what a library holds for two of the program is one bug")
	}
	if sign(Suspect{Class: "Object", Holders: []Holder{lib}}).Coarse == sign(Suspect{Class: "Array",
		Holders: []Holder{lib}}).Coarse {
		t.Error("two classes that a library holds are one bug")
	}
	other := r.SignFull(JSHeapLimit, []Suspect{{Class: "Object"}},
		&Program{Name: "node", Args: []string{"node", "/srv/other.js"}}, Whole)
	if other.Coarse == sign(Suspect{Class: "Object"}).Coarse {
		t.Error("plain objects of two programs are one bug")
	}
	if d := r.SignFull(JSHeapLimit, nil, nil, Whole); d.Coarse != "" ||
		d.Name != "js-heap-limit | what fills the heap is not known" {
		t.Errorf("%+v", d)
	}
	if d := r.SignFull(JSHeapLimit, []Suspect{session}, nil, Part); d.Coarse != "" || d.Fine != "" {
		t.Errorf("%+v: a part of a heap has a key", d)
	}
	one, two = Suspect{Class: "Session", File: "app.js", Text: "17% of the bytes"},
		Suspect{Class: "Job", File: "app.js"}
	first := r.SignFull(JSHeapLimit, []Suspect{one}, nil, Largest)
	one.Text, one.File = "19% of the bytes", "app-0a1b2c3d4e.js"
	if d := r.SignFull(JSHeapLimit, []Suspect{one}, nil, Largest); d.Coarse == "" || d.Coarse != first.Coarse ||
		d.Name != "js-heap-limit | Session app.js, by its class alone" {
		t.Errorf("two cores of a leak in large heaps: %+v, %+v", d, first)
	}
	if d := r.SignFull(JSHeapLimit, []Suspect{two}, nil, Largest); d.Coarse == first.Coarse || d.Coarse == "" {
		t.Errorf("another class: %+v", d)
	}
	if d := r.SignFull(JSHeapLimit, []Suspect{{Class: "Object"}}, nil, Largest); d.Coarse != "" {
		t.Errorf("%+v: plain objects of a part of a heap have a key", d)
	}
	if d := sign(one); d.Coarse == first.Coarse {
		t.Errorf("%+v: a class alone is as sure as its holder", d)
	}
}
