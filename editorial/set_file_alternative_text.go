package editorial

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

// alternativeText is what is read out, or shown, in place of a file.
type alternativeText struct {
	UID         int64  `json:"uid" is:"min=1" about:"UID of the file"`
	Alternative string `json:"alternative" is:"max=1000" about:"What the file shows, in the default language; empty for a decorative image"`
}

// setFileAlternativeText describes a file for those who do not see it.
func (d desk) setFileAlternativeText() imprimatur.Tool {
	return writer(d, definition[alternativeText]{
		name: "set_file_alternative_text",
		description: "Sets the alternative text of one file in the default language; an empty text marks a decorative image. " +
			"It applies wherever the file stands without an alternative text of its own. A person must approve the call.",
		effect: imprimatur.IdempotentWrite,
		plan:   desk.planAlternativeText,
	})
}

func (d desk) planAlternativeText(ctx context.Context, u imprimatur.User, args alternativeText) (*plan, error) {
	c, ok := d.repo.Schema().Column(content.FileMetadata, "alternative")
	if !ok {
		return nil, refuse("This installation has no alternative texts.")
	}
	texts := map[string]string{c.Name: args.Alternative}
	if err := badFileText(c, args.Alternative); err != nil {
		return nil, err
	}
	return d.planDescription(ctx, u, catalogue.HeadingAlternative, args.UID, []content.Column{c}, texts)
}
