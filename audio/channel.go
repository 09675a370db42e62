package audio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// choose leaves the channels of a recording that Options name, or their mean.
func (f *File) choose(o Options) error {
	if o.Channel == "" && !o.Mono {
		return nil
	}
	c := &chosen{Reader: f.Reader, of: f.Info.Channels, mono: o.Mono}
	var err error
	if c.list, err = channelList(o.Channel, c.of); err != nil {
		return err
	}
	var names []string
	for _, i := range c.list {
		if f.channels != nil {
			names = append(names, f.channels[i])
		} else {
			names = append(names, fmt.Sprintf("channel %d", i+1))
		}
	}
	if c.mono && len(c.list) > 1 {
		names = []string{fmt.Sprintf("mean of %d channels", len(c.list))}
		f.Info.Encoding = "mean of " + f.Info.Encoding // rounded to more bits
	}
	f.channels, f.Info.Channels = names, len(names)
	f.Reader = c
	if s, ok := c.Reader.(FrameSeeker); ok {
		f.Reader = chosenSeeker{c, s}
	}
	return nil
}

// channelList is indices of channels, all if there is no text.
func channelList(text string, count int) ([]int, error) {
	var list []int
	if text == "" {
		for i := range count {
			list = append(list, i)
		}
		return list, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		switch {
		case err != nil:
			return nil, fmt.Errorf("audio: channel %q: want numbers from 1, such as 2 or 1,3", text)
		case n < 1:
			return nil, fmt.Errorf("audio: channel %d: channels count from 1", n)
		case n > count && count == 1:
			return nil, fmt.Errorf("audio: channel %d: there is only one", n)
		case n > count:
			return nil, fmt.Errorf("audio: channel %d: there are %d", n, count)
		case slices.Contains(list, n-1):
			return nil, fmt.Errorf("audio: channel %d twice", n)
		}
		list = append(list, n-1)
	}
	return list, nil
}

// chosen reads some channels of a recording, or their mean.
type chosen struct {
	Reader
	of     int // channels of the recording
	list   []int
	mono   bool
	narrow []float32
	wide   []float64
}

type chosenSeeker struct {
	*chosen
	FrameSeeker
}

func (c *chosen) Read(dst []float32) (int, error) {
	return readChosen(c, dst, &c.narrow, c.Reader.Read)
}

func (c *chosen) Read64(dst []float64) (int, error) {
	return readChosen(c, dst, &c.wide, c.Reader.Read64)
}

func readChosen[T float32 | float64](c *chosen, dst []T, room *[]T, read func([]T) (int, error)) (int, error) {
	each := len(c.list)
	if c.mono {
		each = 1
	}
	want := min(len(dst)/each, max(1, maxRoom/c.of))
	if want == 0 {
		return 0, fmt.Errorf("audio: read: room for %d samples, a frame has %d", len(dst), each)
	}
	*room = slices.Grow((*room)[:0], want*c.of)[:want*c.of]
	n, err := read(*room)
	for i := range n {
		frame := (*room)[i*c.of : (i+1)*c.of]
		if c.mono {
			var sum float64
			for _, k := range c.list {
				sum += float64(frame[k])
			}
			dst[i] = T(sum / float64(len(c.list)))
			continue
		}
		for j, k := range c.list {
			dst[i*each+j] = frame[k]
		}
	}
	return n, err
}
