package editorial

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
)

// What must not leave: names of columns that hold credentials. A part makes a
// name one wherever it stands, a word as one of several, unless the next word
// says that it is something else, and a last word at the end alone.
var (
	credentialParts = []string{
		"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "passhash", "pwhash", "secret", "token", "credential",
		"apikey", "accesskey", "authkey", "sessionkey", "privatekey", "licensekey", "licencekey", "encryptionkey", "signingkey", "sshkey",
		"accesscode", "authcode", "backupcode", "recoverycode", "sessionid",
	}
	credentialWords = []string{"pass", "pwd", "pw", "key", "keys", "salt", "hash", "mfa", "otp", "totp", "auth", "oauth", "jwt", "cvc", "cvv"}
	credentialLast  = []string{"pin"}
	harmlessNext    = []string{"visual", "visuals", "word", "words", "fact", "facts", "figure", "figures", "message", "messages", "topic", "topics", "tag", "tags"}
	harmlessParts   = strings.NewReplacer("secretar", "") // a secretary keeps no secrets here
)

// credential reports whether a column is called like one for credentials.
func credential(column string) bool {
	words := wordsOf(column)
	whole := harmlessParts.Replace(strings.Join(words, ""))
	if slices.ContainsFunc(credentialParts, func(part string) bool { return strings.Contains(whole, part) }) {
		return true
	}
	for i, word := range words {
		last := i == len(words)-1
		if slices.Contains(credentialWords, word) && (last || !slices.Contains(harmlessNext, words[i+1])) ||
			last && slices.Contains(credentialLast, word) {
			return true
		}
	}
	return false
}

// wordsOf are the words of a name, in lower case: api_key2, apiKey and APIKey
// have two.
func wordsOf(name string) []string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) &&
			(unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) })
}

// leaves reports whether the values of a column may leave the repository by a
// tool that reads: no credentials, and nothing of which nobody knows what is in
// it or that is about the installation.
func leaves(c content.Column) bool {
	return c.Type != content.TypeFlex && c.Name != content.ColumnExtra && c.Name != content.ColumnConfiguration && !credential(c.Name)
}

// tableLeaves reports whether records of a table may leave by a tool at all,
// whoever asks.
func tableLeaves(t *content.Table) bool { return !t.Sensitive && !t.AdminOnly && !t.HideTable }

// table returns a table that the user may read and that may leave.
func (d desk) table(u imprimatur.User, name, neutral string) (*content.Table, error) {
	t, ok := d.repo.Schema().Table(name)
	if !ok || !tableLeaves(t) || !content.MaySelect(u, name) {
		return nil, refuseNeutrally(neutral)
	}
	return t, nil
}

// tables are those of table, by name.
func (d desk) tables(u imprimatur.User) []*content.Table {
	var all []*content.Table
	for i := range d.repo.Schema().Tables {
		if t := &d.repo.Schema().Tables[i]; tableLeaves(t) && content.MaySelect(u, t.Name) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *content.Table) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// cell is a value for the model, on one line.
func cell(c content.Column, rec content.Record) string {
	switch c.Type {
	case content.TypeDatetime:
		if n := rec.Int(c.Name); n > 0 {
			return fmt.Sprintf("%d (%s)", n, moment(time.Unix(n, 0)))
		}
	case content.TypeFile:
		return fmt.Sprintf("%d files", rec.Int(c.Name))
	}
	return excerpt(rec.Text(c.Name), cellLength)
}

// moment is a time for the model.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// headline names a record: its number and title, where it is and whether it is
// hidden.
func (d desk) headline(rec content.Record) string {
	line := fmt.Sprintf("[%d] %s", rec.UID, d.headlined(rec))
	t, _ := d.repo.Schema().Table(rec.Table)
	switch {
	case rec.Table == content.Pages:
		line += fmt.Sprintf(" below page %d", rec.PID)
	case !t.RootLevel:
		line += fmt.Sprintf(" on page %d", rec.PID)
	}
	if t.Translated {
		line += fmt.Sprintf(", language %d", rec.Language)
	}
	if rec.Origin > 0 {
		line += fmt.Sprintf(", translation of %d", rec.Origin)
	}
	if t.Hides(rec) {
		return line + " (hidden)"
	}
	return line + hiddenMark(rec)
}

// headlined is the title of a record, if that may leave.
func (d desk) headlined(rec content.Record) string {
	t, ok := d.repo.Schema().Table(rec.Table)
	if !ok {
		return titled("")
	}
	if c, ok := t.Column(t.LabelField); !ok || !leaves(c) {
		return titled("")
	}
	return titled(rec.Text(t.LabelField))
}
