package editorial

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestColumnsOfCredentialsAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"sessionKey", "accessKey", "accesskey", "AccessKeyID", "authCode", "auth_code", "apiKey", "APIKey", "api-key", "pin", "card_pin", "userPin",
		"key2", "clientSecret", "secrets_of_secretary", "passwortNeu", "oauth", "recoveryCodes", "hash", "pwHash",
	} {
		if !credential(name) {
			t.Errorf("%s is shown", name)
		}
	}
	for _, name := range []string{
		"keywords", "keyWords", "monkey", "turkey", "keyvisual", "keyVisual", "key_visual", "passage", "compass", "hashtag", "hash_tag", "pinned", "pin_to_top",
		"author", "authors", "secretary", "session_date", "iban", "opinion", "code", "salty", "",
	} {
		if credential(name) {
			t.Errorf("%s is not shown", name)
		}
	}
}

func TestAnExcerptHoldsWhatWasLookedFor(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"x", strings.Repeat("x", 79), strings.Repeat("x", 100), strings.Repeat("x", 120)} {
		for _, before := range []string{"", "be ", strings.Repeat("be ", 100), strings.Repeat("\u200b", 100), strings.Repeat(`\u{`, 50)} {
			for _, after := range []string{"", " af", strings.Repeat(" af", 100)} {
				text := strings.Join(strings.Fields(before+part+after), " ")
				at := utf8.RuneCountInString(text[:strings.Index(text, part)])
				got := window(text, at, len(part))
				if !strings.Contains(got, part) || utf8.RuneCountInString(strings.Trim(got, "…")) > excerptLength {
					t.Errorf("%d characters in %q: %q", len(part), text, got)
				}
			}
		}
	}
	if got := window(strings.Repeat("x", 300), 5, 200); !strings.HasPrefix(got, "…"+strings.Repeat("x", 100)) {
		t.Errorf("of what does not fit: %q", got)
	}
}
