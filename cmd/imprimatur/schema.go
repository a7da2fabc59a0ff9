package main

import (
	"errors"
	"os"
	"path"

	"github.com/imprimatur-dev/imprimatur/content"
)

// schema is the built-in schema with the tables that the configuration brings.
func (l *loaded) schema() (*content.Schema, error) {
	built := content.DefaultSchema()
	dir := l.schemas
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
	v := l.Content.Schemas
	if !v.Set {
		return
	}
	_, err := l.schema()
	if err == nil {
		return
	}
	faults, ok := err.(interface{ Unwrap() []error })
	if !ok {
		l.wrong(v.source, "content.schemas: %s: %s", v.V, why(err))
		return
	}
	for _, fault := range faults.Unwrap() {
		var one *content.SchemaError
		if errors.As(fault, &one) {
			l.wrong(v.source, "content.schemas: %s", schemaFault(v.V, one))
		}
	}
}

func schemaFault(dir string, e *content.SchemaError) string {
	named := *e
	named.File = path.Join(dir, e.File)
	return named.Error()
}
