package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/editorial"
	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/model/openai"
	"github.com/imprimatur-dev/imprimatur/model/scripted"
	"github.com/imprimatur-dev/imprimatur/store"
	"github.com/imprimatur-dev/imprimatur/tool/fetch"
)

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// check looks for wrong values. Every mistake is noted; nothing is opened but
// the files that the configuration names.
func (l *loaded) check(env environment) {
	l.checkLater(reflect.ValueOf(l.config), "", env)
	l.checkAddress()
	l.checkDatabase()
	l.checkSeal()
	l.checkCatalogues()
	l.checkSchemas()
	for _, name := range slices.Sorted(maps.Keys(l.Content.Storages)) {
		if v := l.Content.Storages[name]; !nameForm.MatchString(name) {
			l.wrong(v.source, "content.storages: %q is no name for a storage", name)
		}
	}
	l.oneOf(l.Log.Level, "log.level", "debug", "info", "warn", "error")
	l.oneOf(l.Log.Privacy, "log.privacy", "metadata")
	if l.Lease.Set {
		if d, err := time.ParseDuration(l.Lease.V); err != nil || d < minLease {
			l.wrong(l.Lease.source, `lease: must be a time such as "15m", at least %s`, minLease)
		}
	}
	if l.Workers.Set && (l.Workers.V < 0 || l.Workers.V > maxWorkers) {
		l.wrong(l.Workers.source, "workers: must be a whole number from 0 to %d", maxWorkers)
	}
	l.checkRetention(l.Retention.Finished, "retention.finished")
	l.checkRetention(l.Retention.Unfinished, "retention.unfinished")
	for _, name := range slices.Sorted(maps.Keys(l.Models)) {
		l.checkModel(name, l.Models[name], env)
	}
	known := toolNames()
	l.checkTools(l.Tools.Editorial.Off, "tools.editorial.off", slices.DeleteFunc(slices.Clone(known), func(name string) bool { return name == fetch.Name }))
	l.checkNoDrafts()
	l.checkSites()
	l.checkFetch()
	for _, name := range slices.Sorted(maps.Keys(l.Agents)) {
		l.checkAgent(name, l.Agents[name], known)
	}
}

func (l *loaded) checkRetention(v value[string], key string) {
	if !v.Set {
		return
	}
	if d, err := time.ParseDuration(v.V); err != nil || d < minRetention {
		l.wrong(v.source, `%s: must be a time such as "720h", at least %s; without it nothing is deleted`, key, minRetention)
	}
}

// retention is how long runs are kept. What is not said is kept for good.
func (l *loaded) retention() (r store.Retention) {
	r.Finished, _ = time.ParseDuration(l.Retention.Finished.V) // they were checked
	r.Unfinished, _ = time.ParseDuration(l.Retention.Unfinished.V)
	return r
}

func (l *loaded) checkCatalogues() {
	if !l.Catalogues.Set {
		return
	}
	dir := os.DirFS(l.path(l.Catalogues))
	if _, err := fs.ReadDir(dir, "."); err != nil {
		l.wrong(l.Catalogues.source, "catalogues: %s: %s", l.Catalogues.V, why(err))
	} else if _, err := catalogue.New(dir); err != nil {
		l.wrong(l.Catalogues.source, "catalogues: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	} else if _, err := content.DefaultSchema().Translated(dir); err != nil {
		l.wrongSchema("catalogues", l.Catalogues, err)
	}
}

// checkLater refuses keys of later versions, in the file and in the
// environment.
func (l *loaded) checkLater(group reflect.Value, prefix string, env environment) {
	for i := range group.NumField() {
		field := group.Type().Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if !field.IsExported() {
			continue
		}
		switch f := group.Field(i).Interface().(type) {
		case later:
			at := []source{{line: f.line}}
			name := "IMPRIMATUR_" + variable(prefix+key)
			if _, set, err := fromEnvironment(name, env); set || err != nil {
				at = append(at, source{origin: name})
			}
			for _, s := range at {
				if s != (source{}) {
					l.wrong(s, "%s%s is not in this version: %s", prefix, key, field.Tag.Get("needs"))
				}
			}
		case toolsConfig:
			l.checkLater(group.Field(i), prefix+key+".", env)
		}
	}
}

func (l *loaded) checkAddress() {
	if l.Listen.Set {
		_, port, err := net.SplitHostPort(l.Listen.V)
		if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || strconv.FormatUint(n, 10) != port {
			l.wrong(l.Listen.source, "listen: must be HOST:PORT, as in %s", defaultListen)
		}
	}
	if !l.URL.Set {
		return
	}
	u, err := url.Parse(l.URL.V)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		l.wrong(l.URL.source, "url: must be http://HOST or https://HOST, without a path")
	}
}

func (l *loaded) checkDatabase() {
	if !l.Database.Set {
		return
	}
	kind, rest, _ := strings.Cut(l.Database.V, ":")
	switch {
	case l.onPostgres():
		if err := store.CheckAddress(l.Database.V); err != nil {
			l.wrong(l.Database.source, "database: is no address of a PostgreSQL database; as in postgres://user@host/db")
		}
	case kind != "sqlite" || rest == "":
		l.wrong(l.Database.source, "database: must be sqlite:FILE or postgres://user@host/db")
	}
}

func (l *loaded) checkSeal() {
	at := source{line: l.Seal.line}
	switch {
	case l.Seal.None || l.Seal.wrong:
	case !l.Seal.Keyset.Set:
		l.wrong(at, "seal: say {keyset: FILE} (imprimatur key new FILE makes one), or none in so many words")
	default:
		name := l.Seal.Keyset
		if _, err := l.keyset(); errors.Is(err, fs.ErrNotExist) {
			l.wrong(name.source, "seal.keyset: there is no file %s; imprimatur key new makes one", name.V)
		} else if err != nil {
			l.wrong(name.source, "seal.keyset: %s: %s", name.V, why(err))
		}
	}
}

// keyset reads the keyset file; none where storage is unsealed.
func (l *loaded) keyset() ([]byte, error) {
	if l.Seal.None {
		return nil, nil
	}
	keys, err := readBounded(l.path(l.Seal.Keyset))
	if err != nil {
		return nil, err
	}
	if _, err := seal.Open(keys); err != nil {
		return nil, fmt.Errorf("the file holds no keyset")
	}
	return keys, nil
}

func (l *loaded) oneOf(v value[string], key string, words ...string) {
	if v.Set && !slices.Contains(words, v.V) {
		l.wrong(v.source, "%s: must be %s", key, strings.Join(words, ", "))
	}
}

func (l *loaded) checkModel(name string, m *modelConfig, env environment) {
	key := "models." + name
	switch {
	case m == nil:
		l.wrong(l.at(key), "%s: a value is missing", key)
	case !m.Kind.Set:
		l.wrong(l.at(key), "%s.kind: is missing; it is scripted or openai", key)
	case m.Kind.V == "scripted":
		l.refuse(key, m.Kind.V, map[string]source{"base_url": m.BaseURL.source, "model": m.Model.source, "api_key_env": m.APIKeyEnv.source, "stream": m.Stream.source})
		if !m.Script.Set {
			l.wrong(l.at(key), "%s.script: is missing", key)
		} else if _, err := l.script(m); err != nil {
			l.wrong(m.Script.source, "%s.script: %s: %s", key, m.Script.V, why(err))
		}
	case m.Kind.V == "openai":
		l.refuse(key, m.Kind.V, map[string]source{"script": m.Script.source})
		if m.APIKeyEnv.Set {
			if _, set, err := fromEnvironment(m.APIKeyEnv.V, env); err != nil || !set {
				l.wrong(m.APIKeyEnv.source, "%s.api_key_env: the variable %s is not set", key, m.APIKeyEnv.V)
				l.found[len(l.found)-1].served = true
			}
		}
		if !m.Model.Set {
			l.wrong(l.at(key), "%s.model: is missing", key)
		} else if _, err := openai.New(m.openai("")); err != nil {
			l.wrong(m.anywhere(), "%s: %s", key, err)
		}
	case m.Kind.V == "anthropic":
		l.wrong(m.Kind.source, "%s.kind: anthropic is not in this version; use scripted or openai", key)
	default:
		l.wrong(m.Kind.source, "%s.kind: must be scripted or openai", key)
	}
}

// refuse names keys that another kind of model has.
func (l *loaded) refuse(key, kind string, others map[string]source) {
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if s := others[name]; s != (source{}) {
			l.wrong(s, "%s.%s: a model of kind %s has none", key, name, kind)
		}
	}
}

// anywhere is the first place that says something about the model.
func (m *modelConfig) anywhere() source {
	for _, s := range []source{m.Kind.source, m.Model.source, m.BaseURL.source, m.Script.source, m.APIKeyEnv.source, m.Stream.source} {
		if s != (source{}) {
			return s
		}
	}
	return source{}
}

func (m *modelConfig) openai(key string) openai.Config {
	return openai.Config{BaseURL: m.BaseURL.V, Model: m.Model.V, Stream: m.Stream.V, APIKey: key}
}

// script reads the script of a scripted model.
func (l *loaded) script(m *modelConfig) (*scripted.Model, error) {
	f, err := os.Open(l.path(m.Script))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return scripted.Load(f)
}

func (l *loaded) checkAgent(name string, a *agentConfig, known []string) {
	key := "agents." + name
	if a == nil {
		l.wrong(l.at(key), "%s: a value is missing", key)
		return
	}
	if !nameForm.MatchString(name) {
		l.wrong(l.at(key), "%s: a name has 1 to 64 of a-z, 0-9, _ and -", key)
	}
	switch _, there := l.Models[a.Model.V]; {
	case !a.Model.Set:
		l.wrong(l.at(key), "%s.model: is missing", key)
	case !there:
		l.wrong(a.Model.source, "%s.model: there is no model named %q", key, a.Model.V)
	}
	if n := a.MaxRounds; n.Set && (n.V < 1 || n.V > imprimatur.MaxRounds) {
		l.wrong(n.source, "%s.max_rounds: must be from 1 to %d", key, imprimatur.MaxRounds)
	}
	if n := a.MaxTokensTotal; n.Set && n.V < 1 {
		l.wrong(n.source, "%s.max_tokens_total: must be at least 1", key)
	}
	l.checkTools(a.Tools, key+".tools", known)
}

func (l *loaded) checkTools(v value[[]string], key string, known []string) {
	for _, name := range v.V {
		if !slices.Contains(known, name) {
			l.wrong(v.source, "%s: there is no tool named %q; there are %s", key, name, strings.Join(known, ", "))
		}
	}
}

// toolNames lists the tools of this version. The repository they are made over
// is never asked anything.
func toolNames() []string {
	repo, err := content.Open(content.Config{Writer: new(sql.DB), Reader: new(sql.DB)})
	if err != nil {
		panic(err) // the built-in schema is valid: the tests of its package prove it
	}
	names := []string{fetch.Name}
	for _, t := range editorial.Tools(repo) {
		names = append(names, t.Spec().Name)
	}
	slices.Sort(names)
	return names
}

// level is how much is logged.
func (l *loaded) level() slog.Level {
	level := slog.LevelInfo
	if l.Log.Level.Set {
		_ = level.UnmarshalText([]byte(l.Log.Level.V)) // checked: it is one of the four
	}
	return level
}
