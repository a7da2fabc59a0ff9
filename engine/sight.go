package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/imprimatur-dev/imprimatur"
)

// view of one preview, as a caller may have it.
type visibility int

const (
	shownWhole   visibility = iota
	hiddenText              // a refusal or failure whose text is not for this caller
	withheldLine            // this caller may not read it, the acting user may
	outOfDate               // nobody may read what it shows any more
)

// sight is what a caller may see of a turn's previews (rulings §2).
type sight struct {
	by  map[int]visibility // by index; absent: the call has no preview
	old []int              // the calls that are out of date
	was map[int]bool       // of failed previews: the lines that they replace may be read
}

func (s sight) withheld() bool {
	for _, v := range s.by {
		if v == withheldLine {
			return true
		}
	}
	return false
}

// outOfDate reports whether the turn can only come back. A withheld call wins.
func (s sight) outOfDate() bool { return len(s.old) > 0 && !s.withheld() }

// see asks the tools, live, who may read the previews of a turn. A preview that
// is a refusal or failed is never asked about.
func (e *Engine) see(ctx context.Context, run string, viewer imprimatur.Actor, owner imprimatur.User, calls []imprimatur.ToolCall, previews []imprimatur.Preview) sight {
	s := sight{by: map[int]visibility{}, was: map[int]bool{}}
	for i, c := range calls {
		p := imprimatur.PreviewOf(previews, i, c.Name)
		if p == nil {
			continue
		}
		if p.Failed {
			call := imprimatur.Call{Run: run, ID: c.ID, Args: c.Arguments, User: owner}
			may, err := e.mayRead(ctx, e.tools[c.Name], call, viewer.User)
			s.was[i] = may && err == nil
		}
		s.by[i] = e.seeOne(ctx, run, viewer, owner, c, *p)
		if s.by[i] == outOfDate {
			s.old = append(s.old, i)
		}
	}
	return s
}

func (e *Engine) seeOne(ctx context.Context, run string, viewer imprimatur.Actor, owner imprimatur.User, c imprimatur.ToolCall, p imprimatur.Preview) visibility {
	if p.Failed || p.Refusal() {
		if p.Neutral || viewer.User.Admin || viewer.User.Exists() && viewer.User.ID == owner.ID {
			return shownWhole
		}
		return hiddenText
	}
	d := e.tools[c.Name]
	call := imprimatur.Call{Run: run, ID: c.ID, Args: c.Arguments, User: owner}
	viewerMay, err := e.mayRead(ctx, d, call, viewer.User)
	if viewerMay && err == nil {
		return shownWhole
	}
	ownerMay, err := e.mayRead(ctx, d, call, owner)
	if ownerMay || err != nil {
		return withheldLine
	}
	return outOfDate
}

// mayRead asks the tool. One that is gone or previews no more says no, and so
// does every tool to nobody. Whether somebody may use the tool is another
// question, and gate 2 asks it: who may not run a call may still read it, and
// deny.
func (e *Engine) mayRead(ctx context.Context, d imprimatur.Descriptor, call imprimatur.Call, user imprimatur.User) (may bool, err error) {
	if d.Previewer == nil || !user.Exists() || !user.Enabled {
		return false, nil
	}
	defer func() {
		if v := recover(); v != nil {
			may, err = false, fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
		if err != nil {
			e.log.ErrorContext(ctx, "tool could not say who may read a preview", slog.String("run", call.Run),
				slog.String("tool", d.Spec.Name), slog.Any("error", err))
		}
	}()
	return d.Previewer.MayRead(ctx, call, user)
}
