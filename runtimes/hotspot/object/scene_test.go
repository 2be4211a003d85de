package object

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/vmstructs"
)

// Where the scene of the tests is: classes, their constant pool, symbols, the list of their fields, objects.
const (
	klassAt  = 0x10000
	poolAt   = 0x11000
	tagsAt   = 0x11800
	symbolAt = 0x12000
	listAt   = 0x14000
	objectAt = 0x20000
	arraysAt = 0x15000 // the Klass of int[]
	charsAt  = 0x16000 // of byte[]
	stringAt = 0x17000 // of java.lang.String
)

// Offsets of the scene, which are none of a version's.
const (
	sceneName, sceneHelper, sceneSuper, sceneAccess, scenePool, sceneList = 0x18, 0x8, 0x20, 0x28, 0x30, 0x38
	scenePoolLength, scenePoolTags, scenePoolSize                         = 0x8, 0x10, 0x40
)

// A scene is a class with fields, in memory that the tests make.
type scene struct {
	b       *coretest.Builder
	symbols int
}

func newScene() *scene { return &scene{b: coretest.New(core.AMD64)} }

// symbol writes a Symbol and returns where it is.
func (s *scene) symbol(text string) core.Addr {
	at := core.Addr(symbolAt + 0x40*s.symbols)
	s.symbols++
	data := binary.LittleEndian.AppendUint16(nil, uint16(len(text)))
	s.b.Map(at, append(append(data, 0, 0, 0, 0), text...))
	return at
}

// pool writes a constant pool of names, from index 1 on.
func (s *scene) pool(names ...string) {
	s.b.Words(poolAt+scenePoolLength, uint64(len(names)+1), tagsAt)
	tags := make([]byte, 4+len(names)+1)
	words := []uint64{0}
	for i, n := range names {
		tags[4+i+1] = 1
		words = append(words, uint64(s.symbol(n)))
	}
	s.b.Map(tagsAt, tags).Words(poolAt+scenePoolSize, words...)
}

// klass writes a class.
func (s *scene) klass(at core.Addr, name string, helper uint32) {
	s.b.Words(at+8, uint64(helper), 0, uint64(s.symbol(name)), 0, 0, poolAt, listAt, 0)
}

// reader returns a reader of the scene. Lists of fields are streams or arrays.
func (s *scene) reader(java int, stream bool) *Reader {
	r := NewReader(&vmstructs.Tables{Process: s.b.Process()})
	r.java = java
	r.o = offsets{symbolBody: 6, klassName: sceneName, poolLength: scenePoolLength, poolTags: scenePoolTags,
		poolSize: scenePoolSize, tagData: 4}
	r.h = heapOffsets{klass: 8, mirrorKlass: -1, mirrorArray: -1, mirrorSize: -1, loaderData: -1, elementKlass: -1,
		transitiveInterfaces: -1, methods: -1,
		pool: scenePool, fields: sceneList, fieldInfo: -1, javaFields: 0x40, u1Data: 4, u2Data: 4, wordsData: 8,
		narrowKlass: true, narrowOop: true, oopShift: 3,
		layoutHelper: vmstructs.Field{Type: "jint", Offset: sceneHelper},
		super:        vmstructs.Field{Type: "Klass*", Offset: sceneSuper},
		klassAccess:  vmstructs.Field{Type: "u2", Offset: sceneAccess},
		initState:    vmstructs.Field{Type: "u1", Offset: 0x44}}
	if stream {
		r.h.fieldInfo = sceneList
	}
	return r
}
