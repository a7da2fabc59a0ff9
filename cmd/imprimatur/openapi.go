package main

import (
	"fmt"

	"github.com/imprimatur-dev/imprimatur/api"
)

type openapiCmd struct{}

// Example implements exampled.
func (openapiCmd) Example() string { return "imprimatur openapi > openapi.json" }

// Run prints the document.
func (openapiCmd) Run(a *app) error {
	document, err := api.Document()
	if err != nil {
		return err
	}
	if _, err := a.out.Write(document); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
