package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/tool"
)

const (
	noNote = "There is no such note, or it may not be read."
	// toolSecret is in the text of every error of these tools. It belongs in
	// the log and nowhere else.
	toolSecret = "password hunter2 of jana@host"
)

// dialFailure is an error with a class of its own.
type dialFailure struct{ text string }

func (e *dialFailure) Error() string { return e.text }

type (
	noteArgs struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
	}
	readArgs struct {
		ID int `json:"id"`
	}
	showArgs struct {
		ID int    `json:"id"`
		As string `json:"as"`
	}
	howArgs struct {
		How string `json:"how" is:"optional"`
	}
	largeArgs struct {
		Bytes int    `json:"bytes"`
		Of    string `json:"of"`
	}
)

// variant is how the tools of one start differ from the usual ones.
type variant struct{ without, plain, reworded []string }

// tools are the tools of the world.
func (w *world) tools(v variant) []imprimatur.Tool {
	all := []imprimatur.Tool{
		write(w, v, "append_note", imprimatur.NonIdempotentWrite, func(old, text string) string { return old + " " + text }),
		write(w, v, "set_note", imprimatur.IdempotentWrite, func(_, text string) string { return text }),
		administrative{write(w, v, "admin_write", imprimatur.NonIdempotentWrite, func(_, text string) string { return text })},
		w.read(v, "read_note", false), w.read(v, "secret_read", true),
		w.show(v), w.ping(v), w.explode(v), w.large(v),
	}
	return slices.DeleteFunc(all, func(t imprimatur.Tool) bool { return slices.Contains(v.without, t.Spec().Name) })
}

// administrative is a write that only administrators are offered.
type administrative struct{ imprimatur.Tool }

func (administrative) AdminOnly() bool                 { return true }
func (administrative) Effect() imprimatur.Effect       { return imprimatur.NonIdempotentWrite }
func (a administrative) preview() imprimatur.Previewer { return a.Tool.(imprimatur.Previewer) }

func (a administrative) Preview(ctx context.Context, c imprimatur.Call) (imprimatur.Picture, error) {
	return a.preview().Preview(ctx, c)
}

func (a administrative) MayRead(ctx context.Context, c imprimatur.Call, u imprimatur.User) (bool, error) {
	return a.preview().MayRead(ctx, c, u)
}

// define adds what all tools of the world have in common.
func define[A any](w *world, v variant, d tool.Definition[A]) imprimatur.Tool {
	d.Description = "A tool of the scenarios."
	if slices.Contains(v.reworded, d.Name) {
		d.Description = "The same tool in other words."
	}
	execute := d.Execute
	d.Execute = func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Result, error) {
		w.entered(d.Name, call)
		w.at("execute " + d.Name)
		return execute(ctx, call, args)
	}
	if d.Preview != nil && slices.Contains(v.plain, d.Name) {
		d.Preview, d.MayRead = nil, nil
	}
	if preview := d.Preview; preview != nil {
		d.Preview = func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Picture, error) {
			w.mu.Lock()
			w.previewed[d.Name]++
			w.mu.Unlock()
			w.at("preview " + d.Name)
			return preview(ctx, call, args)
		}
	}
	return tool.New(d)
}

// write is a tool that changes a note. Only append_note compares and sets.
func write(w *world, v variant, name string, effect imprimatur.Effect, to func(old, text string) string) imprimatur.Tool {
	return define(w, v, tool.Definition[noteArgs]{
		Name: name, Effect: effect,
		Preview: func(_ context.Context, call imprimatur.Call, args noteArgs) (imprimatur.Picture, error) {
			n, ok := w.visible(call.User, args.ID)
			if !ok {
				return imprimatur.RefuseNeutrally(noNote), nil
			}
			pic := picture(name, args.ID, n.text, to(n.text, args.Text))
			if name == "append_note" {
				pic.Token = noteToken{args.ID, n.version}
			}
			return pic, nil
		},
		MayRead: w.mayRead,
		Execute: func(_ context.Context, call imprimatur.Call, args noteArgs) (imprimatur.Result, error) {
			if _, ok := w.visible(call.User, args.ID); !ok {
				return imprimatur.Result{Content: noNote, IsError: true}, nil
			}
			left, err := w.change(call, args.ID, func(old string) string { return to(old, args.Text) })
			if err != nil {
				return imprimatur.Result{}, err
			}
			w.effect(name)
			res := imprimatur.Result{Content: "Written.", Wrote: &imprimatur.Written{Table: "notes", UID: int64(args.ID), Kind: "updated", Complete: true}}
			if name == "append_note" {
				res.Token = left
			}
			return res, nil
		},
	})
}

func (w *world) mayRead(_ context.Context, _ imprimatur.Call, args noteArgs, viewer imprimatur.User) (bool, error) {
	_, ok := w.visible(viewer, args.ID)
	return ok, nil
}

func picture(tool string, id int, current, proposed string) imprimatur.Picture {
	field := catalogue.Field{Name: phrase("x.notes.text"), Column: "text", Current: current, Proposed: proposed}
	record := imprimatur.Phrase{Label: catalogue.TechnicalRecord, Values: map[string]any{"table": "notes", "uid": id}}
	return imprimatur.Picture{Lines: append([]imprimatur.Text{
		catalogue.Heading(imprimatur.Label("x.notes.heading." + tool)), field.Line(),
	}, catalogue.TechnicalLines([]imprimatur.Phrase{record}, field.Technical())...)}
}

func phrase(label string) imprimatur.Phrase { return imprimatur.Phrase{Label: imprimatur.Label(label)} }

func (w *world) read(v variant, name string, asks bool) imprimatur.Tool {
	d := tool.Definition[readArgs]{
		Name: name, Asks: asks,
		Execute: func(_ context.Context, call imprimatur.Call, args readArgs) (imprimatur.Result, error) {
			n, ok := w.visible(call.User, args.ID)
			if !ok {
				return imprimatur.Result{Content: noNote, IsError: true}, nil
			}
			w.effect(name)
			return imprimatur.Result{Content: n.text}, nil
		},
	}
	if asks {
		d.Preview = func(_ context.Context, call imprimatur.Call, args readArgs) (imprimatur.Picture, error) {
			n, ok := w.visible(call.User, args.ID)
			if !ok {
				return imprimatur.RefuseNeutrally(noNote), nil
			}
			return picture(name, args.ID, n.text, n.text), nil
		}
		d.MayRead = func(_ context.Context, _ imprimatur.Call, args readArgs, viewer imprimatur.User) (bool, error) {
			_, ok := w.visible(viewer, args.ID)
			return ok, nil
		}
	}
	return define(w, v, d)
}

// show is a write whose preview is as odd as the note it shows.
func (w *world) show(v variant) imprimatur.Tool {
	return define(w, v, tool.Definition[showArgs]{
		Name: "show", Effect: imprimatur.IdempotentWrite,
		Preview: func(_ context.Context, _ imprimatur.Call, args showArgs) (imprimatur.Picture, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			text := w.notes[args.ID].text
			switch args.As {
			case "lines":
				var pic imprimatur.Picture
				for line := range strings.SplitSeq(text, "|") {
					pic.Lines = append(pic.Lines, verbatim(imprimatur.RoleText, line))
				}
				return pic, nil
			case "code":
				return imprimatur.Picture{Lines: []imprimatur.Text{verbatim(imprimatur.RoleCode, text)}}, nil
			case "wobble":
				w.wobbles++
				return imprimatur.Picture{Lines: []imprimatur.Text{verbatim(imprimatur.RoleText, fmt.Sprintf("look number %d", w.wobbles))}}, nil
			case "mood":
				switch text {
				case "error":
					return imprimatur.Picture{}, fmt.Errorf("look at note: %w", &dialFailure{toolSecret})
				case "panic":
					panic(toolSecret)
				case "empty":
					return imprimatur.Picture{}, nil
				case "refuse":
					return imprimatur.Refuse("Notes of this kind are never shown."), nil
				}
			}
			return imprimatur.Picture{Lines: []imprimatur.Text{verbatim(imprimatur.RoleText, text)}}, nil
		},
		MayRead: func(_ context.Context, _ imprimatur.Call, args showArgs, viewer imprimatur.User) (bool, error) {
			_, ok := w.visible(viewer, args.ID)
			if w.hidden["broken "+viewer.Name] {
				return false, errors.New(toolSecret)
			}
			return ok, nil
		},
		Execute: func(_ context.Context, _ imprimatur.Call, args showArgs) (imprimatur.Result, error) {
			if n := w.notes[args.ID]; args.As == "mood" && n.text == "refuse" {
				return imprimatur.Result{Content: "Notes of this kind are never shown.", IsError: true}, nil
			}
			w.effect("show")
			return imprimatur.Result{Content: "Shown."}, nil
		},
	})
}

func verbatim(role imprimatur.Role, text string) imprimatur.Text {
	return imprimatur.Text{Role: role, Phrase: imprimatur.Phrase{Label: imprimatur.LabelVerbatim, Values: map[string]any{"text": text}}}
}

// ping is a write without preview.
func (w *world) ping(v variant) imprimatur.Tool {
	return define(w, v, tool.Definition[howArgs]{
		Name: "ping", Effect: imprimatur.NonIdempotentWrite,
		Execute: func(_ context.Context, _ imprimatur.Call, args howArgs) (imprimatur.Result, error) {
			w.effect("ping")
			return failing(args.How, "Pinged.")
		},
	})
}

// explode is a read that fails in the way it is asked to.
func (w *world) explode(v variant) imprimatur.Tool {
	return define(w, v, tool.Definition[howArgs]{
		Name: "explode",
		Execute: func(_ context.Context, _ imprimatur.Call, args howArgs) (imprimatur.Result, error) {
			return failing(args.How, "Nothing happened.")
		},
	})
}

func failing(how, otherwise string) (imprimatur.Result, error) {
	switch how {
	case "error":
		return imprimatur.Result{}, &dialFailure{toolSecret}
	case "panic":
		panic(toolSecret)
	case "nothing":
		return imprimatur.Result{}, nil
	default:
		return imprimatur.Result{Content: otherwise}, nil
	}
}

// large is a read with a result of a given size.
func (w *world) large(v variant) imprimatur.Tool {
	return define(w, v, tool.Definition[largeArgs]{
		Name: "large",
		Execute: func(_ context.Context, _ imprimatur.Call, args largeArgs) (imprimatur.Result, error) {
			return imprimatur.Result{Content: strings.Repeat(args.Of, args.Bytes/len(args.Of))}, nil
		},
	})
}

// worldTexts are the labels of the world.
func worldTexts() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"en.toml": file(`"x.notes.text" = "Text of the note"
"x.notes.heading.append_note" = "Add to note"
"x.notes.heading.set_note" = "Rewrite note"
"x.notes.heading.admin_write" = "Rewrite protected note"
"x.notes.heading.secret_read" = "Read protected note"
`),
		"de.toml": file(`"x.notes.text" = "Text der Notiz"
"x.notes.heading.append_note" = "Notiz ergänzen"
"x.notes.heading.set_note" = "Notiz neu schreiben"
"x.notes.heading.admin_write" = "Geschützte Notiz neu schreiben"
"x.notes.heading.secret_read" = "Geschützte Notiz lesen"
`),
	}
}
