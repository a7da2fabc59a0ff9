package editorial

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// plan is a call that was resolved and authorised for one user: what it shows,
// which rows that was read from, and what it will write.
type plan struct {
	lines   []imprimatur.Text
	seen    content.Versions
	changes []content.Change // none where everything is as wanted already
	// report reads back what became of the write, at a desk inside its
	// transaction, and tells the model. It is given the outcome of the changes,
	// empty where there were none. An undo takes the write back.
	report func(ctx context.Context, d desk, out content.Outcome) (imprimatur.Result, error)
}

// planner resolves and authorises a call for a user. A call that cannot be
// carried out is a *refused. It asks in this order: the shape of the arguments;
// whether the records are there and may be changed, with one and the same
// neutral answer; and only then what would name other records.
type planner[A any] func(d desk, ctx context.Context, u imprimatur.User, args A) (*plan, error)

// shown makes a plan that one card shows whole; a call that needs more lines is
// refused, for what is not on the card would not be bound.
func (planned planner[A]) shown(d desk, ctx context.Context, u imprimatur.User, args A) (*plan, error) {
	p, err := planned(d, ctx, u, args)
	if err == nil && len(p.lines) > imprimatur.MaxLines {
		return nil, refuse("One card cannot show all of these changes: change fewer long texts in one call.")
	}
	return p, err
}

// refused is why a call cannot be carried out. The model and the card read the
// same sentence, in English.
type refused struct {
	sentence string
	neutral  bool // it gives nothing away about the record
}

func (r *refused) Error() string { return r.sentence }

func refuse(format string, args ...any) error {
	return &refused{sentence: fmt.Sprintf(format, args...)}
}

// undone is why a write was taken back before anybody could see it.
type undone struct{ sentence string }

func (u *undone) Error() string { return u.sentence }

func undo(format string, args ...any) error {
	return &undone{sentence: fmt.Sprintf(format, args...) + " Nothing was written."}
}

// shown is the token of a picture: what it said, and the rows that was read
// from.
type shown struct {
	lines   []imprimatur.Text // none of a refusal
	idle    bool              // nothing was to be written
	refusal string
	seen    content.Versions
}

// definition describes a tool that writes; what differs from tool to tool.
type definition[A any] struct {
	name, description string
	effect            imprimatur.Effect
	schema            []byte // nil: derived from A
	plan              planner[A]
}

// writer makes the tool. Each of its functions makes the plan anew, for the
// user it is about.
func writer[A any](d desk, def definition[A]) imprimatur.Tool {
	return tool.New(tool.Definition[A]{
		Name: def.name, Description: def.description, Group: groupEditing,
		Effect: def.effect, Schema: def.schema,
		Preview: func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Picture, error) {
			p, err := def.plan.shown(d, ctx, call.User, args)
			if no, ok := errors.AsType[*refused](err); ok {
				return no.picture(), nil
			}
			if err != nil {
				return imprimatur.Picture{}, err
			}
			return imprimatur.Picture{Lines: p.lines, Token: shown{lines: p.lines, idle: len(p.changes) == 0, seen: p.seen}}, nil
		},
		MayRead: func(ctx context.Context, _ imprimatur.Call, args A, viewer imprimatur.User) (bool, error) {
			_, err := def.plan.shown(d, ctx, viewer, args)
			if _, ok := errors.AsType[*refused](err); ok {
				return false, nil
			}
			return err == nil, err
		},
		Execute: func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Result, error) {
			return d.execute(ctx, call, func(ctx context.Context, d desk) (*plan, error) {
				return def.plan.shown(d, ctx, call.User, args)
			})
		},
	})
}

func (r *refused) picture() imprimatur.Picture {
	picture := imprimatur.Refuse(r.sentence)
	if r.neutral {
		picture = imprimatur.RefuseNeutrally(r.sentence)
	}
	picture.Token = shown{refusal: r.sentence}
	return picture
}

// execute plans a call once more, inside the transaction that writes: what it
// would show now must be what was approved. It writes, reads back, and all of
// it is there afterwards or nothing.
func (d desk) execute(ctx context.Context, call imprimatur.Call, planned func(context.Context, desk) (*plan, error)) (imprimatur.Result, error) {
	var result imprimatur.Result
	err := d.repo.Write(ctx, func(ctx context.Context, in *content.Repository) error {
		d := desk{repo: in, noDrafts: d.noDrafts}
		p, err := planned(ctx, d)
		if no, ok := errors.AsType[*refused](err); ok {
			result = imprimatur.Result{IsError: true, Content: no.sentence}
			return d.stillRefused(ctx, call, no)
		}
		if err != nil {
			return err
		}
		if err := p.compare(call); err != nil {
			return err
		}
		result, err = d.carryOut(ctx, call.User, p)
		return err
	})
	if back, ok := errors.AsType[*undone](err); ok {
		return imprimatur.Result{IsError: true, Content: back.sentence}, nil
	}
	if err != nil {
		return imprimatur.Result{}, err
	}
	return result, nil
}

// compare answers ErrMoved where the plan shows something else than was
// approved, unless earlier calls of the same turn account for every difference.
// A call without a picture has nothing to compare with.
func (p *plan) compare(call imprimatur.Call) error {
	approved, ok := call.Token.(shown)
	switch {
	case !ok:
		return nil
	case approved.refusal != "":
		return fmt.Errorf("carry out a call that was refused: %w", imprimatur.ErrMoved)
	case reflect.DeepEqual(approved.lines, p.lines), !p.beyond(approved) && explained(approved.seen, p.seen, own(call)):
		return nil
	}
	return fmt.Errorf("carry out an approved call: %w", imprimatur.ErrMoved)
}

// beyond reports whether the plan writes something that was to stay as it is
// when it was approved. Nobody agreed to that, whoever brought it about.
func (p *plan) beyond(approved shown) bool {
	if approved.idle && len(p.changes) > 0 {
		return true
	}
	for i, line := range approved.lines {
		if line.Label == catalogue.FieldUnchanged && (i >= len(p.lines) || p.lines[i].Label != line.Label) {
			return true
		}
	}
	return false
}

// explained reports whether rows differ, and each in a way that an earlier call
// of the turn left it.
func explained(before, now content.Versions, own []content.Versions) bool {
	differ := 0
	for _, versions := range []content.Versions{before, now} {
		for ref := range versions {
			if before[ref] == now[ref] {
				continue
			}
			differ++
			left := func(v content.Versions) bool { version, wrote := v[ref]; return wrote && version == now[ref] }
			if !slices.ContainsFunc(own, left) {
				return false
			}
		}
	}
	return differ > 0
}

// stillRefused answers a call that cannot be carried out. Where its approved
// picture was another one, that comes first: a person sees why before the model
// does. Only what an earlier call of the same turn brought about is the model's
// to deal with.
func (d desk) stillRefused(ctx context.Context, call imprimatur.Call, no *refused) error {
	approved, ok := call.Token.(shown)
	switch {
	case !ok || approved.refusal == no.sentence:
		return nil
	case approved.refusal != "" || len(call.Own) == 0:
		return fmt.Errorf("carry out a refused call: %w", imprimatur.ErrMoved)
	}
	if _, err := d.repo.Apply(ctx, call.User, content.ChangeSet{Expect: approved.seen, Own: own(call)}); err != nil {
		return fmt.Errorf("compare with the approved picture: %w", err)
	}
	return nil
}

// carryOut writes a plan and reports.
func (d desk) carryOut(ctx context.Context, u imprimatur.User, p *plan) (imprimatur.Result, error) {
	var out content.Outcome
	if len(p.changes) > 0 {
		var err error
		if out, err = d.repo.Apply(ctx, u, content.ChangeSet{Changes: p.changes}); err != nil {
			return imprimatur.Result{}, err
		}
		if len(out.Complaints) > 0 {
			return imprimatur.Result{IsError: true, Content: complaints(out.Complaints)}, nil
		}
	}
	result, err := p.report(ctx, d, out)
	if err == nil && len(p.changes) > 0 {
		result.Token = out.Versions
	}
	return result, err
}

// own are the versions that earlier calls of this turn left.
func own(call imprimatur.Call) []content.Versions {
	var all []content.Versions
	for _, token := range call.Own {
		if v, ok := token.(content.Versions); ok {
			all = append(all, v)
		}
	}
	return all
}
