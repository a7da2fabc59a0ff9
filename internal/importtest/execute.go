package importtest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// TheOneCaller is the file that may execute tools.
const TheOneCaller = "internal/loop/invoke.go"

// Executions returns the places, as file:line relative to root, where the
// packages that match the patterns mention the method Execute of a tool: a
// call, or the method taken as a value. A method counts by its name and
// signature, so a tool behind an interface of another name counts too. Tests
// are left out. The overlay replaces or adds files, by absolute path.
func Executions(root string, overlay map[string][]byte, patterns ...string) ([]string, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:     root,
		Overlay: overlay,
	}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	var found []string
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("load %s: %w", p.PkgPath, p.Errors[0])
		}
		execute, err := executeOf(p.Types)
		if err != nil {
			return nil, err
		}
		if execute == nil {
			continue // a package that knows no tools cannot execute one
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && isExecute(p.TypesInfo, sel, execute) {
					found = append(found, place(root, p, sel))
				}
				return true
			})
		}
	}
	slices.Sort(found)
	return found, nil
}

// executeOf returns the signature of Tool.Execute as the package sees it, or
// nil if the words are not among its imports.
func executeOf(p *types.Package) (*types.Signature, error) {
	words := p
	if p.Path() != Module {
		i := slices.IndexFunc(p.Imports(), func(q *types.Package) bool { return q.Path() == Module })
		if i < 0 {
			return nil, nil
		}
		words = p.Imports()[i]
	}
	tool := words.Scope().Lookup("Tool")
	if tool == nil {
		return nil, errors.New("the words have no Tool")
	}
	method, _, _ := types.LookupFieldOrMethod(tool.Type(), false, words, "Execute")
	f, ok := method.(*types.Func)
	if !ok {
		return nil, errors.New("a Tool has no method Execute")
	}
	return f.Signature(), nil
}

// isExecute reports whether sel names a method called Execute that takes and
// returns what a tool's does.
func isExecute(info *types.Info, sel *ast.SelectorExpr, execute *types.Signature) bool {
	if sel.Sel.Name != "Execute" {
		return false
	}
	selection := info.Selections[sel]
	if selection == nil || selection.Kind() == types.FieldVal {
		return false
	}
	f, ok := selection.Obj().(*types.Func)
	return ok && types.Identical(f.Signature().Params(), execute.Params()) && types.Identical(f.Signature().Results(), execute.Results())
}

func place(root string, p *packages.Package, n ast.Node) string {
	position := p.Fset.Position(n.Pos())
	file, err := filepath.Rel(root, position.Filename)
	if err != nil {
		file = position.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), position.Line)
}
