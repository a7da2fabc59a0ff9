package editorial

import (
	"context"
	"errors"
	"fmt"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// plan is a call that was resolved and authorised for one user: what it shows,
// which rows that was read from, and what it will write.
type plan struct {
	lines   []imprimatur.Text
	seen    content.Versions
	changes []content.Change // none where everything is as wanted already
	// report reads back what became of the write and tells the model. It is
	// given the outcome of the changes, empty where there were none.
	report func(ctx context.Context, out content.Outcome) imprimatur.Result
}

// planner resolves and authorises a call for a user. A call that cannot be
// carried out is a *refused. It asks in this order: the shape of the arguments;
// whether the records are there and may be changed, with one and the same
// neutral answer; and only then what would name other records.
type planner[A any] func(ctx context.Context, u imprimatur.User, args A) (*plan, error)

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

// refusedThen is the token of a picture that was a refusal: a call that could
// be carried out after all has another picture than the approved one.
type refusedThen struct{ sentence string }

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
			p, err := def.plan(ctx, call.User, args)
			if no, ok := errors.AsType[*refused](err); ok {
				return no.picture(), nil
			}
			if err != nil {
				return imprimatur.Picture{}, err
			}
			return imprimatur.Picture{Lines: p.lines, Token: p.seen}, nil
		},
		MayRead: func(ctx context.Context, _ imprimatur.Call, args A, viewer imprimatur.User) (bool, error) {
			_, err := def.plan(ctx, viewer, args)
			if _, ok := errors.AsType[*refused](err); ok {
				return false, nil
			}
			return err == nil, err
		},
		Execute: func(ctx context.Context, call imprimatur.Call, args A) (imprimatur.Result, error) {
			p, err := def.plan(ctx, call.User, args)
			if no, ok := errors.AsType[*refused](err); ok {
				return d.refusal(ctx, call, no)
			}
			if err != nil {
				return imprimatur.Result{}, err
			}
			return d.carryOut(ctx, call, p)
		},
	})
}

func (r *refused) picture() imprimatur.Picture {
	picture := imprimatur.Refuse(r.sentence)
	if r.neutral {
		picture = imprimatur.RefuseNeutrally(r.sentence)
	}
	picture.Token = refusedThen{r.sentence}
	return picture
}

// refusal answers a call that cannot be carried out. Where its approved picture
// was another one, that comes first: a person sees why before the model does.
// Only what an earlier call of the same turn brought about is the model's to
// deal with.
func (d desk) refusal(ctx context.Context, call imprimatur.Call, no *refused) (imprimatur.Result, error) {
	switch seen := call.Token.(type) {
	case refusedThen:
		if seen.sentence != no.sentence {
			return imprimatur.Result{}, fmt.Errorf("carry out a refused call: %w", imprimatur.ErrMoved)
		}
	case content.Versions:
		if len(call.Own) == 0 {
			return imprimatur.Result{}, fmt.Errorf("carry out an approved call: %w", imprimatur.ErrMoved)
		}
		if _, err := d.repo.Apply(ctx, call.User, content.ChangeSet{Expect: seen, Own: own(call)}); err != nil {
			return imprimatur.Result{}, fmt.Errorf("compare with the approved picture: %w", err)
		}
	}
	return imprimatur.Result{IsError: true, Content: no.sentence}, nil
}

// carryOut writes a plan, if the rows are those of the approved picture, and
// reports. Without a picture, they must be those that the plan read.
func (d desk) carryOut(ctx context.Context, call imprimatur.Call, p *plan) (imprimatur.Result, error) {
	expect := p.seen
	switch seen := call.Token.(type) {
	case refusedThen:
		return imprimatur.Result{}, fmt.Errorf("carry out a call that was refused: %w", imprimatur.ErrMoved)
	case content.Versions:
		expect = seen
	}
	out, err := d.repo.Apply(ctx, call.User, content.ChangeSet{Changes: p.changes, Expect: expect, Own: own(call)})
	if err != nil {
		return imprimatur.Result{}, err
	}
	if len(out.Complaints) > 0 {
		return imprimatur.Result{IsError: true, Content: complaints(out.Complaints)}, nil
	}
	result := p.report(ctx, out)
	if len(p.changes) > 0 && result.Token == nil {
		result.Token = out.Versions
	}
	return result, nil
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
