package audio

// Extensions is how the names of files end that Open reads, in small letters. For those
// of MP3 and Ogg Vorbis a program has to import their packages.
func Extensions() []string {
	return []string{".wav", ".wave", ".rf64", ".bw64", ".flac", ".mp3", ".ogg", ".oga", ".npy", ".npz", ".csv", ".tsv"}
}
