// Package analyze says what is in a recording: levels, the power spectrum, the
// tones that stand out of it, and how both run in time. It reads the recording
// once and in constant memory, whatever its length.
//
//	f, err := audio.Open("machine.wav")
//	r, err := analyze.Recording(ctx, f)
//	for _, p := range r.Peaks {
//		fmt.Println(p.Frequency, p.Level)
//	}
//
// Levels are in decibels against a sine of amplitude 1, which for files of
// integers is full scale.
package analyze
