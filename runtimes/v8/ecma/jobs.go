package ecma

// RunLater runs code after what is running now.
func RunLater(m *Machine, code func(m *Machine)) { m.jobs = append(m.jobs, code) }

// RunJobs runs what was to run later, until nothing is left.
func (m *Machine) RunJobs() { RunJobs(m, func() bool { return false }) }

// RunJobs runs what was to run later, until nothing is left or it is enough.
func RunJobs(m *Machine, enough func() bool) {
	for len(m.jobs) > 0 && !enough() {
		job := m.jobs[0]
		m.jobs = m.jobs[1:]
		m.Step()
		job(m)
	}
}
