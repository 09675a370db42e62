package tuning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// parser reads a tuning file token by token, so that every complaint has the
// line that it is about.
type parser struct {
	path     string
	data     []byte
	d        *json.Decoder
	warnings []string
}

func parse(path string, data []byte) (*File, []string, error) {
	p := &parser{path: path, data: data, d: json.NewDecoder(bytes.NewReader(data))}
	file, err := p.file()
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(p.warnings)
	return file, p.warnings, nil
}

// line is where the decoder is, from 1.
func (p *parser) line() int {
	return 1 + bytes.Count(p.data[:min(int(p.d.InputOffset()), len(p.data))], []byte("\n"))
}

func (p *parser) fault(format string, args ...any) error {
	return fmt.Errorf("tuning: %s:%d: %w", p.path, p.line(), fmt.Errorf(format, args...))
}

func (p *parser) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf("%s:%d: %s", p.path, p.line(), fmt.Sprintf(format, args...)))
}

// token is the next one; what is not JSON has the line of the first wrong byte.
func (p *parser) token() (json.Token, error) {
	t, err := p.d.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(p.data[:min(int(syntax.Offset), len(p.data))], []byte("\n"))
		return nil, fmt.Errorf("tuning: %s:%d: %w", p.path, line, err)
	case errors.Is(err, io.EOF):
		return nil, p.fault("the file ends early: %w", io.ErrUnexpectedEOF)
	case err != nil:
		return nil, p.fault("%w", err)
	}
	return t, nil
}

// object reads { key: value, ... }; each reads the value of a key.
func (p *parser) object(what string, each func(key string) error) error {
	t, err := p.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return p.fault("%s is %s: want an object", what, kindOf(t))
	}
	for p.d.More() {
		key, err := p.token()
		if err != nil {
			return err
		}
		if err := each(key.(string)); err != nil {
			return err
		}
	}
	_, err = p.token()
	return err
}

func (p *parser) number(what string) (float64, error) {
	t, err := p.token()
	if err != nil {
		return 0, err
	}
	v, ok := t.(float64)
	if !ok {
		return 0, p.fault("%s is %s: want a number", what, kindOf(t))
	}
	return v, nil
}

func (p *parser) file() (*File, error) {
	file, versioned := newFile(), false
	err := p.object("a tuning file", func(key string) error {
		switch key {
		case "version":
			v, err := p.number(key)
			if err == nil && v != Version {
				err = p.fault("version %g: want %d", v, Version)
			}
			versioned = true
			return err
		case "devices":
			return p.object(key, func(device string) error { return p.device(file, device) })
		case "own":
			return p.object(key, func(device string) error { return p.own(file, device) })
		}
		p.warn("there is no key %q", key)
		var skipped json.RawMessage
		if err := p.d.Decode(&skipped); err != nil {
			return p.fault("%w", err)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case !versioned:
		return nil, p.fault("there is no version: not a tuning file")
	}
	if _, err := p.d.Token(); !errors.Is(err, io.EOF) {
		return nil, p.fault("something follows the end of the object")
	}
	return file, nil
}

func (p *parser) device(file *File, device string) error {
	figures := map[string]float64{}
	file.Devices[device] = figures
	return p.object(device, func(key string) error {
		known := indexOf(key) >= 0 || choice(key) != nil
		if !known {
			p.warn("%s has no figure %q", device, key)
		}
		v, err := p.number(fmt.Sprintf("%s of %s", key, device))
		if err != nil {
			return err
		}
		figures[key] = v
		if known {
			if err := Check(key, v); err != nil {
				return p.fault("%s of %s is %g: %w", key, device, v, err)
			}
		}
		return nil
	})
}

// own reads the choices of programs, whose names only they know.
func (p *parser) own(file *File, device string) error {
	values := map[string]float64{}
	file.Own[device] = values
	return p.object(device, func(key string) (err error) {
		if err := checkOwn(key); err != nil {
			return p.fault("%w", err)
		}
		values[key], err = p.number(fmt.Sprintf("%s of %s", key, device))
		return err
	})
}

// kindOf names what a token begins.
func kindOf(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return "a list"
		}
		return "an object"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}
