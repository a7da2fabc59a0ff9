package editorial

import (
	"context"
	"fmt"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/tool"
)

// Bounds of get_pagetree.
const (
	defaultDepth = 3
	maxNodes     = 500
)

type treeRequest struct {
	Root   int64  `json:"rootUid" is:"optional,min=0" about:"UID of the page to start at; 0 or left out: everything you may see"`
	Depth  *int64 `json:"depth" is:"min=0,max=5" about:"How many levels below the start; 3 if left out"`
	Hidden bool   `json:"include_hidden" is:"optional" about:"Also list hidden pages that you may edit, marked as hidden"`
}

// getPagetree lists pages: what an agent looks at first.
func (d desk) getPagetree() imprimatur.Tool {
	return tool.New(tool.Definition[treeRequest]{
		Name: "get_pagetree", Group: groupStructure, Effect: imprimatur.ReadOnly,
		Description: "Lists the page tree, one page a line with its UID, title and type, children indented below their parent. Hidden pages are left out unless asked for, translations always.",
		Execute:     d.readPagetree,
	})
}

func (d desk) readPagetree(ctx context.Context, call imprimatur.Call, args treeRequest) (imprimatur.Result, error) {
	depth := int64(defaultDepth)
	if args.Depth != nil {
		depth = *args.Depth
	}
	nodes, err := d.repo.Tree(ctx, call.User, args.Root, int(depth))
	if err != nil {
		return imprimatur.Result{}, fmt.Errorf("list pages below %d: %w", args.Root, err)
	}
	keep := func(content.Node) (bool, error) { return false, nil }
	if args.Hidden {
		sight := d.repo.Sight(call.User)
		keep = func(n content.Node) (bool, error) { return sight.Shows(ctx, n.Record) }
	}
	if nodes, err = withoutHidden(nodes, keep); err != nil {
		return imprimatur.Result{}, fmt.Errorf("list pages below %d: %w", args.Root, err)
	}
	if len(nodes) == 0 {
		return imprimatur.Result{IsError: true, Content: noPage}, nil
	}
	var b strings.Builder
	for _, n := range nodes[:min(len(nodes), maxNodes)] {
		fmt.Fprintf(&b, "%s[%d] %s (%s)%s\n", strings.Repeat("  ", n.Depth), n.UID, titled(n.Text("title")), excerpt(n.Text(content.ColumnPageType), excerptLength), hiddenMark(n.Record))
	}
	if more := len(nodes) - maxNodes; more > 0 {
		fmt.Fprintf(&b, "… and %d more pages; ask for a part of the tree or for less depth.\n", more)
	}
	return imprimatur.Result{Content: b.String()}, nil
}

// withoutHidden takes hidden pages away, with what lies below them, but for
// those to keep.
func withoutHidden(nodes []content.Node, keep func(content.Node) (bool, error)) ([]content.Node, error) {
	var shown []content.Node
	below := -1 // depth of the hidden page whose branch we are in
	for _, n := range nodes {
		if below >= 0 && n.Depth > below {
			continue
		}
		below = -1
		if n.Hidden() {
			ok, err := keep(n)
			if err != nil {
				return nil, err
			}
			if !ok {
				below = n.Depth
				continue
			}
		}
		shown = append(shown, n)
	}
	return shown, nil
}
