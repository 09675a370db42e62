package audio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/audio/csv"
)

// Format is a format that Open does not support without an import. Packages register such
// formats when they are imported, so programs that do not import them do not contain their
// decoders:
//
//	import _ "github.com/twiddle-go/twiddle/audio/mp3"
//	import _ "github.com/twiddle-go/twiddle/audio/vorbis"
type Format struct {
	Name string
	// Match reports whether a file of this format can begin so: with up to 16 bytes.
	Match func(start []byte) bool
	// Open reads the beginning of a file, which is an io.Seeker too unless it is a
	// pipe. The caller closes the file.
	Open func(r io.Reader) (Reader, Info, error)
}

var registered struct {
	sync.RWMutex
	list []Format
}

// Register adds a format for Open. It replaces a format of the same name.
func Register(f Format) error {
	if f.Name == "" || f.Match == nil || f.Open == nil {
		return errors.New("audio: register: a format needs Name, Match and Open")
	}
	registered.Lock()
	defer registered.Unlock()
	list := slices.Clone(registered.list) // Open may be reading the other
	if i := slices.IndexFunc(list, func(g Format) bool { return g.Name == f.Name }); i >= 0 {
		list[i] = f
	} else {
		list = append(list, f)
	}
	registered.list = list
	return nil
}

// openRegistered opens a file of a registered format, or else a table. Without one, the
// error says which package to import, if it is known.
func openRegistered(r io.Reader, c io.Closer, start []byte, o Options) (*File, error) {
	registered.RLock()
	list := registered.list
	registered.RUnlock()
	for _, f := range list {
		if !f.Match(start) {
			continue
		}
		reader, info, err := f.Open(r)
		if err == nil && (reader == nil || info.Channels < 1) {
			err = fmt.Errorf("audio: format %s opened no recording", f.Name)
		}
		if err != nil {
			return nil, err
		}
		if _, ok := reader.(FrameSeeker); ok {
			return &File{Reader: closing{reader, c}, Info: info}, nil
		}
		return &File{Reader: forward{reader, c}, Info: info}, nil
	}
	begins := func(s string) bool { return bytes.HasPrefix(start, []byte(s)) }
	const hint = "audio: offset 0: %s: a program reads it if it imports github.com/twiddle-go/twiddle/audio/%s"
	switch {
	case begins("OggS"):
		return nil, fmt.Errorf(hint, "an Ogg file", "vorbis")
	case begins("ID3"), len(start) > 1 && start[0] == 0xff && start[1]&0xe6 == 0xe2:
		return nil, fmt.Errorf(hint, "an MP3 file", "mp3")
	}
	f, err := openCSV(r, c, o)
	if !errors.Is(err, csv.ErrNoTable) || o.table {
		return f, err
	}
	others := ""
	for _, f := range list {
		others += ", " + f.Name
	}
	return nil, fmt.Errorf("audio: offset 0: neither WAV, FLAC%s, .npy, .npz nor a table: it starts with %q (%w)", others, start[:min(len(start), 6)], csv.ErrNoTable)
}

// forward is closing for readers that cannot seek.
type forward struct {
	Reader
	file io.Closer
}

func (f forward) Close() error { return errors.Join(f.Reader.Close(), f.file.Close()) }

// maxTag is how long an ID3 tag before a FLAC stream may be to be looked behind of in a
// pipe: pictures of albums have a few MB.
const maxTag = 1 << 24

// tagged reports whether an ID3 tag, whose first bytes are given, is in front of FLAC,
// which some programs write. The second result reads what the first did.
func tagged(r io.Reader, in *os.File, start []byte) (isFLAC bool, rest io.Reader) {
	if len(start) < 10 {
		return false, r
	}
	size := 10 // the length has seven bits in a byte
	for i, b := range start[6:10] {
		size += int(b&0x7f) << (7 * (3 - i))
	}
	magic := make([]byte, 4)
	if r == io.Reader(in) {
		n, _ := in.ReadAt(magic, int64(size))
		return string(magic[:n]) == "fLaC", r
	}
	b := bufio.NewReaderSize(r, min(size+4, maxTag))
	ahead, _ := b.Peek(size + 4)
	return len(ahead) > size && string(ahead[size:]) == "fLaC", b
}
