package main

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[CoreRow]())
	beam.RegisterType(reflect.TypeFor[BugRow]())
}

// A CoreRow is a core's line as a row of Parquet; docs/json.md says what the columns hold.
type CoreRow struct {
	Core       string `parquet:"name=core, type=BYTE_ARRAY, convertedtype=UTF8"`
	SHA256     string `parquet:"name=sha256, type=BYTE_ARRAY, convertedtype=UTF8"`
	Size       int64  `parquet:"name=size, type=INT64"`
	Modified   string `parquet:"name=modified, type=BYTE_ARRAY, convertedtype=UTF8"`
	Status     string `parquet:"name=status, type=BYTE_ARRAY, convertedtype=UTF8"`
	Error      string `parquet:"name=error, type=BYTE_ARRAY, convertedtype=UTF8"`
	Program    string `parquet:"name=program, type=BYTE_ARRAY, convertedtype=UTF8"`
	Exe        string `parquet:"name=exe, type=BYTE_ARRAY, convertedtype=UTF8"`
	Arch       string `parquet:"name=arch, type=BYTE_ARRAY, convertedtype=UTF8"`
	OS         string `parquet:"name=os, type=BYTE_ARRAY, convertedtype=UTF8"`
	Runtimes   string `parquet:"name=runtimes, type=BYTE_ARRAY, convertedtype=UTF8"`
	PID        int64  `parquet:"name=pid, type=INT64"`
	Signal     string `parquet:"name=signal, type=BYTE_ARRAY, convertedtype=UTF8"`
	Code       string `parquet:"name=code, type=BYTE_ARRAY, convertedtype=UTF8"`
	Cause      string `parquet:"name=cause, type=BYTE_ARRAY, convertedtype=UTF8"`
	Title      string `parquet:"name=title, type=BYTE_ARRAY, convertedtype=UTF8"`
	Confidence string `parquet:"name=confidence, type=BYTE_ARRAY, convertedtype=UTF8"`
	Signature  string `parquet:"name=signature, type=BYTE_ARRAY, convertedtype=UTF8"`
	Coarse     string `parquet:"name=coarse, type=BYTE_ARRAY, convertedtype=UTF8"`
	Fine       string `parquet:"name=fine, type=BYTE_ARRAY, convertedtype=UTF8"`
	Rules      int64  `parquet:"name=rules, type=INT64"`
	Frames     string `parquet:"name=frames, type=BYTE_ARRAY, convertedtype=UTF8"` // JSON, innermost first
}

// coreRow makes a row of a line.
func coreRow(text string) (CoreRow, error) {
	l, err := lineOf(text)
	if err != nil {
		return CoreRow{}, err
	}
	frames := ""
	if l.Thread != nil {
		b, err := json.Marshal(l.Thread.Frames)
		if err != nil {
			return CoreRow{}, err
		}
		frames = string(b)
	}
	return CoreRow{Core: l.Core, SHA256: l.SHA256, Size: l.Size, Modified: l.Modified, Status: string(l.Status),
		Error:   l.Error,
		Program: l.Program, Exe: l.Exe, Arch: l.Arch, OS: l.OS, Runtimes: strings.Join(l.Runtimes, ", "),
		PID:    int64(l.PID),
		Signal: l.Signal, Code: l.Code, Cause: string(l.Cause), Title: l.Title, Confidence: l.Confidence,
		Signature: l.Signature, Coarse: l.Coarse, Fine: l.Fine, Rules: int64(l.Rules), Frames: frames}, nil
}

// A BugRow is a bug as a row of Parquet.
type BugRow struct {
	Key        string `parquet:"name=key, type=BYTE_ARRAY, convertedtype=UTF8"`
	Name       string `parquet:"name=name, type=BYTE_ARRAY, convertedtype=UTF8"`
	Count      int64  `parquet:"name=count, type=INT64"`
	First      string `parquet:"name=first, type=BYTE_ARRAY, convertedtype=UTF8"`
	Last       string `parquet:"name=last, type=BYTE_ARRAY, convertedtype=UTF8"`
	Cause      string `parquet:"name=cause, type=BYTE_ARRAY, convertedtype=UTF8"`
	Confidence string `parquet:"name=confidence, type=BYTE_ARRAY, convertedtype=UTF8"`
	Status     string `parquet:"name=status, type=BYTE_ARRAY, convertedtype=UTF8"`
	Title      string `parquet:"name=title, type=BYTE_ARRAY, convertedtype=UTF8"`
	Signal     string `parquet:"name=signal, type=BYTE_ARRAY, convertedtype=UTF8"`
	Programs   string `parquet:"name=programs, type=BYTE_ARRAY, convertedtype=UTF8"`
	Example    string `parquet:"name=example, type=BYTE_ARRAY, convertedtype=UTF8"`
}

// bugRow makes a row of a bug.
func bugRow(text string) (BugRow, error) {
	b, err := bugOf(text)
	if err != nil {
		return BugRow{}, err
	}
	return BugRow{Key: b.Key, Name: b.Name, Count: int64(b.Count), First: b.First, Last: b.Last, Cause: string(b.Cause),
		Confidence: b.Confidence, Status: string(b.Status), Title: b.Title, Signal: b.Signal,
		Programs: strings.Join(b.Programs, ", "), Example: b.Example}, nil
}
