package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	parsing "text/template/parse"
	"time"
)

// measured is what Go reaches on one template; the output lets the caller check that both sides do
// the same work.
type measured struct {
	Executions float64 `json:"executions"`
	Parses     float64 `json:"parses"`
	Output     string  `json:"output"`
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
	result.Executions = rate(func() { buffer.Reset(); _ = parsed.Execute(&buffer, data) })
	builtin := map[string]any{}
	for _, f := range append(builtins, signature{name: "call"}, signature{name: "printf"}) {
		builtin[f.name] = true
	}
	result.Parses = rate(func() { _, _ = parsing.Parse("t", c.Template, "", "", functions("sprig"), builtin) })
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(result)
}

// rate gives the median of five seconds, after half a second of warming up.
func rate(work func()) float64 {
	perSecond(work, 500*time.Millisecond)
	var rates []float64
	for range 5 {
		rates = append(rates, perSecond(work, time.Second))
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}

func perSecond(work func(), span time.Duration) float64 {
	start, count := time.Now(), 0
	for time.Since(start) < span {
		for range 20 {
			work()
		}
		count += 20
	}
	return float64(count) / time.Since(start).Seconds()
}
