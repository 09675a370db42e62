package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
)

// noise is channels of it.
func noise(frames, channels int) []float32 {
	r := rand.New(rand.NewPCG(uint64(frames), uint64(channels)))
	x := make([]float32, frames*channels)
	for i := range x {
		x[i] = float32(0.1 * r.NormFloat64())
	}
	return x
}

// serve gives the address of a viewer of a source.
func serve(t *testing.T, source Source, opt Options) (string, *Server) {
	t.Helper()
	h, err := Handler(source, opt)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		s.Close()
	})
	return s.URL, h
}

// memory is a source of samples.
func memory(t *testing.T, rate float64, channels int, x []float32) Source {
	t.Helper()
	s, err := Samples("memory", rate, channels, x)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// page asks as the page does.
type page struct {
	t    *testing.T
	conn *websocket.Conn
}

func connect(t *testing.T, base string) *page {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), base+"/api/socket", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { conn.CloseNow() })
	return &page{t, conn}
}

func (p *page) send(v any) {
	p.t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = p.conn.Write(p.t.Context(), websocket.MessageText, text)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) read() (header, []byte) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	defer cancel()
	_, data, err := p.conn.Read(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	var h header
	n := binary.LittleEndian.Uint32(data)
	if err := json.Unmarshal(data[4:4+n], &h); err != nil {
		p.t.Fatal(err)
	}
	return h, data[4+n:]
}

// answers is everything up to done.
func (p *page) answers(panes ...pane) (tiles map[wanted][]uint16, heads []header) {
	p.t.Helper()
	p.send(request{Op: "want", Panes: panes})
	tiles = map[wanted][]uint16{}
	for {
		h, body := p.read()
		heads = append(heads, h)
		switch h.Op {
		case "done":
			return tiles, heads
		case "tile":
			levels := make([]uint16, len(body)/2)
			for i := range levels {
				levels[i] = binary.LittleEndian.Uint16(body[2*i:])
			}
			tiles[wanted{h.Level, h.Index, h.Coarse}] = levels
		}
	}
}

// slowLevels is a column computed the plain way.
func slowLevels(t *testing.T, x []float32, channels int, l look, level int, column int64) []float64 {
	t.Helper()
	w, err := l.window().Samples(l.N)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	r := l.runOf(level, column, 1)
	out := make([]float64, l.bins())
	for s := range r.count {
		power := make([]float64, l.bins())
		for c := range channels {
			line := make([]float64, l.N)
			for i := range line {
				if f := r.first + int64(s*r.hop+i); f >= 0 && f < int64(len(x)/channels) {
					line[i] = float64(x[f*int64(channels)+int64(c)]) * w[i]
				}
			}
			z, err := nd.Slice[float64](t.Context(), nd.From(line).RFFT().AbsSquared())
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range z {
				power[k] += v * 4 / (sum * sum) / float64(channels)
			}
		}
		for k, v := range power {
			if l.Mean {
				out[k] += v / float64(r.count)
			} else {
				out[k] = max(out[k], v)
			}
		}
	}
	for k, v := range out {
		out[k] = max(10*math.Log10(v), decibelFloor)
	}
	return out
}

// TestBlocks compares columns of all levels, computed on demand and by pyramids,
// with the plain way.
func TestBlocks(t *testing.T) {
	const frames, channels = 150000, 2
	x := noise(frames, channels)
	for _, l := range []look{
		{Channel: allChannels, Window: "hann", N: 256, Hop: 64}, {Channel: allChannels, Window: "hann", N: 256, Hop: 100, Mean: true},
		{Channel: allChannels, Window: "kaiser:8.6", N: 64, Hop: 64}, {Channel: allChannels, Window: "boxcar", N: 4096, Hop: 1},
	} {
		rec, err := memory(t, 8000, channels, x).Open("memory")
		if err != nil {
			t.Fatal(err)
		}
		a, err := newAnalyser(nd.CPU().Stream(), rec, l)
		if err != nil {
			t.Fatal(err)
		}
		p := newPyramid(l, Info{Frames: frames, Channels: channels, Rate: 8000}, 16)
		p.run(t.Context(), nd.CPU().Stream(), rec)
		if p.err != nil {
			t.Fatal(p.err)
		}
		for level := 0; l.columnsAt(level, frames) > 1; level += 2 {
			last := l.columnsAt(level, frames) - 1
			for _, column := range []int64{0, last / 2, last} {
				want := slowLevels(t, x, channels, l, level, column)
				b, err := a.compute(t.Context(), level, column/blockColumns, false)
				if err != nil {
					t.Fatal(err)
				}
				near(t, fmt.Sprintf("%+v level %d column %d", l, level, column), b.column(int(column%blockColumns)), want, 1, 0.3)
				if level < p.base || l.Mean && column == last || l.segments(level) != l.segments(p.base)<<(level-p.base) {
					continue // its last mean is that of what there is; where segments are longer than columns it has more of them
				}
				if b = p.block(level, column/blockColumns, frames); b == nil {
					t.Fatalf("%+v: the pyramid has no level %d", l, level)
				}
				// Its levels have halves of halves, rounded each time.
				near(t, fmt.Sprintf("%+v pyramid from %d, level %d column %d", l, p.base, level, column), b.column(int(column%blockColumns)), want, b.group, 0.5)
			}
		}
		extent := p.wave(p.waveBase+1, 0, frames)
		for i, e := range extent[:8] {
			span := 2 << p.waveBase * channels
			if want := extentOf(x[i*span:min((i+1)*span, len(x))], channels, allChannels); e != want {
				t.Errorf("%+v: extent %d is %v, want %v", l, i, e, want)
			}
		}
	}
}

func near(t *testing.T, what string, got []uint16, want []float64, group int, bound float64) {
	t.Helper()
	for k, h := range got {
		most := math.Inf(-1)
		for _, v := range want[k*group : min((k+1)*group, len(want))] {
			most = max(most, v)
		}
		if d := math.Abs(float64(fromHalf(h)) - most); !(d <= bound) {
			t.Fatalf("%s: bin %d is %v dB, want %v", what, k, fromHalf(h), most)
		}
	}
}

// TestTileOfTone looks for a tone in the rows of all scales.
func TestTileOfTone(t *testing.T) {
	const rate, hz = 48000.0, 3000.0
	x := make([]float32, 48000)
	for i := range x {
		x[i] = float32(0.5 * math.Sin(2*math.Pi*hz/rate*float64(i)))
	}
	base, _ := serve(t, memory(t, rate, 1, x), Options{})
	p := connect(t, base)
	l := look{Window: "hann", N: 1024, Hop: 256}
	for _, s := range []scale{linear, logarithmic, mel} {
		tiles, heads := p.answers(pane{Key: "k", Item: "memory", Look: l, Scale: s, RowLevel: 0, Rows: []int{0}, Blocks: []wanted{{Level: 0}}, Waves: []wanted{{Level: 4}}})
		tile := tiles[wanted{}]
		if tile == nil {
			t.Fatalf("%s: no tile: %+v", s, heads)
		}
		best := 0
		for r := range tileRows {
			if louder(tile[r*blockColumns+100], tile[best*blockColumns+100]) {
				best = r
			}
		}
		low, high := s.hz(float64(best)/tileRows, rate), s.hz(float64(best+1)/tileRows, rate)
		if hz < low-2*rate/1024 || hz > high+2*rate/1024 || math.Abs(float64(fromHalf(tile[best*blockColumns+100]))+6) > 0.5 {
			t.Errorf("%s: the loudest row is %g to %g Hz at %g dB", s, low, high, fromHalf(tile[best*blockColumns+100]))
		}
	}
}

// TestKinds shows recordings of every kind: they are pictures or messages, never
// failures.
func TestKinds(t *testing.T) {
	nan := noise(20000, 1)
	nan[10000] = float32(math.NaN())
	inf := noise(20000, 1)
	inf[500] = float32(math.Inf(1))
	for _, c := range []struct {
		name     string
		rate     float64
		channels int
		x        []float32
	}{
		{"silence", 8000, 1, make([]float32, 20000)}, {"NaN", 8000, 1, nan}, {"infinity", 8000, 1, inf}, {"64 channels", 48000, 64, noise(3000, 64)},
		{"10 MHz", 10e6, 2, noise(100000, 2)}, {"8 kHz", 8000, 1, noise(9000, 1)}, {"one sample", 48000, 1, noise(1, 1)}, {"no rate", 0, 1, noise(5000, 1)},
		{"nothing", 48000, 2, nil},
	} {
		base, _ := serve(t, memory(t, c.rate, c.channels, c.x), Options{})
		var about struct {
			Info Info
			Look look
		}
		fetch(t, base+"/api/info?item=memory", &about)
		p := connect(t, base)
		tiles, heads := p.answers(pane{Key: "k", Item: "memory", Look: about.Look, Scale: mel, Rows: []int{0}, Blocks: []wanted{{Level: 0}}, Waves: []wanted{{Level: 0}}})
		for _, h := range heads {
			if h.Op == "error" {
				t.Errorf("%s: %s", c.name, h.Error)
			}
		}
		tile := tiles[wanted{}]
		if tile == nil {
			t.Errorf("%s: no tile in %+v", c.name, heads)
			continue
		}
		missing, floor := 0, 0
		for _, v := range tile {
			if v == halfNaN {
				missing++
			}
			if v == toHalf(decibelFloor) {
				floor++
			}
		}
		if (missing > 0) != (c.name == "NaN" || c.name == "infinity") || missing > len(tile)/4 || c.name == "silence" && floor != len(tile) {
			t.Errorf("%s: %d of %d levels are missing, %d silent", c.name, missing, len(tile), floor)
		}
		q := url.Values{"item": {"memory"}, "from": {"0"}, "to": {"100000000"}, "channel": {fmt.Sprint(about.Look.Channel)}, "window": {"hann"}, "n": {fmt.Sprint(about.Look.N)}, "hop": {fmt.Sprint(about.Look.Hop)}}
		r, err := http.Get(base + "/api/selection?" + q.Encode())
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if (r.StatusCode != 200) != (c.name == "nothing") || !json.Valid(text) && r.StatusCode == 200 {
			t.Errorf("%s: selection: %s %.200s", c.name, r.Status, text)
		}
		if strings.Contains(string(text), "no numbers") != (c.name == "NaN" || c.name == "infinity") {
			t.Errorf("%s: %.300s", c.name, text)
		}
	}
}

func fetch(t *testing.T, address string, into any) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != 200 {
		text, _ := io.ReadAll(r.Body)
		t.Fatalf("%s: %s: %s", address, r.Status, text)
	}
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// TestRefused asks for what a page may not ask for.
func TestRefused(t *testing.T) {
	folder := t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside.wav")
	inside := filepath.Join(folder, "inside.wav")
	for _, name := range []string{outside, inside} {
		if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}, noise(1000, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link.wav")); err != nil {
		t.Skip(err)
	}
	source, err := Files(audio.Options{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, source, Options{Token: "abc"})
	get := func(path string, change func(*http.Request)) int {
		t.Helper()
		r, err := http.NewRequest("GET", base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(r)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.Header.Get("Content-Security-Policy") != policy {
			t.Errorf("%s: no policy", path)
		}
		return resp.StatusCode
	}
	item := func(name string) string { return "/abc/api/info?item=" + url.QueryEscape(name) }
	for _, c := range []struct {
		path   string
		change func(*http.Request)
		want   int
	}{
		{"/abc/", nil, 200}, {"/abc/main.js", nil, 200}, {"/abc/vendor/uplot-license.txt", nil, 200}, {item(inside), nil, 200},
		{"/", nil, 403}, {"/abd/", nil, 403}, {"/main.js", nil, 403}, {"/api/items", nil, 403}, {"/abc/nothing", nil, 404},
		{"/abc/", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"/abc/", func(r *http.Request) { r.Host = "localhost:1" }, 200},
		{"/abc/", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"/abc/api/socket", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"/abc/api/items", func(r *http.Request) { r.Header.Set("Origin", base) }, 200},
		{item(outside), nil, 404}, {item(filepath.Join(folder, "..", filepath.Base(filepath.Dir(outside)), "outside.wav")), nil, 404}, {item("/etc/passwd"), nil, 404},
		{item(filepath.Join(folder, "link.wav")), nil, 422}, {item(filepath.Join(folder, "gone.wav")), nil, 404},
		{"/abc/api/export/wav?item=" + url.QueryEscape(inside) + "&from=0&to=x", nil, 422},
		{"/abc/api/export/wav?item=" + url.QueryEscape(inside) + "&from=0&to=9&channel=7&n=256&hop=64&window=hann", nil, 422},
		{"/abc/api/export/wav?item=" + url.QueryEscape(inside) + "&from=0&to=9&channel=0&n=255&hop=64&window=hann", nil, 422},
		{"/abc/api/export/exe?item=" + url.QueryEscape(inside) + "&from=0&to=9&channel=0&n=256&hop=64&window=hann", nil, 404},
	} {
		if got := get(c.path, c.change); got != c.want {
			t.Errorf("%s: %d, want %d", c.path, got, c.want)
		}
	}
	// A socket that asks for too much, or for nonsense.
	for _, text := range []string{"{", `{"op":"dance"}`} {
		p := connect(t, base+"/abc")
		if err := p.conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			t.Errorf("%s: %v", text, err)
		}
	}
	p := connect(t, base+"/abc")
	_, heads := p.answers(pane{Item: inside, Look: look{Window: "hann", N: 256, Hop: 64}, Scale: linear, RowLevel: 30}, pane{Item: outside, Look: look{Window: "hann", N: 256, Hop: 64}, Scale: linear})
	if len(heads) != 3 || heads[0].Op != "error" || heads[1].Op != "error" {
		t.Errorf("%+v", heads)
	}
}

// TestProgramText compares commands with the part they are for.
func TestProgramText(t *testing.T) {
	p := &part{item: "/tmp/it's here.wav", info: Info{Rate: 48000, Channels: 2}, look: look{Channel: 1, Window: "kaiser:8.6", N: 512, Hop: 128}, from: 10, to: 2000}
	want := `twiddle welch --in '/tmp/it'\''s here.wav' --frames 10:2000 --nperseg 512 --window kaiser:8.6 --out 'it'\''s here-spectrum.npz'` + "\n"
	if got := p.command(nil); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, w := range []string{`audio.Open("/tmp/it's here.wav")`, "f.SeekFrame(10)", "1990*f.Info.Channels", `signal.Window{Name: "kaiser", Param: 8.6}`, "NPerSeg: 512", "Start: 1, Stop: 2"} {
		if !strings.Contains(p.program(), w) {
			t.Errorf("the program has no %s:\n%s", w, p.program())
		}
	}
}

func Example() {
	x := make([]float32, 48000)
	for i := range x {
		x[i] = float32(0.5 * math.Sin(2*math.Pi*440/48000*float64(i)))
	}
	source, err := Samples("a", 48000, 1, x)
	if err != nil {
		panic(err)
	}
	h, err := Handler(source, Options{})
	if err != nil {
		panic(err)
	}
	defer h.Close()
	server := httptest.NewServer(h) // usually http.ListenAndServe("127.0.0.1:8000", h)
	defer server.Close()
	r, err := http.Get(server.URL + "/api/items")
	if err != nil {
		panic(err)
	}
	defer r.Body.Close()
	io.Copy(os.Stdout, r.Body)
	// Output: {"device":"cpu","items":[{"id":"a","name":"a","live":false}],"report":false}
}
