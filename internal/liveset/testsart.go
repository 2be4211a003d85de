package liveset

var testsOfJava = []Test{
	{"runtimes/art", "TestDamagedObjects", []string{"art-*"}},
	{"runtimes/art", "TestLiveCodeInfo", []string{"art-*"}},
	{"runtimes/art", "TestLiveDexFiles", []string{"art-*"}},
	{"runtimes/art", "TestLiveGraph", []string{"art-*"}},
	{"runtimes/art", "TestLiveHprof", []string{"art-*"}},
	{"runtimes/art", "TestLiveHprofWitness", []string{"art-*-hprof"}},
	{"runtimes/art", "TestLiveLeaks", []string{"art-*"}},
	{"runtimes/art", "TestLiveQueries", []string{"art-*"}},
	{"runtimes/art", "TestLocksAgainstART", []string{"art-*"}},
	{"runtimes/art", "TestStacksAgainstART", []string{"art-*"}},
	{"runtimes/art", "TestStacksWithoutDex", []string{"art-*"}},
	{"runtimes/art", "TestStacksWithoutLibraries", []string{"art-*"}},
	{"runtimes/art", "TestVisualVM", []string{"art-*-amd64-*"}},
	{"runtimes/art", "TestVisualVMWitness", []string{"art-*-amd64-*-hprof"}},
	{"runtimes/hotspot", "TestLiveMachine", []string{"hotspot-*", "jvm-*"}},
	{"runtimes/hotspot", "TestLiveThreadDump", []string{"hotspot-*"}},
	{"runtimes/hotspot", "TestLiveLocksDump", []string{"jvm-*"}},
	{"runtimes/hotspot", "TestLiveThreadObjects", []string{"hotspot-*"}},
	{"runtimes/hotspot", "TestLiveThrown", []string{"java-thrown-*"}},
	{"runtimes/hotspot", "TestLiveValues", []string{"java-heap-*"}},
}
