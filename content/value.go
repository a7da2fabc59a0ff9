package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// badText says in English what is wrong with a text that cannot be stored, or
// nothing.
func badText(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "the text is not valid UTF-8"
	case strings.ContainsRune(s, 0):
		return "the text holds a NUL character"
	default:
		return ""
	}
}

// encodeFields writes fields in one fixed form. A column without a value is
// left out.
func encodeFields(fields map[string]any) (string, error) {
	set := make(map[string]any, len(fields))
	for name, value := range fields {
		switch value := value.(type) {
		case nil:
		case string, int64:
			set[name] = value
		default:
			return "", fmt.Errorf("column %s holds a %T", name, value)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(set); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

var (
	decimal = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,20})?$`)
	address = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	color   = regexp.MustCompile(`^(#[0-9a-fA-F]{3,8}|rgba?\([0-9., %/]{1,40}\))$`)
)

// Stored is the form in which the column stores a value: text, int64, or nil for
// none. A value that it cannot store, or not as it is, has a problem instead, in
// English.
func (c Column) Stored(value any) (stored any, problem string) { return c.normal(value) }

// normal brings a value into the form in which the column stores it, or says in
// English why it cannot. A value that would have to be bent is refused.
func (c Column) normal(value any) (stored any, problem string) {
	switch v := value.(type) {
	case nil:
		if c.Required {
			return nil, "a value is required"
		}
		return nil, ""
	case bool:
		value = int64(0)
		if v {
			value = int64(1)
		}
	case int:
		value = int64(v)
	case string:
		if problem := badText(v); problem != "" {
			return nil, problem
		}
	case int64:
	default:
		return nil, "the value is neither text nor a whole number"
	}
	switch c.Type {
	case TypeFile:
		return nil, "files are added and removed by their references"
	case TypeRelation:
		if c.Many {
			return c.normalList(asText(value))
		}
		return c.normalInteger(value)
	case TypeCheck, TypeDatetime:
		return c.normalInteger(value)
	case TypeNumber:
		if c.Integer {
			return c.normalInteger(value)
		}
		return c.normalDecimal(value)
	case TypeSelect, TypeRadio:
		return c.normalChoice(value)
	default:
		return c.normalText(asText(value))
	}
}

func (c Column) normalInteger(value any) (any, string) {
	n, ok := value.(int64)
	if s, text := value.(string); text {
		parsed, err := strconv.ParseInt(s, 10, 64)
		n, ok = parsed, err == nil
	}
	switch {
	case !ok:
		return nil, "the value is not a whole number"
	case c.Type == TypeCheck && n != 0 && n != 1:
		return nil, "the value is neither 0 nor 1"
	case (c.Type == TypeRelation || c.Type == TypeDatetime) && n < 0:
		return nil, "the value is below 0"
	case c.Type == TypeRelation && c.Required && n == 0:
		return nil, "a value is required"
	}
	return n, c.outside(float64(n))
}

// outside says what is wrong with the size of a number.
func (c Column) outside(n float64) string {
	switch {
	case c.Type != TypeNumber || c.Max == 0 && c.Min == 0:
		return ""
	case n < float64(c.Min):
		return fmt.Sprintf("the value is below %d", c.Min)
	case c.Max != 0 && n > float64(c.Max):
		return fmt.Sprintf("the value is above %d", c.Max)
	}
	return ""
}

func (c Column) normalDecimal(value any) (any, string) {
	s := asText(value)
	n, err := strconv.ParseFloat(s, 64)
	if !decimal.MatchString(s) || err != nil || math.IsInf(n, 0) {
		return nil, "the value is not a number"
	}
	return s, c.outside(n)
}

func (c Column) normalChoice(value any) (any, string) {
	s := asText(value)
	known := slices.ContainsFunc(c.Items, func(i Item) bool { return i.Value == s })
	free := c.Open || c.Dynamic
	switch {
	case c.Required && s == "":
		return nil, "a value is required"
	case slices.Contains(c.Removed, s), !known && !free && s != "":
		return nil, "the value is none of those on offer"
	case !known && !free:
		return nil, "a value is required"
	case utf8.RuneCountInString(s) > 255:
		return nil, "the value is longer than 255 characters"
	case !c.Integer:
		return s, ""
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil, "the value is not a whole number"
	}
	return n, ""
}

func (c Column) normalText(s string) (any, string) {
	switch {
	case c.Required && strings.TrimSpace(s) == "":
		return nil, "a value is required"
	case c.Max > 0 && utf8.RuneCountInString(s) > c.Max:
		return nil, fmt.Sprintf("the text is longer than %d characters", c.Max)
	case c.Type == TypeEmail && s != "" && !address.MatchString(s):
		return nil, "the text is not an e-mail address"
	case c.Type == TypeColor && s != "" && !color.MatchString(s):
		return nil, "the text is not a colour"
	case c.Type == TypeSlug && s != "" && (!strings.HasPrefix(s, "/") || strings.ContainsAny(s, " \t\r\n?#")):
		return nil, "the path does not begin with / or holds blanks, ? or #"
	}
	return s, ""
}
