package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"syscall"
	parsing "text/template/parse"
	"time"
)

// measured is what Go reaches on one template; the output lets the caller check that both sides do
// the same work.
type measured struct {
	Executions rate   `json:"executions"`
	Parses     rate   `json:"parses"`
	Output     string `json:"output"`
}

// rate is work done per second on the clock, and per second of processor time, which a busy machine
// changes less.
type rate struct {
	Clock     float64 `json:"clock"`
	Processor float64 `json:"processor"`
}

// bench measures one template, FILE.tmpl with the data of FILE.json and the functions of sprig.
func bench(file string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(strings.TrimSuffix(file, ".tmpl") + ".json")
	if err != nil {
		return err
	}
	data, err := decode(raw)
	if err != nil {
		return err
	}
	c := Case{ID: file, Template: string(text), Options: Options{Functions: "sprig"}}
	parsed, err := parse(c)
	if err != nil {
		return err
	}
	var buffer bytes.Buffer
	if err := parsed.Execute(&buffer, data); err != nil {
		return err
	}
	result := measured{Output: buffer.String()}
	result.Executions = measure(func() { buffer.Reset(); _ = parsed.Execute(&buffer, data) })
	builtin := map[string]any{}
	for _, f := range append(builtins, signature{name: "call"}, signature{name: "printf"}) {
		builtin[f.name] = true
	}
	result.Parses = measure(func() { _, _ = parsing.Parse("t", c.Template, "", "", functions("sprig"), builtin) })
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(result)
}

// measure gives the best of five seconds, after half a second of warming up.
func measure(work func()) rate {
	perSecond(work, 500*time.Millisecond)
	var best rate
	for range 5 {
		round := perSecond(work, time.Second)
		best.Clock = max(best.Clock, round.Clock)
		best.Processor = max(best.Processor, round.Processor)
	}
	return best
}

func perSecond(work func(), span time.Duration) rate {
	start, processor, count := time.Now(), processorTime(), 0
	for time.Since(start) < span {
		for range 20 {
			work()
		}
		count += 20
	}
	return rate{
		Clock:     float64(count) / time.Since(start).Seconds(),
		Processor: float64(count) / (processorTime() - processor).Seconds(),
	}
}

// processorTime is that of all threads, the garbage collector's included.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
