package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/view"
)

// viewFlags is how the page is served.
type viewFlags struct {
	device, listen, record string
	port                   int
	noOpen, mic            bool
}

func newViewCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "view FILE... | FOLDER | -",
		Short: "Look at recordings, live signals and plans in a browser",
		Long: "Serve a page on this machine that shows recordings: waveform, spectrogram and power\n" +
			"spectrum, at any zoom and of any length. The command prints the page's address and opens\n" +
			"the browser; Ctrl-C ends it. - shows samples from standard input, and --mic the\n" +
			"microphone, live.",
		Example: "  twiddle view a.wav b.flac\n" +
			"  arecord -f S16_LE -r 48000 -t raw | twiddle view - --raw int16 --fs 48000\n" +
			"  rtl_sdr -f 100e6 -s 2.4e6 - | twiddle view - --raw uint8 --iq --fs 2.4e6\n" +
			"  twiddle view --mic --record out.wav",
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	var v viewFlags
	f.StringVar(&v.device, "device", "cpu", "the device to compute on")
	f.BoolVar(&v.noOpen, "no-open", false, "do not open the browser")
	f.IntVar(&v.port, "port", 0, "the port (default: a free one)")
	f.StringVar(&v.listen, "listen", "", "address to listen on, to serve other machines, too")
	f.BoolVar(&v.mic, "mic", false, "show the microphone live, through PipeWire, PulseAudio or ALSA")
	f.StringVar(&v.record, "record", "", "write live samples to this WAV file")
	recording := addRecordingFlags(c)
	recording.addIQ(c)
	c.RunE = func(c *cobra.Command, args []string) error { return v.run(c, recording, args) }
	return c
}

func (v *viewFlags) run(c *cobra.Command, recording *recordingFlags, args []string) error {
	if v.port < 0 || v.port > 65535 {
		return usagef("--port %d: want a number from 0 to 65535", v.port)
	}
	dev, err := nd.Open(v.device)
	if err != nil {
		return usagef("--device: %w", err)
	}
	ctx, cancel := context.WithCancelCause(c.Context())
	defer cancel(nil)
	source, stop, err := v.source(ctx, c, recording, args)
	if err != nil {
		return err
	}
	defer stop()
	token := make([]byte, 18)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	opt := view.Options{Stream: dev.Stream(), Token: base64.RawURLEncoding.EncodeToString(token), Command: recording.words(c)}
	host := "127.0.0.1"
	if v.listen != "" {
		host = v.listen
		opt.Hosts = append([]string{"127.0.0.1", "localhost", "::1", v.listen}, ownNames(v.listen)...)
		fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: who can reach %s and knows the address can read these recordings; nothing is encrypted\n", v.listen)
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(v.port)))
	if err != nil {
		return fmt.Errorf("view: %w", err)
	}
	h, err := view.Handler(source, opt)
	if err != nil {
		ln.Close()
		return err
	}
	// What is kept is bounded; so is the room that the garbage collector leaves.
	debug.SetGCPercent(25)
	url := fmt.Sprintf("http://%s/%s/", ln.Addr(), opt.Token)
	fmt.Fprintf(c.OutOrStdout(), "%s\n", url)
	if !v.noOpen {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "twiddle: no browser was opened: %v\n", err)
		}
	}
	return serveView(ctx, ln, h)
}

// serveView serves until the context ends, which is how a viewer ends well.
func serveView(ctx context.Context, ln net.Listener, h *view.Server) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ln) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	h.Close()
	soon, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	if server.Shutdown(soon) != nil {
		server.Close()
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("view: %w", err)
	}
	return nil
}

// source is what the arguments name, and how to stop what feeds it.
func (v *viewFlags) source(ctx context.Context, c *cobra.Command, recording *recordingFlags, args []string) (view.Source, func(), error) {
	opt, err := recording.options(c)
	if err != nil {
		return nil, nil, err
	}
	opt.IQ = recording.iq
	stdin := len(args) == 1 && args[0] == "-"
	live := v.mic || stdin
	switch {
	case v.mic && recording.iq:
		return nil, nil, usagef("--mic and --iq: a microphone has no I and Q")
	case v.mic && len(args) > 0:
		return nil, nil, usagef("--mic and %q: want one or the other", args[0])
	case !live && len(args) == 0:
		return nil, nil, usagef("no recording is named: want files, a folder, - or --mic")
	case v.record != "" && !live:
		return nil, nil, usagef("--record is for what arrives live: say - or --mic too")
	case v.record != "":
		if err := checkOut(v.record, ".wav"); err != nil {
			return nil, nil, err
		}
	}
	if !live {
		s, err := recordings(c, opt, args)
		return s, func() {}, err
	}
	if v.mic {
		return microphone(ctx, v.record)
	}
	return liveFrom(ctx, c.InOrStdin(), opt, v.record)
}

// recordings is the files that are named, with a warning if there are none yet.
func recordings(c *cobra.Command, opt audio.Options, names []string) (view.Source, error) {
	s, err := view.Files(opt, names...)
	if err != nil {
		return nil, err
	}
	items, err := s.Items()
	if err == nil && len(items) == 0 {
		fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: %v\n", noRecordings(strings.Join(names, ", ")))
	}
	if err != nil {
		return nil, err
	}
	return s, openable(c, s, names)
}

// openable tries the files that are named. Without one that can be opened there is nothing
// to show; of the others the page shows what is wrong, too. A folder may fill up while one
// looks.
func openable(c *cobra.Command, s view.Source, names []string) error {
	var wrong []error
	for _, name := range names {
		if isFolder(name) {
			continue
		}
		r, err := s.Open(name)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		info := r.Info()
		if err := r.Close(); err != nil {
			return err
		}
		if info.Frames == 0 { // it may grow
			fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: no samples yet (%s)\n", name)
		}
	}
	if len(wrong) == len(names) {
		return errors.Join(wrong...)
	}
	for _, err := range wrong {
		fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: %s\n", oneLine(err))
	}
	return nil
}

// ownNames is what else a machine may be called that listens at an address for
// all of its networks.
func ownNames(listen string) []string {
	ip := net.ParseIP(listen)
	if ip == nil || !ip.IsUnspecified() {
		return nil
	}
	var names []string
	if name, err := os.Hostname(); err == nil {
		names = append(names, name, name+".local")
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return names
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok {
			names = append(names, n.IP.String())
		}
	}
	return names
}

// openBrowser opens an address with what the system has for it.
func openBrowser(url string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("there is no display: open the address above")
		}
		command = []string{"xdg-open"}
	}
	p := exec.Command(command[0], append(command[1:], url)...)
	p.Stdout, p.Stderr = io.Discard, io.Discard
	if err := p.Start(); err != nil {
		return err
	}
	go p.Wait()
	return nil
}
