package editorial_test

import (
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

func elementEffects() map[string]imprimatur.Effect {
	return map[string]imprimatur.Effect{
		"attach_file_to_content_element": imprimatur.NonIdempotentWrite,
		"create_content_element_draft":   imprimatur.NonIdempotentWrite,
		"create_translation_draft":       imprimatur.NonIdempotentWrite,
		"move_content_element":           imprimatur.IdempotentWrite,
		"update_content_element":         imprimatur.IdempotentWrite,
	}
}

func elementExamples() map[string]example {
	return map[string]example{
		"attach_first":  {"attach_file_to_content_element", `{"content_element":41,"file":7}`},
		"attach_second": {"attach_file_to_content_element", `{"alternative":"Die Tür","content_element":42,"description":"","field":"image","file":8,"title":"The door"}`},

		"element_first": {"create_content_element_draft", `{"header":"Guided tours","page":10,"type":"text"}`},
		"element_after": {"create_content_element_draft", `{"after_content_uid":43,"bodytext":"<p>Every day at ten.</p>","fields":{"subheader":"In three languages"},"header":"Gallery","page":10,"type":"textmedia"}`},
		"element_twin":  {"create_content_element_draft", `{"bodytext":"` + strings.Repeat("Come in. ", 30) + `","header":"Gallery","page":10,"type":"textmedia"}`},
		"element_free":  {"create_content_element_draft", `{"column":2,"header":"Anfahrt","language":1,"page":12,"type":"header"}`},

		"change_short":       {"update_content_element", `{"fields":{"bodytext":"<p>We are closed.</p>","header":"Welcome","subheader":"Until May"},"uid":40}`},
		"change_translation": {"update_content_element", `{"fields":{"header":"Herzlich\u00a0willkommen"},"uid":45}`},
		"change_long":        {"update_content_element", `{"fields":{"bodytext":"<p>We are open.</p><p>` + strings.Repeat("Come in. ", 40) + `</p>"},"uid":40}`},

		"move_column": {"move_content_element", `{"after_content_uid":42,"target_page":10,"uid":41}`},
		"move_page":   {"move_content_element", `{"column":100,"target_page":12,"uid":40}`},
		"move_there":  {"move_content_element", `{"target_page":10,"uid":43}`},

		"translate_element":   {"create_translation_draft", `{"language":1,"table":"content","uid":42}`},
		"translate_overwrite": {"create_translation_draft", `{"language":1,"overwrite":true,"table":"content","uid":40}`},
		"translate_page":      {"create_translation_draft", `{"language":1,"table":"pages","uid":10}`},
	}
}
