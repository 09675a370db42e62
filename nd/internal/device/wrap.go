package device

// Wrapper is implemented by devices that are another device with something changed.
type Wrapper interface{ Unwrap() Device }

// As finds an optional interface of a device, such as Pinner: its own, or else that of
// the device it wraps. Nothing else looks for them, so a wrapper hides none.
func As[T any](d Device) (T, bool) {
	for d != nil {
		if t, ok := d.(T); ok {
			return t, true
		}
		w, ok := d.(Wrapper)
		if !ok {
			break
		}
		d = w.Unwrap()
	}
	var none T
	return none, false
}

// Noter is implemented by devices that have something to tell their users, who need
// not act on it.
type Noter interface{ Notes() []string }
