//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// mainVar makes the test binary the command itself.
const mainVar = "TWIDDLE_TEST_MAIN"

// A verb that waits for something that never comes, where no context reaches it, ends
// all the same, and leaves nothing behind.
func TestInterruptEndsWhatCannotBeCancelled(t *testing.T) {
	folder := t.TempDir()
	pipe, out := filepath.Join(folder, "pipe.wav"), filepath.Join(folder, "p.npy")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	there := 500 * time.Millisecond // long enough to be there
	for todo := [][]string{{"welch", pipe, "--out", out}, {"welch", "-", "--out", out}}; len(todo) > 0; {
		args := todo[0]
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), mainVar+"=1", "TMPDIR="+folder)
		in, err := cmd.StdinPipe() // which never ends
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(there)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() && there < 20*time.Second {
				there *= 2 // it was not there yet, and had nothing to end
				_ = in.Close()
				continue
			}
			if !errors.As(err, &exit) || exit.ExitCode() != interrupted {
				t.Errorf("%q: %v: want status %d", args, err, interrupted)
			}
		case <-time.After(time.Minute): // .ci/torture asks for a second
			_ = cmd.Process.Kill()
			t.Errorf("%q: an interrupt does not end it", args)
		}
		_ = in.Close()
		todo = todo[1:]
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 2 {
			t.Errorf("%q: %v %v: want the pipe and the old file only", args, entries, err)
		}
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "old" {
		t.Errorf("the old file has %q, %v", data, err)
	}
}
