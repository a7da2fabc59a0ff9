// Package demo is a small museum on an island that does not exist: its website
// in English and German, the people who work on it, and an agent that follows a
// script. It shows every kind of card without an account, a model or a network.
//
//	museum.go     Seed: people, pages, pictures, once
//	pages_*.go    what the website says
//	news.go       its news: a table of its own, which schema/news.toml describes
//	picture.go    the pictures, drawn here
//	people.go     who works on it, and what they may do
//	sign.go       a tool that shows how an installation brings its own
//	cards.go      Fill: the runs that the inbox begins with
//	change.go     the change behind a card, made by a colleague
//	alter.go      what there is to change behind which card
//	hint.go       what the strip above a page says
//
// Everything in it was made up and made for it.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/imprimatur-dev/imprimatur"
)

// AgentName is the agent of the museum.
const AgentName = "museum"

// Storage is the name of the file storage that the pictures lie in.
const Storage = "media"

//go:embed script.yaml
var script []byte

//go:embed locale/*.toml locale/further/*/*.toml
var locale embed.FS

//go:embed schema/*.toml
var schemas embed.FS

// Schemas describes the museum's own table, for content.LoadSchemas. The
// repository that Seed fills needs it.
func Schemas() fs.FS { return within(schemas, "schema") }

// Script is what the agent's model plays, in the form of a scripted model.
func Script() io.Reader { return bytes.NewReader(script) }

// Catalogue holds the labels of the museum's own tool, in the languages of the
// program.
func Catalogue() fs.FS { return within(locale, "locale") }

// Further holds the labels of the museum's own tool in the languages that an
// installation adds, as far as the museum knows them. catalogue is the folder
// of the installation, and languages are those found.
func Further(catalogue fs.FS) (labels []fs.FS, languages []string, err error) {
	known, err := fs.ReadDir(locale, "locale/further")
	if err != nil {
		return nil, nil, fmt.Errorf("list the languages of the museum: %w", err)
	}
	for _, folder := range known {
		_, err := fs.Stat(catalogue, folder.Name()+".toml")
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, nil, fmt.Errorf("look for a language: %w", err)
		default:
			labels = append(labels, within(locale, "locale/further/"+folder.Name()))
			languages = append(languages, folder.Name())
		}
	}
	return labels, languages, nil
}

func within(embedded fs.FS, folder string) fs.FS {
	sub, err := fs.Sub(embedded, folder)
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// Agent is the agent of the museum, on the model of this name.
func Agent(model string) imprimatur.Agent {
	return imprimatur.Agent{
		Name: AgentName, Model: model, MaxRounds: 8,
		System: "You edit the website of the Harbour Museum Ebbenholm. Read a page before you change it, and change only what you were asked for.",
	}
}
