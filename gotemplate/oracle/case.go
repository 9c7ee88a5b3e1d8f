package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// Case is one template with everything that decides its result.
type Case struct {
	ID       string          `json:"id"`
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data,omitempty"`
	Options  Options         `json:"options,omitzero"`
	Result   *Result         `json:"result,omitempty"`
}

// Options are the settings of the template; the zero value is Go's default with no added functions.
type Options struct {
	MissingKey string `json:"missingkey,omitempty"` // default, zero, error
	Left       string `json:"left,omitempty"`
	Right      string `json:"right,omitempty"`
	Functions  string `json:"functions,omitempty"` // none, sprig
}

// Result is an output or a failure, never both. Output that is no UTF-8 is given as bytes (base64).
type Result struct {
	Output  *string  `json:"output,omitempty"`
	Bytes   []byte   `json:"bytes,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// Failure says where Go stopped, what it means in the oracle's own words, and what Go said.
type Failure struct {
	Phase   string `json:"phase"` // parse, execute
	Line    int    `json:"line"`
	Meaning string `json:"meaning"`
	Message string `json:"message"`
}

// decode reads JSON the way the Java side does: a number without fraction and exponent is an exact
// integer (int, which has 64 bits here; beyond its range *big.Int), every other number is a float64.
func decode(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return exact(value)
}

func exact(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			if v[key], err = exact(v[key]); err != nil {
				return nil, err
			}
		}
	case []any:
		for i := range v {
			if v[i], err = exact(v[i]); err != nil {
				return nil, err
			}
		}
	case json.Number:
		return number(v.String())
	}
	return value, nil
}

func number(text string) (any, error) {
	if strings.ContainsAny(text, ".eE") {
		return strconv.ParseFloat(text, 64)
	}
	if small, err := strconv.ParseInt(text, 10, 64); err == nil {
		return int(small), nil
	}
	large, _ := new(big.Int).SetString(text, 10)
	return large, nil
}
