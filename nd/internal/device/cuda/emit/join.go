package emit

// Join notes that a text uses what another one does.
func (u *Uses) Join(other *Uses) {
	for name := range other.parts {
		u.Part(name)
	}
}
