package loop

import (
	"context"
	"log/slog"
	"maps"

	"github.com/imprimatur-dev/imprimatur"
)

// restless is how often in a row a call may bring its turn back before it is
// said to not hold still.
const restless = 3

// repreview takes the pictures of a whole approved turn again, before any of
// its calls runs, and holds them against what was shown (S184). It returns the
// turn as it goes back to whoever decides, nil where nothing moved, and then
// the token of each picture for the write to compare and set.
func (l *Loop) repreview(ctx context.Context, s imprimatur.Suspended, forced []int) (*Paused, map[int]any) {
	must := map[int]bool{}
	for _, i := range forced {
		must[i] = true
	}
	tokens := map[int]any{}
	current := map[int]imprimatur.Preview{}
	var marks []imprimatur.Mark
	for i, c := range s.Calls {
		kind, now, token := l.moved(ctx, s, i, c)
		// A run whose owner is gone comes back once, whatever its calls show.
		ownerless := !l.User.Exists() && s.Bounces[i] == 0 && c.Refused == ""
		if kind == "" && (must[i] || ownerless) {
			kind = imprimatur.MarkMoved
		}
		if must[i] && now == nil {
			// Nobody may read what was shown, and it cannot be taken again.
			gone := l.unavailable(i, c)
			now = &gone
		}
		if kind != "" {
			marks = append(marks, imprimatur.Mark{Index: i, ID: c.ID, Kind: kind})
		}
		if now != nil {
			current[i] = *now
		}
		tokens[i] = token
	}
	if len(marks) == 0 {
		return nil, tokens
	}
	return &Paused{State: l.back(ctx, s, marks, current), Marks: marks}, nil
}

// moved looks at one call: why it is stale, empty where it is not, its picture
// as it is now, nil where none is taken, and that picture's token.
func (l *Loop) moved(ctx context.Context, s imprimatur.Suspended, i int, c imprimatur.ToolCall) (imprimatur.MarkKind, *imprimatur.Preview, any) {
	d, known := l.Tools[c.Name]
	shown := imprimatur.PreviewOf(s.Previews, i, c.Name)
	if c.Refused != "" || known && !l.Pictured[c.Name] {
		return "", nil, nil
	}
	var kind imprimatur.MarkKind
	switch {
	case !known && c.Identity != "":
		kind = imprimatur.MarkGone
	case d.Identity != c.Identity:
		kind = imprimatur.MarkToolChanged
	}
	if shown == nil {
		return kind, nil, nil
	}
	if d.Previewer == nil {
		if now := l.unavailable(i, c); !shown.Failed {
			return orKind(kind, imprimatur.MarkGone), &now, nil
		}
		return kind, nil, nil
	}
	if shown.Failed && kind == "" {
		return "", nil, nil
	}
	now, token := l.preview(ctx, d, i, c, again)
	switch imprimatur.Compare(shown, now) {
	case imprimatur.Changed:
		kind = orKind(kind, imprimatur.MarkChanged)
	case imprimatur.Failed:
		kind = orKind(kind, imprimatur.MarkFailed)
	case imprimatur.Gone:
		kind = orKind(kind, imprimatur.MarkGone)
	case imprimatur.Same, imprimatur.Unbound:
	}
	return kind, &now, token
}

func orKind(kind, other imprimatur.MarkKind) imprimatur.MarkKind {
	if kind != "" {
		return kind
	}
	return other
}

// warnRestless tells the operator of a call that keeps coming back.
func (l *Loop) warnRestless(ctx context.Context, c imprimatur.ToolCall, bounces int) {
	if bounces >= restless {
		l.Log.WarnContext(ctx, "call does not hold still; its preview is probably not deterministic",
			slog.String("run", l.Run), slog.String("call", c.ID), slog.String("tool", c.Name))
	}
}

// back is the state of a turn that an approval did not hold for: the same
// calls, with the pictures as they are now, and those they replace beside
// them.
func (l *Loop) back(ctx context.Context, s imprimatur.Suspended, marks []imprimatur.Mark, current map[int]imprimatur.Preview) imprimatur.Suspended {
	bounces := map[int]int{}
	s.Was = nil
	s.Calls = append([]imprimatur.ToolCall{}, s.Calls...)
	for _, m := range marks {
		bounces[m.Index] = s.Bounces[m.Index] + 1
		if p := imprimatur.PreviewOf(s.Previews, m.Index, s.Calls[m.Index].Name); p != nil {
			if _, replaced := current[m.Index]; replaced {
				s.Was = append(s.Was, *p)
			}
		}
		s.Calls[m.Index].Identity = l.Tools[s.Calls[m.Index].Name].Identity
		l.warnRestless(ctx, s.Calls[m.Index], bounces[m.Index])
	}
	previews := make([]imprimatur.Preview, 0, len(s.Previews))
	for i, c := range s.Calls {
		if now, ok := current[i]; ok {
			previews = append(previews, now)
		} else if p := imprimatur.PreviewOf(s.Previews, i, c.Name); p != nil {
			previews = append(previews, *p)
		}
	}
	s.Previews, s.Bounces = previews, maps.Clone(bounces)
	return s
}
