package policy

import "github.com/imprimatur-dev/imprimatur"

// enabled refuses tools that the operator switched off.
func enabled(off imprimatur.Set) func(Question) Reason {
	return func(q Question) Reason {
		if off.Has(q.Tool.Spec.Name) {
			return Disabled
		}
		return ""
	}
}
