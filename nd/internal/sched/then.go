package sched

// Then calls f, from any goroutine, once everything that was submitted to a
// stream so far is done. f must not block.
func (d *Device) Then(stream int, f func()) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	// Under the engine's lock nothing is half submitted.
	d.engine.mu.Lock()
	event := s.queue.Record()
	d.engine.mu.Unlock()
	event.Then(f)
	s.queue.Flush()
	return nil
}
