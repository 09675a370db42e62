//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// memory is what a verb is told that it has, by GOMEMLIMIT, and most what it may
// then have resident: code, stacks and the arrays of a small recording come on top.
const (
	memory = 1 << 30
	most   = memory + 512<<20
)

// patience is how long a verb may work before it is interrupted, and prompt how
// soon it has to be gone after that.
const (
	patience = 2 * time.Second
	prompt   = time.Second
)

// process is how a run of the command went.
type process struct {
	args        []string
	out, err    string
	status      int
	interrupted bool          // by us
	young       bool          // the signal itself ended it, before it could say anything
	after       time.Duration // from the interrupt to the end
	took        time.Duration
	resident    int // at most, in bytes
}

// verb runs the command in a folder, interrupts it when patience is at an end, and
// says what is wrong about how it ended.
func (t *torture) verb(folder string, patience time.Duration, args ...string) (*process, []string) {
	p, err := t.start(folder, patience, syscall.SIGINT, args...)
	if err != nil {
		return p, []string{fmt.Sprintf("twiddle %s: %v", shown(args), err)}
	}
	return p, p.wrong()
}

// start runs the command and sends a signal after a while.
func (t *torture) start(folder string, patience time.Duration, signal syscall.Signal, args ...string) (*process, error) {
	return t.startWith(nil, folder, patience, signal, args...)
}

// startWith is start with something to read.
func (t *torture) startWith(in io.Reader, folder string, patience time.Duration, signal syscall.Signal, args ...string) (*process, error) {
	p := &process{args: args}
	var out, err limited
	cmd := exec.Command(t.twiddle, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = folder, in, &out, &err
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", memory), "TMPDIR="+t.inputs.temporary, "DISPLAY=", "WAYLAND_DISPLAY=",
		"XDG_CONFIG_HOME="+filepath.Join(t.work, "config"), "GOTRACEBACK=all")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // for children of its own that keep its output open
	begin := time.Now()
	if e := cmd.Start(); e != nil {
		return p, e
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(patience):
		p.interrupted = true
		sent := time.Now()
		_ = cmd.Process.Signal(signal)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Signal(syscall.SIGQUIT) // its stacks say where it is
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
				<-ended
			}
		}
		p.after = time.Since(sent)
	}
	p.took = time.Since(begin)
	p.out, p.err, p.status = out.String(), err.String(), cmd.ProcessState.ExitCode()
	if how, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		p.young = how.Signaled() && how.Signal() == signal && p.took < time.Second
	}
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		p.resident = int(use.Maxrss) << 10
	}
	return p, nil
}

// wrong is what is not as promised about the end of a run.
func (p *process) wrong() []string {
	var list []string
	add := func(format string, args ...any) {
		list = append(list, fmt.Sprintf("twiddle %s: ", shown(p.args))+fmt.Sprintf(format, args...))
	}
	if line := crashed(p.out + "\n" + p.err); line != "" {
		add("crashed: %s\n%s", line, tail(p.err, 3000))
		return list
	}
	if p.interrupted && p.after > prompt {
		add("ended %s after an interrupt", p.after.Round(time.Millisecond))
	}
	switch {
	case p.interrupted && (p.status == 0 || p.status == 130 || p.young):
	case p.status < 0 || p.status > 2:
		add("exit status %d: %s", p.status, tail(p.err, 300))
	case p.status > 0 && !strings.HasPrefix(lastLine(p.err), "twiddle: "):
		add("exit status %d and no line on stderr that says why: %q", p.status, tail(p.err, 300))
	}
	if p.resident > most {
		add("%d MiB resident, of a limit of %d", p.resident>>20, memory>>20)
	}
	if at := control(p.out + p.err); at != "" {
		add("control characters reach the terminal: %q", at)
	}
	return list
}

// crashed is how a program that should have given a result or an error went
// wrong, if it did.
func crashed(output string) string {
	for _, line := range strings.Split(output, "\n") {
		for _, sign := range []string{"panic: ", "fatal error: ", "runtime error: ", "goroutine ", "unexpected fault address", "SIGQUIT: ", "WARNING: DATA RACE"} {
			if strings.HasPrefix(line, sign) {
				return line
			}
		}
	}
	return ""
}

// control is the neighbourhood of a character that a terminal acts upon.
func control(s string) string {
	for i, r := range s {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			continue
		}
		return s[max(0, i-20):min(len(s), i+20)]
	}
	return ""
}

// limited is the beginning of what a program prints.
type limited struct{ b bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 1<<20 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (l *limited) String() string { return l.b.String() }

func lastLine(s string) string {
	s = strings.TrimRight(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// shown is a command line that fits a line.
func shown(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if len(a) > 120 {
			a = fmt.Sprintf("%s...(%d bytes)", a[:40], len(a))
		}
		words[i] = a
		if strings.ContainsAny(a, " \"'\\<>|&;$") || control(a) != "" || a == "" {
			words[i] = fmt.Sprintf("%q", a)
		}
	}
	return strings.Join(words, " ")
}
