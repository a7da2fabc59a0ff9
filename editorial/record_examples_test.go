package editorial_test

import "github.com/imprimatur-dev/imprimatur"

func recordEffects() map[string]imprimatur.Effect {
	return map[string]imprimatur.Effect{
		"create_record_draft": imprimatur.NonIdempotentWrite,
		"copy_record":         imprimatur.NonIdempotentWrite,
		"publish_record":      imprimatur.IdempotentWrite,
		"delete_record":       imprimatur.IdempotentWrite,
	}
}

func recordExamples() map[string]example {
	return map[string]example{
		"create_news":       {"create_record_draft", `{"fields":{"teaser":"The west wing is open again.","title":"New hours"},"pid":10,"table":"news"}`},
		"create_link":       {"create_record_draft", `{"fields":{"kind":"link","title":"16:9"},"pid":12,"table":"news"}`},
		"create_venue":      {"create_record_draft", `{"fields":{"title":"Courtyard"},"pid":10,"table":"venues"}`},
		"copy_page":         {"copy_record", `{"after_uid":11,"table":"pages","target_page":10,"uid":12}`},
		"copy_element":      {"copy_record", `{"column":1,"table":"content","target_page":12,"uid":40}`},
		"copy_behind":       {"copy_record", `{"after_uid":42,"table":"content","target_page":10,"uid":42}`},
		"publish_page":      {"publish_record", `{"table":"pages","uid":11}`},
		"publish_again":     {"publish_record", `{"table":"content","uid":45}`},
		"publish_under":     {"publish_record", `{"table":"pages","uid":90}`},
		"delete_page":       {"delete_record", `{"table":"pages","uid":12}`},
		"delete_of_page":    {"delete_record", `{"table":"pages","uid":90}`},
		"delete_element":    {"delete_record", `{"table":"content","uid":40}`},
		"delete_picture":    {"delete_record", `{"table":"content","uid":42}`},
		"delete_of_element": {"delete_record", `{"table":"content","uid":45}`},
	}
}
