package main

import (
	"fmt"
	"maps"
	"slices"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

// clock is the moment every case runs at, in UTC.
var clock = time.Date(2024, time.May, 17, 13, 14, 15, 678901234, time.UTC)

// unsafe are the functions of sprig that the Java side leaves out: they show the server, differ on
// every run or cost too much.
var unsafe = []string{
	"env", "expandenv", "getHostByName",
	"randAlpha", "randAlphaNum", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4",
	"bcrypt", "htpasswd", "derivePassword", "encryptAES", "decryptAES", "buildCustomCert",
	"genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey",
	"genSignedCert", "genSignedCertWithKey",
}

var safe = safeSprig()

func functions(set string) template.FuncMap {
	if set == "sprig" {
		return safe
	}
	return nil
}

func safeSprig() template.FuncMap {
	all := sprig.TxtFuncMap()
	for _, name := range unsafe {
		delete(all, name)
	}
	fixClock(all)
	fixOrder(all)
	fixSize(all)
	return all
}

// fixSize keeps single calls from filling the memory; the Java side has limits of its own.
func fixSize(all template.FuncMap) {
	until := all["until"].(func(int) []int)
	all["until"] = func(count int) ([]int, error) { return until(small(count)), tooLarge(count) }
	untilStep := all["untilStep"].(func(int, int, int) []int)
	all["untilStep"] = func(start, stop, step int) ([]int, error) {
		return untilStep(small(start), small(stop), step), tooLarge(start, stop)
	}
	seq := all["seq"].(func(...int) string)
	all["seq"] = func(params ...int) (string, error) {
		bounded := make([]int, len(params))
		for i := range params {
			bounded[i] = small(params[i])
		}
		return seq(bounded...), tooLarge(params...)
	}
	repeat := all["repeat"].(func(int, string) string)
	all["repeat"] = func(count int, text string) (string, error) {
		return repeat(small(count), text), tooLarge(count * len(text))
	}
	for _, name := range []string{"indent", "nindent"} {
		indent := all[name].(func(int, string) string)
		all[name] = func(count int, text string) (string, error) {
			return indent(small(count), text), tooLarge(count)
		}
	}
}

func small(count int) int {
	if count > maxOutput || count < -maxOutput {
		return 0
	}
	return count
}

func tooLarge(counts ...int) error {
	for _, count := range counts {
		if small(count) != count {
			return fmt.Errorf("limit of the oracle: %d", count)
		}
	}
	return nil
}

// fixOrder gives lists that come from maps the key order.
func fixOrder(all template.FuncMap) {
	all["keys"] = func(dicts ...map[string]any) []string {
		names := []string{}
		for _, dict := range dicts {
			names = append(names, slices.Sorted(maps.Keys(dict))...)
		}
		return names
	}
	all["values"] = func(dict map[string]any) []any {
		values := []any{}
		for _, key := range slices.Sorted(maps.Keys(dict)) {
			values = append(values, dict[key])
		}
		return values
	}
}

// fixClock replaces every use of the running clock. Sprig takes the present where a date is of a
// type it does not know.
func fixClock(all template.FuncMap) {
	time.Local = time.UTC
	all["now"] = func() time.Time { return clock }
	all["ago"] = func(date any) string {
		return clock.Sub(instant(date)).Round(time.Second).String()
	}
	inZone := all["dateInZone"].(func(string, any, string) string)
	dateInZone := func(format string, date any, zone string) string {
		return inZone(format, known(date), zone)
	}
	all["dateInZone"], all["date_in_zone"] = dateInZone, dateInZone
	all["date"] = func(format string, date any) string { return dateInZone(format, date, "Local") }
	all["htmlDate"] = func(date any) string { return dateInZone("2006-01-02", date, "Local") }
	all["htmlDateInZone"] = func(date any, zone string) string { return dateInZone("2006-01-02", date, zone) }
	round := all["durationRound"].(func(any) string)
	all["durationRound"] = func(duration any) string {
		if from, ok := duration.(time.Time); ok {
			return round(clock.Sub(from).String())
		}
		return round(duration)
	}
}

func known(date any) any {
	switch date.(type) {
	case time.Time, *time.Time, int64, int, int32:
		return date
	}
	return clock
}

func instant(date any) time.Time {
	switch d := date.(type) {
	case time.Time:
		return d
	case int64:
		return time.Unix(d, 0)
	case int:
		return time.Unix(int64(d), 0)
	}
	return clock
}
