package editorial_test

import "github.com/imprimatur-dev/imprimatur"

func fileEffects() map[string]imprimatur.Effect {
	return map[string]imprimatur.Effect{
		attachToRecord: imprimatur.NonIdempotentWrite,
		replaceFile:    imprimatur.NonIdempotentWrite,
		setAlternative: imprimatur.IdempotentWrite,
		fileMetadata:   imprimatur.IdempotentWrite,
	}
}

func fileExamples() map[string]example {
	return map[string]example{
		"attach_to_news":         {attachToRecord, `{"alternative":"The door seen from the yard","file":8,"record":60,"table":"news"}`},
		"replace_with_texts":     {replaceFile, `{"action":"replace","alternative":"The door at noon","file":8,"reference":70,"title":"The door"}`},
		"replace_without_texts":  {replaceFile, `{"action":"replace","file":8,"reference":70}`},
		"remove_file":            {replaceFile, `{"action":"remove","reference":70}`},
		"alternative_text":       {setAlternative, `{"alternative":"A high hall with twelve stone columns","uid":7}`},
		"alternative_decorative": {setAlternative, `{"alternative":"","uid":7}`},
		"alternative_same":       {setAlternative, `{"alternative":"A high hall with stone columns","uid":7}`},
		"file_texts":             {fileMetadata, `{"copyright":"City museum","description":"Built in 1889","title":"The great hall of columns","uid":7}`},
	}
}
