package main

import (
	"errors"
	"os"
	"path"

	"github.com/imprimatur-dev/imprimatur/content"
)

// schema is the schema as described, in every language that there is.
func (l *loaded) schema() (*content.Schema, error) {
	s, err := l.described()
	if err == nil && l.Catalogues.Set {
		return s.Translated(os.DirFS(l.path(l.Catalogues)))
	}
	return s, err
}

// described is the built-in schema with the tables that the configuration
// brings.
func (l *loaded) described() (*content.Schema, error) {
	built, dir := content.DefaultSchema(), l.schemas
	switch {
	case dir != nil:
	case l.Content.Schemas.Set:
		dir = os.DirFS(l.path(l.Content.Schemas))
	default:
		return built, nil
	}
	tables, labels, err := content.LoadSchemas(dir)
	if err != nil {
		return nil, err
	}
	return built.With(tables, labels)
}

// checkSchemas names every mistake in the schema files, by file and line.
func (l *loaded) checkSchemas() {
	if !l.Content.Schemas.Set {
		return
	}
	if _, err := l.described(); err != nil {
		l.wrongSchema("content.schemas", l.Content.Schemas, err)
	}
}

// wrongSchema names what is wrong with the files of a folder.
func (l *loaded) wrongSchema(key string, v value[string], err error) {
	faults, ok := err.(interface{ Unwrap() []error })
	if !ok {
		l.wrong(v.source, "%s: %s: %s", key, v.V, why(err))
		return
	}
	for _, fault := range faults.Unwrap() {
		var one *content.SchemaError
		if errors.As(fault, &one) {
			l.wrong(v.source, "%s: %s", key, schemaFault(v.V, one))
		}
	}
}

func schemaFault(dir string, e *content.SchemaError) string {
	named := *e
	named.File = path.Join(dir, e.File)
	return named.Error()
}
