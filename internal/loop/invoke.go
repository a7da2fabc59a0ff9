package loop

import (
	"context"
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/imprimatur-dev/imprimatur"
)

// invoke enters the tool. It is the only place in the program that does. Once
// a write was entered the caller's context no longer ends it: half a write is
// worse than one nobody waits for.
func (l *Loop) invoke(ctx context.Context, d imprimatur.Descriptor, call imprimatur.Call) (res imprimatur.Result, err error) {
	defer recovered(&err)
	return d.Tool.Execute(context.WithoutCancel(ctx), call)
}

const cutMarker = "\n[cut: the result was longer]"

// bounded is the result as the model reads it. The text of an error goes to
// the log alone: it may hold anything.
func (l *Loop) bounded(ctx context.Context, c imprimatur.ToolCall, res imprimatur.Result, err error) imprimatur.Result {
	if err != nil {
		l.Log.ErrorContext(ctx, "tool failed", slog.String("run", l.Run), slog.String("call", c.ID),
			slog.String("tool", c.Name), slog.Any("error", err))
		return imprimatur.Result{Content: "The tool " + c.Name + " failed. The operator can find the cause in the log.", IsError: true}
	}
	res.Content = boundResult(res.Content)
	return res
}

// boundResult keeps a result valid UTF-8 and within its bytes, never cutting
// a character in two.
func boundResult(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= imprimatur.MaxResult {
		return s
	}
	end := imprimatur.MaxResult - len(cutMarker)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + cutMarker
}
