package main

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"
)

// config is the configuration file. A field of type later is a key that a
// later version understands: it is refused by name, never ignored.
type config struct {
	Listen     value[string]           `yaml:"listen"`
	URL        value[string]           `yaml:"url"`
	Database   value[string]           `yaml:"database"`
	Seal       sealing                 `yaml:"seal"`
	Catalogues value[string]           `yaml:"catalogues"`
	Content    contentConfig           `yaml:"content"`
	Log        logConfig               `yaml:"log"`
	Lease      value[string]           `yaml:"lease"`
	Workers    value[int]              `yaml:"workers"`
	Retention  retentionConfig         `yaml:"retention"`
	Models     map[string]*modelConfig `yaml:"models"`
	Tools      toolsConfig             `yaml:"tools"`
	Agents     map[string]*agentConfig `yaml:"agents"`
	Metrics    later                   `yaml:"metrics" needs:"there are no metrics yet"`
	Audit      later                   `yaml:"audit" needs:"there are no checkpoints yet"`
	OIDC       later                   `yaml:"oidc" needs:"people sign in by link"`
	Gateway    later                   `yaml:"gateway" needs:"there is no gateway for other agents yet"`
	Webhooks   later                   `yaml:"webhooks" needs:"nothing is notified yet"`
}

type retentionConfig struct {
	Finished   value[string] `yaml:"finished"`
	Unfinished value[string] `yaml:"unfinished"`
}

type contentConfig struct {
	Schemas  value[string]            `yaml:"schemas"`
	Storages map[string]value[string] `yaml:"storages"`
}

type logConfig struct {
	Level   value[string] `yaml:"level"`
	Privacy value[string] `yaml:"privacy"`
}

type modelConfig struct {
	Kind      value[string] `yaml:"kind"`
	Script    value[string] `yaml:"script"`
	BaseURL   value[string] `yaml:"base_url"`
	Model     value[string] `yaml:"model"`
	APIKeyEnv value[string] `yaml:"api_key_env"`
	Stream    value[bool]   `yaml:"stream"`
}

type toolsConfig struct {
	Editorial editorialConfig `yaml:"editorial"`
	Fetch     fetchConfig     `yaml:"fetch"`
	MCP       later           `yaml:"mcp" needs:"tools of other servers are not taken up yet"`
}

type editorialConfig struct {
	Enabled  value[bool]              `yaml:"enabled"`
	Off      value[[]string]          `yaml:"off"`
	NoDrafts value[[]string]          `yaml:"no_drafts"`
	Sites    map[string]value[string] `yaml:"sites"`
}

type fetchConfig struct {
	AllowHosts value[[]string] `yaml:"allow_hosts"`
	DenyHosts  value[[]string] `yaml:"deny_hosts"`
	Ask        value[bool]     `yaml:"ask"`
}

type agentConfig struct {
	Model          value[string]   `yaml:"model"`
	System         value[string]   `yaml:"system"`
	Tools          value[[]string] `yaml:"tools"`
	MaxRounds      value[int]      `yaml:"max_rounds"`
	MaxTokensTotal value[int64]    `yaml:"max_tokens_total"`
	SecondApprover value[bool]     `yaml:"require_second_approver"`
}

// source is where a setting was made.
type source struct {
	line   int    // in the file
	origin string // of an environment variable or a flag: its name
}

// value is one setting with the place it was made.
type value[T any] struct {
	V      T
	Set    bool
	source source
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (v *value[T]) UnmarshalYAML(n *yaml.Node) error {
	if err := n.Decode(&v.V); err != nil {
		return err
	}
	v.Set, v.source = true, source{line: n.Line}
	return nil
}

// override takes the setting from an environment variable or a flag.
func (v *value[T]) override(text, origin string) error {
	var fresh T
	if s, ok := any(&fresh).(*string); ok {
		*s = text
	} else if err := yaml.Unmarshal([]byte(text), &fresh); err != nil {
		return fmt.Errorf("%s: %q does not fit", origin, text)
	}
	v.V, v.Set, v.source = fresh, true, source{origin: origin}
	return nil
}

// overridable is a setting that an environment variable can make.
type overridable interface {
	override(text, origin string) error
}

// sealing is "none" in so many words, or {keyset: FILE}.
type sealing struct {
	None   bool
	Keyset value[string] `yaml:"keyset"`
	line   int
	wrong  bool // as it stands in the file, which the decoder says
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *sealing) UnmarshalYAML(n *yaml.Node) error {
	s.line, s.wrong = n.Line, true
	if n.Kind == yaml.ScalarNode {
		if n.Value != "none" {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf(`line %d: seal must be {keyset: FILE}, or none in so many words`, n.Line)}}
		}
		s.None, s.wrong = true, false
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Value != "keyset" {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: unknown key %q in seal", key.Line, key.Value)}}
		}
	}
	type plain sealing
	if err := n.Decode((*plain)(s)); err != nil {
		return err
	}
	s.wrong = false
	return nil
}

// override takes "none" from IMPRIMATUR_SEAL.
func (s *sealing) override(text, origin string) error {
	if text != "none" {
		return fmt.Errorf("%s: must be none, or leave it and set %s_KEYSET", origin, origin)
	}
	s.None, s.Keyset = true, value[string]{}
	return nil
}

// later is a key of a later version.
type later struct{ line int }

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *later) UnmarshalYAML(n *yaml.Node) error {
	l.line = n.Line
	return nil
}

// Defaults of settings that nobody makes.
const (
	defaultListen   = "127.0.0.1:8080"
	defaultDatabase = "sqlite:imprimatur.db"
	minLease        = 10 * time.Second
	minRetention    = time.Hour
	maxWorkers      = 1000 // of one process
)
