package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/client"
)

// remote is how a command reaches a server.
type remote struct {
	Server string `env:"IMPRIMATUR_SERVER" default:"http://127.0.0.1:8080" placeholder:"URL" help:"Address of the server."`
	Token  string `env:"IMPRIMATUR_TOKEN" placeholder:"TOKEN" help:"Token of whoever asks; IMPRIMATUR_TOKEN_FILE names a file that holds it."`
}

// dial returns the client; nothing is sent yet.
func (r remote) dial(a *app) (*client.Client, error) {
	token := r.Token
	if token == "" {
		var err error
		if token, _, err = fromEnvironment("IMPRIMATUR_TOKEN", a.env); err != nil {
			return nil, err
		}
	}
	if token == "" {
		return nil, usageError{"a token is needed: --token, IMPRIMATUR_TOKEN or IMPRIMATUR_TOKEN_FILE"}
	}
	c, err := client.New(client.Config{Server: r.Server, Token: token})
	if err != nil {
		return nil, usageError{err.Error()}
	}
	return c, nil
}

// link is where people find the run.
func (r remote) link(run string) string { return strings.TrimSuffix(r.Server, "/") + "/runs/" + run }

// live prints the steps of a run as they happen.
func (a *app) live() client.Watcher {
	return client.Watcher{
		Begun: func(run string) { a.say("run %s", plain(run)) },
		Step: func(s imprimatur.Step) {
			var p struct {
				Tool   string   `json:"tool"`
				OK     *bool    `json:"ok"`
				Ms     int64    `json:"ms"`
				Calls  []string `json:"calls"`
				Finish string   `json:"finish"`
			}
			_ = json.Unmarshal(s.Payload, &p) // what does not fit is not shown
			var what string
			switch {
			case s.Kind == imprimatur.EventTool && p.OK != nil && *p.OK:
				what = fmt.Sprintf("%s done in %d ms", p.Tool, p.Ms)
			case s.Kind == imprimatur.EventTool:
				what = p.Tool + " failed"
			case s.Kind == imprimatur.EventStart:
				what = p.Tool + " starts"
			case s.Kind == imprimatur.EventModel && len(p.Calls) > 0:
				what = "the model asks for " + strings.Join(p.Calls, ", ")
			case s.Kind == imprimatur.EventModel:
				what = "the model answered"
			case s.Kind == imprimatur.EventRequest:
				what = "the model is asked"
			default:
				what = string(s.Kind)
			}
			a.say("  round %d: %s", s.Round, plain(what))
		},
	}
}
