package dwarf

// call runs the location of another entry on the same stack (DWARF 5, section 2.5.1.5). An entry without
// a location does nothing.
func (x *evaluator) call(r ref) error {
	e := r.entry()
	if e == nil || x.calls >= maxEntry {
		return errExpression
	}
	expr, ok := e.attr(atLocation).Block()
	if !ok {
		return nil
	}
	u := x.u
	x.u = e.u
	x.calls++
	err := x.steps(expr)
	x.calls--
	x.u = u
	return err
}
