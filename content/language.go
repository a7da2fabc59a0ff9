package content

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed language.sql
var languageSQL string

var (
	sqlLanguages   = statement(languageSQL, "list")
	sqlSetLanguage = statement(languageSQL, "set")
)

// Language is one language that content is written in.
type Language struct {
	ID    int64 // 0 is the default language
	Code  string
	Label imprimatur.ByLanguage // what it is called, in the languages of users
}

// Languages returns the languages of the installation by id.
func (r reads) Languages(ctx context.Context) ([]Language, error) {
	all, err := collect(ctx, r.q, func(rows *sql.Rows) (Language, error) {
		var l Language
		var label string
		if err := rows.Scan(&l.ID, &l.Code, &label); err != nil {
			return l, err
		}
		err := json.Unmarshal([]byte(label), &l.Label)
		return l, err
	}, sqlLanguages)
	if err != nil {
		return nil, fmt.Errorf("read languages: %w", err)
	}
	return all, nil
}

// LanguageLabel is what a language is called, and whether it is installed. A
// language without a name is called by its code, then by its number.
func (r reads) LanguageLabel(ctx context.Context, id int64) (imprimatur.ByLanguage, bool, error) {
	all, err := r.Languages(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, l := range all {
		if l.ID == id {
			name := l.Code
			if name == "" {
				name = strconv.FormatInt(id, 10)
			}
			return r.schema.orName(name, Label{Text: l.Label}), true, nil
		}
	}
	return imprimatur.ByLanguage{"en": strconv.FormatInt(id, 10)}, false, nil
}

// SetLanguage installs a language or renames it.
func (r *Repository) SetLanguage(ctx context.Context, l Language) error {
	if l.ID < 0 {
		return fmt.Errorf("set language %d: an id is 0 or above", l.ID)
	}
	for _, text := range append([]string{l.Code}, values(l.Label)...) {
		if problem := badText(text); problem != "" {
			return fmt.Errorf("set language %d: %s", l.ID, problem)
		}
	}
	label, err := json.Marshal(l.Label)
	if err != nil {
		return fmt.Errorf("set language %d: %w", l.ID, err)
	}
	return r.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		if _, err := tx.ExecContext(ctx, sqlSetLanguage, l.ID, l.Code, string(label)); err != nil {
			return fmt.Errorf("set language %d: %w", l.ID, err)
		}
		return nil
	})
}

func values(m imprimatur.ByLanguage) []string {
	var all []string
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// languageRecord shows a language as a record like any other.
func (r reads) languageRecord(ctx context.Context, u imprimatur.User, id int64) (Record, error) {
	if !MaySelect(u, Languages) {
		return Record{}, ErrNotFound
	}
	all, err := r.Languages(ctx)
	if err != nil {
		return Record{}, err
	}
	for _, l := range all {
		if l.ID == id {
			return Record{Table: Languages, UID: id, Version: 1, Fields: map[string]any{"code": l.Code, "title": pick(l.Label, "en")}}, nil
		}
	}
	return Record{}, ErrNotFound
}
