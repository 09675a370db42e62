package audio

import (
	"fmt"
	"io"
)

// FrameSeeker is a Reader that can go to any frame without reading those before it.
type FrameSeeker interface {
	SeekFrame(frame int64) error
}

// SeekFrame makes the given frame the next one to be read. Files go there
// directly; packed .npz files are unpacked from the beginning. From a pipe the
// frames in between are read, so it is for pipes that have not been read from yet.
func (f *File) SeekFrame(frame int64) error {
	if s, ok := f.Reader.(FrameSeeker); ok {
		if err := s.SeekFrame(frame); err != nil {
			return fmt.Errorf("%w (%s)", err, f.name)
		}
		return nil
	}
	if frame < 0 || f.Info.Frames >= 0 && frame > f.Info.Frames {
		return fmt.Errorf("audio: seek: frame %d of %d (%s)", frame, f.Info.Frames, f.name)
	}
	room := newRoom[float32](f, 1<<16)
	for frame > 0 {
		n, err := f.Read(room[:min(int64(len(room)), frame*int64(f.Info.Channels))])
		frame -= int64(n)
		if err == io.EOF {
			return nil // there is nothing to read there
		}
		if err != nil {
			return fmt.Errorf("%w (%s)", err, f.name)
		}
	}
	return nil
}
