package engine_test

import (
	"fmt"
	"slices"
	"sync"

	"github.com/imprimatur-dev/imprimatur"
)

// world is the little place that the tools of a scenario work on: numbered
// notes that have versions, and people from whom some of them are hidden.
type world struct {
	mu        sync.Mutex
	notes     map[int]note
	hidden    map[string]bool // "7 petra"; "7 *" hides a note from everybody
	hooks     map[string][]func()
	previewed map[string]int
	executed  map[string]int // calls that took effect
	wobbles   int

	// entered is called before a tool does anything, with what it was given.
	entered func(tool string, call imprimatur.Call)
}

type note struct {
	text    string
	version int
}

// noteToken names the state of one note.
type noteToken struct{ id, version int }

func newWorld() *world {
	return &world{
		notes: map[int]note{}, hidden: map[string]bool{}, hooks: map[string][]func(){},
		previewed: map[string]int{}, executed: map[string]int{},
	}
}

// at runs what was ordered for the next time that a point is reached.
func (w *world) at(point string) {
	w.mu.Lock()
	var do func()
	if queue := w.hooks[point]; len(queue) > 0 {
		do, w.hooks[point] = queue[0], queue[1:]
	}
	w.mu.Unlock()
	if do != nil {
		do()
	}
}

// left lists the points that were never reached.
func (w *world) left() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var points []string
	for point, queue := range w.hooks {
		if len(queue) > 0 {
			points = append(points, point)
		}
	}
	slices.Sort(points)
	return points
}

func (w *world) edit(id int, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes[id] = note{text, w.notes[id].version + 1}
}

// visible returns a note for a person who may read it.
func (w *world) visible(u imprimatur.User, id int) (note, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := w.notes[id]
	hidden := w.hidden[fmt.Sprintf("%d %s", id, u.Name)] || w.hidden[fmt.Sprintf("%d *", id)]
	return n, ok && u.Exists() && u.Enabled && !hidden
}

// change writes a note, if it is still in the state that the token names, or
// in one that the same turn left.
func (w *world) change(call imprimatur.Call, id int, text func(string) string) (noteToken, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.notes[id]
	if token, ok := call.Token.(noteToken); ok && token != (noteToken{id, n.version}) && !slices.Contains(call.Own, any(noteToken{id, n.version})) {
		return noteToken{}, imprimatur.ErrMoved
	}
	w.notes[id] = note{text(n.text), n.version + 1}
	return noteToken{id, n.version + 1}, nil
}

func (w *world) effect(tool string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.executed[tool]++
}
