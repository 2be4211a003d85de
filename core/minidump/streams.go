package minidump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"coredbg/core"
)

// A stream is an entry of the directory.
type stream struct {
	typ streamType
	loc location
}

func (s stream) name() string {
	if n := streamNames[s.typ]; n != "" {
		return n
	}
	return fmt.Sprintf("stream %#x", uint32(s.typ))
}

// A reader reads the file of a dump: its directory, its streams, and the lists and strings in them. It adds warnings to
// the process about records that make no sense or that the file does not hold whole.
type reader struct {
	src     core.Source
	p       *core.Process
	cpu     uint16
	streams []stream

	needed uint64         // the file size that is called for
	cut    map[string]int // records that the file does not hold whole
	warned int
	// strings is how many bytes of strings were read: streams may ask for any number.
	strings uint64
	spent   bool
}

// newReader returns a reader of src. It reads the directory, and adds the system and the processor to p.
func newReader(src core.Source, p *core.Process) (*reader, *core.FormatError) {
	r := &reader{src: src, p: p, cut: map[string]int{}}
	if err := r.directory(); err != nil {
		return nil, err
	}
	r.system()
	return r, nil
}

// directory reads the header and the directory of streams.
func (r *reader) directory() *core.FormatError {
	h := r.slice(0, headerSize)
	if len(h) < headerSize {
		return &core.FormatError{Off: 0, Msg: fmt.Sprintf("a minidump of %d bytes: its header alone takes %d",
			r.src.Size(), headerSize)}
	}
	if v := le.Uint16(h[4:]); v != 0xa793 {
		return &core.FormatError{Off: 4, Msg: "a minidump of a version that is not known:", Val: v}
	}
	r.p.Written = seconds(h[20:])
	count, rva := uint64(le.Uint32(h[8:])), uint64(le.Uint32(h[12:]))
	table := r.slice(rva, min(count, maxStreams)*directorySize)
	have := uint64(len(table) / directorySize)
	if have == 0 {
		return &core.FormatError{Off: int64(rva), Msg: "a minidump without streams: its directory is not in the file,"}
	}
	if have < count {
		r.p.Warn("directory", fmt.Sprintf("only %d of %d streams can be read", have, count))
		if count <= maxStreams {
			r.need(rva+count*directorySize, "the directory")
		}
	}
	seen := map[streamType]bool{}
	for i := range int(have) {
		e := table[i*directorySize:]
		s := stream{streamType(le.Uint32(e)), locationAt(e[4:])}
		if s.typ == 0 {
			continue // UnusedStream
		}
		// LLDB writes an Exception for each thread that has one.
		if seen[s.typ] && s.typ != exceptionInfo {
			r.warn(s.name(), rva+uint64(i*directorySize), "it is there twice, and the first counts; the second is")
			continue
		}
		seen[s.typ] = true
		r.streams = append(r.streams, s)
	}
	return nil
}

// find returns the stream of a type.
func (r *reader) find(t streamType) (stream, bool) {
	for _, s := range r.streams {
		if s.typ == t {
			return s, true
		}
	}
	return stream{}, false
}

// data returns the bytes of a stream, as far as the file has them.
func (r *reader) data(s stream) []byte { return r.slice(uint64(s.loc.rva), uint64(s.loc.size)) }

// system reads SystemInfo.
func (r *reader) system() {
	s, ok := r.find(systemInfo)
	if !ok {
		return
	}
	d := r.data(s)
	if len(d) < systemInfoSize {
		r.p.Warn(s.name(), fmt.Sprintf("%d bytes are too few", len(d)))
		return
	}
	r.cpu = le.Uint16(d)
	switch platform := le.Uint32(d[20:]); {
	case platform <= platformWinCE:
		r.p.OS = "windows"
	case platform == platformMac, platform == platformIOS:
		r.p.OS = "darwin"
	case platform == platformLinux, platform == platformDroid, platform == platformUnix:
		r.p.OS = "linux"
	default:
		r.p.OS = fmt.Sprintf("system %#x", platform)
	}
	if a := archOf(r.cpu); a != nil {
		r.p.Arch, r.p.Machine, r.p.PtrSize = a, a.Name, a.PtrSize
	} else {
		r.p.Machine = fmt.Sprintf("processor %#x", r.cpu)
		r.p.Warn(s.name(), fmt.Sprintf("registers of %s are not known: only mappings and memory are shown",
			r.p.Machine))
	}
}

// seconds reads a time_t of 32 bits, as writers have it who know no other; zero if it is 0.
func seconds(d []byte) time.Time {
	if n := le.Uint32(d); n != 0 {
		return time.Unix(int64(n), 0).UTC()
	}
	return time.Time{}
}

// warnCut says that the dump is not whole.
func (r *reader) warnCut() {
	if len(r.cut) == 0 {
		return
	}
	var of []string
	for what, n := range r.cut {
		of = append(of, fmt.Sprintf("%s (%d)", what, n))
	}
	slices.Sort(of)
	r.p.WarnCut(fmt.Sprintf("the dump is cut short, or lies about where things are: the file has %d bytes, and should have %d; not whole: %s",
		r.src.Size(), r.needed, strings.Join(of, ", ")))
}
