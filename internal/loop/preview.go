package loop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
)

// moment is when a picture is taken; it chooses the words for one that fails.
type moment bool

const (
	first moment = false // the turn pauses
	again moment = true  // it was approved
)

// preview takes the picture of one call, in the language of the user the run
// acts for, bounded as it is stored, shown and compared. It never fails: a tool
// that does leaves a preview that says so.
func (l *Loop) preview(ctx context.Context, d imprimatur.Descriptor, index int, c imprimatur.ToolCall, when moment) (imprimatur.Preview, any) {
	p := imprimatur.Preview{Index: index, Tool: c.Name, Language: l.Printer.Lang()}
	picture, err := picture(ctx, d.Previewer, l.call(c))
	switch {
	case err != nil:
		l.Log.ErrorContext(ctx, "preview failed", slog.String("run", l.Run), slog.String("call", c.ID),
			slog.String("tool", c.Name), slog.Any("error", err))
		sentence := catalogue.CardFailed
		if when == again {
			sentence = catalogue.CardFailedAtResume
		}
		class := imprimatur.Phrase{Label: catalogue.TechnicalClass, Values: map[string]any{"class": errorClass(err)}}
		p.Failed = true
		p.Lines = l.print([]imprimatur.Text{notice(sentence, nil), catalogue.Technical(class)})
	default:
		p.Lines = l.print(picture.Lines)
		if len(p.Lines) == 0 {
			p.Failed = true
			p.Lines = l.print([]imprimatur.Text{notice(catalogue.CardEmpty, nil)})
			break
		}
		p.Neutral = len(picture.Lines) == 1 && picture.Lines[0].Label == imprimatur.LabelNeutralRefusal
	}
	return p, picture.Token
}

// unavailable stands for the picture of a tool that is gone or previews no
// more.
func (l *Loop) unavailable(index int, c imprimatur.ToolCall) imprimatur.Preview {
	return imprimatur.Preview{
		Index: index, Tool: c.Name, Language: l.Printer.Lang(), Failed: true,
		Lines: l.print([]imprimatur.Text{notice(catalogue.CardUnavailable, nil)}),
	}
}

// print turns texts into bounded lines; one that says nothing is none. The line
// that says how many were cut is part of the comparison.
func (l *Loop) print(texts []imprimatur.Text) []imprimatur.Line {
	printed := slices.DeleteFunc(l.Printer.Lines(texts), func(line imprimatur.Line) bool {
		return imprimatur.BoundText(line.Text, line.Role == imprimatur.RoleCode) == ""
	})
	lines, cut := imprimatur.Bound(printed)
	if cut > 0 {
		overflow := imprimatur.Text{Role: imprimatur.RoleOverflow, Phrase: imprimatur.Phrase{
			Label: catalogue.CardOverflow, Values: map[string]any{"count": cut},
		}}
		extra, _ := imprimatur.Bound([]imprimatur.Line{l.Printer.Line(overflow)})
		lines = append(lines, extra...)
	}
	return lines
}

func notice(label imprimatur.Label, values map[string]any) imprimatur.Text {
	return imprimatur.Text{Role: imprimatur.RoleNotice, Phrase: imprimatur.Phrase{Label: label, Values: values}}
}

// picture calls the tool; its panic is its error.
func picture(ctx context.Context, p imprimatur.Previewer, call imprimatur.Call) (pic imprimatur.Picture, err error) {
	defer recovered(&err)
	return p.Preview(ctx, call)
}

// panicked is the error that a tool's panic becomes.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &panicked{v, debug.Stack()}
	}
}

// call is a pending call as the tool gets it.
func (l *Loop) call(c imprimatur.ToolCall) imprimatur.Call {
	return imprimatur.Call{Run: l.Run, ID: c.ID, Key: l.Run + "/" + c.ID, Args: c.Arguments, User: l.User}
}

// errorClass names the type of the innermost error, and never its text, which
// may hold anything.
func errorClass(err error) string {
	if p := (*panicked)(nil); errors.As(err, &p) {
		return "panic"
	}
	for {
		next := errors.Unwrap(err)
		if next == nil {
			break
		}
		err = next
	}
	class := strings.TrimPrefix(fmt.Sprintf("%T", err), "*")
	if class == "errors.errorString" || class == "fmt.wrapError" || class == "fmt.wrapErrors" || class == "errors.joinError" {
		return "error"
	}
	return class
}
