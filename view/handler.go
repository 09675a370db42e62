package view

import (
	"cmp"
	"context"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/coder/websocket"

	"github.com/twiddle-go/twiddle/nd"
)

//go:embed page
var pageFiles embed.FS

// Options is how a handler serves. The zero value is fine for pages on this
// machine.
type Options struct {
	// Stream is where to compute; nil is the CPU's own.
	Stream *nd.Stream
	// Token, if there is one, is the first part of every path: requests
	// without it are refused.
	Token string
	// Hosts is the names, without ports, by which requests may ask for this
	// server: others are refused, so that no other page's name can be made to
	// lead here. Empty is the names of this machine's loopback.
	Hosts []string
	// CacheBytes bounds the memory of cached spectrograms; 0 is 128 MiB.
	CacheBytes int
	// Command is how to run twiddle for the same recording: its flags, for the
	// commands that the page shows.
	Command []string
	// Report, if there is one, is given what the page measures of itself.
	Report func(json.RawMessage)
}

// Server serves the page and its requests. Close ends all work.
type Server struct {
	hub     *hub
	opt     Options
	mux     *http.ServeMux
	engine  *observer
	ctx     context.Context
	cancel  context.CancelFunc
	pages   sync.WaitGroup
	closing sync.Mutex
	closed  bool
}

// Handler serves pages that show what a source has. Paths are relative, so it
// can be put below any prefix.
func Handler(source Source, opt Options) (*Server, error) {
	if source == nil {
		return nil, errors.New("view: handler: no source")
	}
	if strings.ContainsAny(opt.Token, "/?#%") {
		return nil, errors.New("view: handler: a token with characters that paths do not have")
	}
	if opt.Stream == nil {
		opt.Stream = nd.CPU().Stream()
	}
	opt.CacheBytes = cmp.Or(opt.CacheBytes, 128<<20)
	if len(opt.Hosts) == 0 {
		opt.Hosts = []string{"127.0.0.1", "localhost", "::1"}
	}
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		return nil, fmt.Errorf("view: handler: %w", err)
	}
	s := &Server{hub: newHub(source, opt.Stream, opt.CacheBytes), opt: opt, mux: http.NewServeMux(), engine: newObserver()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.mux.Handle("GET /", http.FileServerFS(files))
	s.mux.HandleFunc("GET /api/items", s.items)
	s.mux.HandleFunc("GET /api/info", s.info)
	s.mux.HandleFunc("GET /api/selection", s.selection)
	s.mux.HandleFunc("GET /api/samples", s.samples)
	s.mux.HandleFunc("GET /api/export/{what}", s.export)
	s.mux.HandleFunc("GET /api/engine", s.engineState)
	s.mux.HandleFunc("POST /api/report", s.report)
	s.mux.HandleFunc("GET /api/socket", s.socket)
	return s, nil
}

// Close ends the work of all pages and waits for it.
func (s *Server) Close() error {
	s.closing.Lock()
	s.closed = true
	s.closing.Unlock()
	s.cancel()
	s.pages.Wait()
	s.hub.close()
	s.engine.stop()
	return nil
}

// policy lets the page load what this server has and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"worker-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP refuses requests that are not from a page of this server, and serves
// the others.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if err := s.admit(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if s.opt.Token != "" {
		r = withoutToken(r, s.opt.Token)
		if r == nil {
			http.Error(w, "view: the address has no valid token: open the one that was printed", http.StatusForbidden)
			return
		}
	}
	s.mux.ServeHTTP(w, r)
}

// admit checks who a request is addressed to and which page sent it.
func (s *Server) admit(r *http.Request) error {
	host := hostName(r.Host)
	if !slices.Contains(s.opt.Hosts, host) {
		return fmt.Errorf("view: this server is not %q", host)
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host != r.Host {
		return fmt.Errorf("view: pages of %q may not ask this server", origin)
	}
	return nil
}

func hostName(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// withoutToken is the request with the token taken off its path; nil if it has
// another.
func withoutToken(r *http.Request, token string) *http.Request {
	given, rest, slash := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 || !slash {
		return nil
	}
	short := *r
	u := *r.URL
	u.Path, u.RawPath = "/"+rest, ""
	short.URL = &u
	return &short
}

// fail answers with an error as the page shows it.
func fail(w http.ResponseWriter, err error) {
	status := http.StatusUnprocessableEntity
	switch {
	case errors.Is(err, ErrUnknown) || errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	case errors.Is(err, context.Canceled):
		status = 499 // the page is gone; nobody reads this
	}
	http.Error(w, err.Error(), status)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// The page may be gone; who writes to it learns that and needs no help.
	_ = json.NewEncoder(w).Encode(v)
}

// items lists what there is.
func (s *Server) items(w http.ResponseWriter, _ *http.Request) {
	items, err := s.hub.source.Items()
	if err != nil {
		fail(w, err)
		return
	}
	if items == nil {
		items = []Item{}
	}
	answer(w, map[string]any{"items": items, "device": s.opt.Stream.Device().Info().Name, "report": s.opt.Report != nil})
}

// info opens a recording and says what it is and how to look at it at first.
func (s *Server) info(w http.ResponseWriter, r *http.Request) {
	rec, err := s.hub.source.Open(r.URL.Query().Get("item"))
	if err != nil {
		fail(w, err)
		return
	}
	defer rec.Close()
	info := rec.Info()
	answer(w, map[string]any{"info": info, "look": defaultLook(info)})
}

func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || s.opt.Report == nil || !json.Valid(body) {
		http.Error(w, "view: nobody wants a report", http.StatusBadRequest)
		return
	}
	s.opt.Report(body)
}

// socket serves a page until it is closed.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	s.closing.Lock()
	if s.closed {
		s.closing.Unlock()
		http.Error(w, "view: closed", http.StatusServiceUnavailable)
		return
	}
	s.pages.Add(1)
	s.closing.Unlock()
	defer s.pages.Done()
	// admit has checked the origin; compression costs more than loopback.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	page := &session{hub: s.hub, conn: conn, recs: map[string]Recording{}, told: map[string]Info{}, pyramids: map[pyramidKey]*held{}}
	err = page.run(s.ctx)
	if s.ctx.Err() != nil {
		conn.Close(websocket.StatusGoingAway, "twiddle view has ended")
		return
	}
	reason := err.Error()
	conn.Close(websocket.StatusPolicyViolation, reason[:min(len(reason), 120)])
}
