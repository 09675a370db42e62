package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// evil is what terminals and browsers act upon, in a name.
const evil = "a\x1b]0;owned\x07\x1b[31m\u009b1m\u202e<script>alert(1)<" + "\u2044script>&'\"\r"

func TestVisible(t *testing.T) {
	var b bytes.Buffer
	for _, text := range []string{"plain\ttext\n", "\x1b[31mred\x07\r\n", "é\u009b\u202e\x7f"} {
		if n, err := (visible{&b}).Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: wrote %d of %d, %v", text, n, len(text), err)
		}
	}
	if got, want := b.String(), "plain\ttext\n\\x1b[31mred\\x07\\x0d\né\\x9b\\x202e\\x7f"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Names from strangers, in text, JSON, pages and errors.
func TestNamesAreEscaped(t *testing.T) {
	folder := t.TempDir()
	recording := filepath.Join(folder, evil+".wav")
	if err := wav.WriteFile(recording, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}, machineSound()); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	a, err := npy.From([]float32{1, 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	arrays := filepath.Join(folder, "x.npz")
	if err := npz.WriteFile(arrays, map[string]*npy.Array{evil: a, "b": a}, false); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(folder, "page.html")
	for _, args := range [][]string{
		{"analyze", recording}, {"analyze", recording, "--out", page}, {"analyze", recording, "--json"}, {"analyze", filepath.Join(folder, evil)},
		{"welch", recording, "--out", filepath.Join(folder, evil+".npy")}, {"welch", arrays, "--out", filepath.Join(folder, "p.npy")}, {"welch", arrays, "--array", evil, "--json"},
		{"welch", recording, "--window", evil, "--json"}, {"fft", "--in", evil, "--out", "y.npy"}, {"plan", evil}, {evil}, {"welch", "--" + evil}, {"lint", evil}, {"help", evil},
		{"kernel", "run", filepath.Join(folder, evil+".metal"), "--output", evil}, {"trace", "welch", "--out", filepath.Join(folder, evil+".json"), "--shape", evil},
	} {
		_, stdout, stderr := twiddle(t, args...)
		if i := strings.IndexFunc(stdout+stderr, isControl); i >= 0 {
			t.Errorf("%q: a control character is printed: %q", args, (stdout + stderr)[max(0, i-30):])
		}
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(html, []byte("<script>alert")) || bytes.ContainsFunc(html, isControl) {
		t.Error("the page has the name as it is")
	}
	if !bytes.Contains(html, []byte("alert(1)")) {
		t.Error("the page does not have the name at all: the test looks for the wrong thing")
	}
}
