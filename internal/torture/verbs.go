//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// call is how a verb is called so that it does something soon. Words in braces
// stand for files: {wav}, {npy} and so on for one of makeInputs, {out.npy} for one
// that is written, in the folder of the run.
var calls = map[string]string{
	"demo":           "--out {out}",
	"devices":        "",
	"check":          "--for 1s",
	"version":        "",
	"help":           "",
	"analyze":        "{wav} --out {out.html} --png {out}",
	"view":           "{wav} --no-open",
	"welch":          "{wav} --out {out.npy}",
	"envelope":       "{wav} --band all --out {out.npy}",
	"orders":         "{wav} --rpm 3000 --out {out.npy}",
	"stft":           "{wav} --out {out.npy}",
	"istft":          "{stft} --nfft 256 --out {out.npy}",
	"mel":            "{wav} --out {out.npz}",
	"peaks":          "{npy} --out {out.npz}",
	"fft":            "--in {npy} --out {out.npy}",
	"conv":           "--in {npy} --filter {filter} --out {out.npy}",
	"train fft":      "--n 8 --steps 20 --out {out.safetensors} --plot {out.png} --checkpoint {out.checkpoint}",
	"train piano":    "--epochs 2 --out {out}",
	"eval fft":       "--weights {weights} --no-speed",
	"explain conv":   "",
	"explain welch":  "",
	"explain stft":   "",
	"trace conv":     "--repeat 1 --out {out.json}",
	"trace welch":    "--repeat 1 --out {out.json}",
	"trace stft":     "--repeat 1 --out {out.json}",
	"trace run":      "--out {out.json} -- plan 1000",
	"plan":           "1000",
	"lint":           "{metal}",
	"lint explain":   "TW001",
	"kernel run":     "{metal} --input x={npy} --output y:float32:64 --save y={out.npy}",
	"kernel show":    "{metal} --input x={npy} --output y:float32 --as cuda",
	"bench accuracy": "--sizes 64",
	"bench choose":   "--only none",
	"bench conv":     "--shape 1,2,64 --streams 1 --peers fftw",
	"bench core":     "--only none",
	"bench cost":     "--plot {out.png}",
	"bench exact":    "--n 64 --matmul 8 --fft 64 --rounds 1",
	"bench fft":      "--sizes 64",
	"bench frames":   "--quick --show 1",
	"bench fusion":   "--batch 4 --iterations 1 --out {out.json}",
	"bench layouts":  "--lines 8 --most 8",
	"bench linalg":   "--shape 32,8 --top 2 --svd 8 --matmul 8 --rounds 1",
	"bench lint":     "",
	"bench loss":     "--samples 1024 --rounds 1",
	"bench mixer":    "--shape 1,16,8 --rounds 1",
	"bench spot":     "--side 32 --rounds 1",
	"bench streams":  "",
	"bench view":     "--hours 0.001 --long 0 --browser= --folder {folder}",
	"tune":           "--explain",
}

// verbs asks the command for all its verbs.
func (t *torture) verbs() ([]string, error) {
	var list []string
	var walk func(words []string) error
	walk = func(words []string) error {
		names, err := t.completions(append(words, "")...)
		if err != nil {
			return err
		}
		below := 0
		for _, name := range names {
			if strings.HasPrefix(name, "-") || !t.isVerb(append(words, name)) {
				continue // words that complete an argument
			}
			below++
			if err := walk(append(words[:len(words):len(words)], name)); err != nil {
				return err
			}
		}
		// lint is a verb and has one below it; bench only groups others.
		if verb := strings.Join(words, " "); len(words) > 0 && (below == 0 || verb == "lint") {
			list = append(list, verb)
		}
		return nil
	}
	if err := walk(nil); err != nil {
		return nil, err
	}
	var chosen []string
	for _, v := range list {
		if strings.Contains(v, t.only) {
			chosen = append(chosen, v)
		}
	}
	if len(list) < 30 {
		return nil, fmt.Errorf("the command names %d verbs only: %s", len(list), strings.Join(list, ", "))
	}
	return chosen, nil
}

// isVerb tells a verb from what else completes a command line: help speaks about
// verbs only.
func (t *torture) isVerb(words []string) bool {
	if words[0] == "help" {
		return len(words) == 1
	}
	return exec.Command(t.twiddle, append([]string{"help"}, words...)...).Run() == nil
}

// flagsOf asks the command for the flags of a verb.
func (t *torture) flagsOf(verb string) ([]string, error) {
	names, err := t.completions(append(strings.Fields(verb), "--")...)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range names {
		if strings.HasPrefix(name, "--") && !strings.HasSuffix(name, "=") {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("twiddle %s: no flags are named, not even --help", verb)
	}
	return list, nil
}

// completions are what the command would complete its last word with.
func (t *torture) completions(words ...string) ([]string, error) {
	out, err := exec.Command(t.twiddle, append([]string{"__complete"}, words...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("twiddle __complete %s: %w", strings.Join(words, " "), err)
	}
	var list []string
	for _, line := range strings.Split(string(out), "\n") {
		name, _, _ := strings.Cut(line, "\t")
		if name != "" && !strings.HasPrefix(name, ":") {
			list = append(list, name)
		}
	}
	return list, nil
}

// command is the words of a verb's call, with files for the words in braces: what
// instead says, else those of makeInputs, and outputs in a folder.
func (t *torture) command(verb, folder string, instead map[string]string) ([]string, error) {
	call, ok := calls[verb]
	if !ok {
		return nil, fmt.Errorf("torture does not know how to call the verb %q: it needs a row in verbs.go", verb)
	}
	words := strings.Fields(verb)
	for _, w := range strings.Fields(call) {
		if i, j := strings.IndexByte(w, '{'), strings.IndexByte(w, '}'); i >= 0 {
			name := w[i+1 : j]
			file, ok := instead[name]
			switch {
			case ok:
			case strings.HasPrefix(name, "out"):
				file = filepath.Join(folder, name)
			case name == "folder":
				file = folder
			default:
				if file, ok = t.inputs.files[name]; !ok {
					return nil, fmt.Errorf("verbs.go: %s: there is no input %q", verb, name)
				}
			}
			w = w[:i] + file + w[j+1:]
		}
		words = append(words, w)
	}
	return words, nil
}

// places are the words in braces of a verb's call: those that are read, or those
// that are written.
func places(verb string, written bool) []string {
	var list []string
	for _, w := range strings.Fields(calls[verb]) {
		if i, j := strings.IndexByte(w, '{'), strings.IndexByte(w, '}'); i >= 0 {
			if name := w[i+1 : j]; name != "folder" && strings.HasPrefix(name, "out") == written {
				list = append(list, name)
			}
		}
	}
	return list
}
