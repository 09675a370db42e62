package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// scriptPeer is a peer in another process, a Python script that takes turns: it
// is told what to do and how often, and says when it is done. Starting it and
// talking to it are not in the measured time but for the two lines of a turn.
type scriptPeer struct {
	name  string // what it calls itself
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	err   error // the first, after which turns do nothing
}

// startScript runs a script and gives it the description of the work.
func startScript(ctx context.Context, file string, work any) (*scriptPeer, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, usagef("--peer: %w", err)
	}
	p := &scriptPeer{cmd: exec.CommandContext(ctx, "python3", file)}
	var complaint strings.Builder
	p.cmd.Stderr = &complaint
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.lines = in, bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("--peer %s: %w", file, err)
	}
	line, err := json.Marshal(work)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(p.in, "%s\n", line); err != nil || !p.lines.Scan() {
		if err := p.close(); err != nil {
			return nil, fmt.Errorf("--peer %s: %w: %s", file, err, lastLine(complaint.String()))
		}
		return nil, fmt.Errorf("--peer %s said nothing", file)
	}
	p.name = p.lines.Text()
	return p, nil
}

// turn is a contender that has the script do something.
func (p *scriptPeer) turn(what string) func(reps int) {
	return func(reps int) {
		if p.err != nil {
			return
		}
		if _, err := fmt.Fprintf(p.in, "%s %d\n", what, reps); err != nil {
			p.err = err
		} else if !p.lines.Scan() || p.lines.Text() != "done" {
			p.err = errors.New("it ended in the middle of a turn")
		}
	}
}

// close ends the script.
func (p *scriptPeer) close() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
