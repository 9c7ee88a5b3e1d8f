// The oracle says what real Go makes of a template: text/template of the installed Go and sprig 3.3.
//
//	oracle run                       cases as JSON lines on stdin, results on stdout
//	oracle record CASES RESULTS      reads CASES/*.cases, writes RESULTS/*.jsonl
//	oracle generate SEED COUNT       random cases with their results on stdout
//	oracle bench FILE.tmpl            executions and parses per second with the data of FILE.json
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "run":
		return answer(os.Stdin, os.Stdout)
	case len(args) == 3 && args[0] == "record":
		return record(args[1], args[2])
	case len(args) == 3 && args[0] == "generate":
		return generate(args[1], args[2], os.Stdout)
	case len(args) == 2 && args[0] == "bench":
		return bench(args[1], os.Stdout)
	}
	return fmt.Errorf("usage: oracle run | record CASES RESULTS | generate SEED COUNT | bench FILE.tmpl")
}

// answer replies to every line at once, so that a caller may ask, look and ask again.
func answer(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return err
		}
		var err error
		if c.Result, err = watched(c, 10*time.Second); err != nil {
			return err
		}
		if err := encode(out, c); err != nil {
			return err
		}
	}
	return lines.Err()
}

// watched ends the program if the case does not end; nothing else stops a template of real Go.
func watched(c Case, longest time.Duration) (*Result, error) {
	watchdog := time.AfterFunc(longest, func() {
		fmt.Fprintf(os.Stderr, "oracle: case %s does not end: %s\n", c.ID, c.Template)
		os.Exit(1)
	})
	defer watchdog.Stop()
	return run(c)
}

func write(out io.Writer, c Case) (err error) {
	if c.Result, err = run(c); err != nil {
		return err
	}
	return encode(out, c)
}

func encode(out io.Writer, c Case) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(c)
}

func record(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.cases"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no case files in %s", from)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	total := 0
	for _, file := range files {
		cases, err := readCaseFile(file)
		if err != nil {
			return err
		}
		topic := strings.TrimSuffix(filepath.Base(file), ".cases")
		if err := recordTopic(cases, filepath.Join(to, topic+".jsonl")); err != nil {
			return err
		}
		total += len(cases)
		fmt.Printf("%5d  %s\n", len(cases), topic)
	}
	fmt.Printf("%5d  cases\n", total)
	return nil
}

func recordTopic(cases []Case, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, c := range cases {
		if err := write(file, c); err != nil {
			return err
		}
	}
	return nil
}

func generate(seed, count string, out io.Writer) error {
	s, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	for i := range n {
		c := generated(s, i)
		if c.Result, err = watched(c, time.Minute); err != nil {
			return err
		}
		if err := encode(buffered, c); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
