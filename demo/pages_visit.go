package demo

// Pages that the cards are about. German translations are numbered by
// translated.
const (
	home        int64 = 1
	hours       int64 = 11
	journey     int64 = 12
	prices      int64 = 13
	schools     int64 = 16
	exhibitions int64 = 20
	lighthouse  int64 = 21
	ferry       int64 = 22
	shells      int64 = 23
	nightPier   int64 = 24
	bottle      int64 = 25
	ships       int64 = 31
	nets        int64 = 34
	history     int64 = 42
	board       int64 = 44
)

// Elements that the cards are about.
const (
	tickets        int64 = 130
	lighthouseText int64 = 210
	shellsText     int64 = 230
	nightText      int64 = 240
	sextant        int64 = 331
)

// pages is the website: each page behind the page it lies on.
func pages() []page {
	var all []page
	all = append(all, visitPages()...)
	all = append(all, exhibitionPages()...)
	all = append(all, collectionPages()...)
	all = append(all, housePages()...)
	return append(all, newsPages()...)
}

func visitPages() []page {
	return []page{
		{
			uid: home,
			en:  words{"Harbour Museum Ebbenholm", "Ships, light and tides: the museum at the old harbour of Ebbenholm.", ""},
			de:  words{"Hafenmuseum Ebbenholm", "Schiffe, Licht und Gezeiten: das Museum am alten Hafen von Ebbenholm.", ""},
			elements: []element{
				{
					uid: 100, kind: "textpic", pictures: []int64{pictureShip},
					en: prose{"Welcome aboard", "For two hundred years everything the island needed came through this harbour.\nToday the old store house tells how."},
					de: prose{"Willkommen an Bord", "Zweihundert Jahre lang kam alles, was die Insel brauchte, durch diesen Hafen.\nHeute erzählt der alte Speicher davon."},
				},
				{
					uid: 101, kind: "quote",
					en: prose{"", "You do not own the tide. You only learn when to wait."},
					de: prose{"", "Die Flut gehört niemandem. Man lernt nur, wann man wartet."},
				},
			},
		},
		{
			uid: 10, parent: home,
			en: words{"Visit", "All you need to plan a day at the harbour.", ""},
			de: words{"Besuch", "Alles, was Sie für einen Tag am Hafen brauchen.", ""},
			elements: []element{
				{
					uid: 102, kind: "text",
					en: prose{"Before you come", "The ferry sets the timetable of the island, and ours too.\nCheck the tide before you book."},
					de: prose{"Bevor Sie kommen", "Die Fähre gibt den Takt der Insel vor, und unseren auch.\nSehen Sie nach der Tide, bevor Sie buchen."},
				},
			},
		},
		{
			uid: hours, parent: 10,
			en: words{"Opening hours", "When the museum is open.", ""},
			de: words{"Öffnungszeiten", "Wann das Museum geöffnet ist.", ""},
			elements: []element{
				{
					uid: 110, kind: "bullets",
					en: prose{"From April to October", "Tuesday to Sunday, 10 to 17\nThursday until 20\nMonday closed"},
					de: prose{"Von April bis Oktober", "Dienstag bis Sonntag, 10 bis 17 Uhr\nDonnerstag bis 20 Uhr\nMontag geschlossen"},
				},
				{
					uid: 111, kind: "bullets",
					en: prose{"From November to March", "Saturday and Sunday, 11 to 16\nAt storm warnings closed"},
					de: prose{"Von November bis März", "Sonnabend und Sonntag, 11 bis 16 Uhr\nBei Sturmwarnung geschlossen"},
				},
			},
		},
		{
			uid: journey, parent: 10,
			en: words{"Getting here", "By ferry, on foot and by bicycle.", ""},
			de: words{"Anreise", "Mit der Fähre, zu Fuß und mit dem Rad.", ""},
			elements: []element{
				{
					uid: 120, kind: "text",
					en: prose{"By ferry", "The ferry from the mainland takes fifty minutes and lands right in front of the museum."},
					de: prose{"Mit der Fähre", "Die Fähre vom Festland braucht fünfzig Minuten und legt direkt vor dem Museum an."},
				},
				{
					uid: 121, kind: "image", pictures: []int64{pictureMap},
					en: prose{"Map of the island", ""}, de: prose{"Karte der Insel", ""},
				},
			},
		},
		{
			uid: prices, parent: 10,
			en: words{"Prices", "What a visit costs.", ""},
			de: words{"Preise", "Was ein Besuch kostet.", ""},
			elements: []element{
				{
					uid: tickets, kind: "bullets",
					en: prose{"Tickets", "Adults 8\nStudents 5\nUp to 16 years free"},
					de: prose{"Eintritt", "Erwachsene 8\nErmäßigt 5\nBis 16 Jahre frei"},
				},
			},
		},
		{
			uid: 14, parent: 10,
			en: words{"Accessibility", "How to get around in the house.", ""},
			de: words{"Barrierefreiheit", "Wie Sie sich im Haus bewegen.", ""},
			elements: []element{
				{
					uid: 140, kind: "text",
					en: prose{"In the store house", "A lift goes to all three floors. The lamp room of the lighthouse can only be reached by stairs; a model stands on the ground floor."},
					de: prose{"Im Speicher", "Ein Aufzug fährt in alle drei Stockwerke. Den Lampenraum des Leuchtturms erreicht man nur über Treppen; ein Modell steht im Erdgeschoss."},
				},
			},
		},
		{
			uid: 15, parent: 10,
			en: words{"Café Net Loft", "Cake with a view of the harbour basin.", ""},
			de: words{"Café Netzboden", "Kuchen mit Blick auf das Hafenbecken.", ""},
			elements: []element{
				{
					uid: 150, kind: "text",
					en: prose{"Under the roof", "Where nets used to dry there is coffee now. Open as long as the museum."},
					de: prose{"Unter dem Dach", "Wo früher Netze trockneten, gibt es heute Kaffee. Geöffnet, solange das Museum offen ist."},
				},
			},
		},
		{
			uid: schools, parent: 10, unfinished: true,
			en: words{"School groups", "A morning on board, for classes of every age.", ""},
			de: words{"Schulklassen", "Ein Vormittag an Bord, für Klassen jeden Alters.", ""},
			elements: []element{
				{
					uid: 160, kind: "text",
					en: prose{"Before the doors open", "Classes come at nine, an hour before everybody else. Each child may ring the bell once."},
					de: prose{"Bevor die Türen aufgehen", "Klassen kommen um neun, eine Stunde vor allen anderen. Jedes Kind darf einmal die Glocke läuten."},
				},
			},
		},
	}
}

func exhibitionPages() []page {
	return []page{
		{
			uid: exhibitions, parent: home,
			en: words{"Exhibitions", "What there is to see.", ""},
			de: words{"Ausstellungen", "Was es zu sehen gibt.", ""},
			elements: []element{
				{uid: 200, kind: "menu_subpages", en: prose{"All exhibitions", ""}, de: prose{"Alle Ausstellungen", ""}},
			},
		},
		{
			uid: lighthouse, parent: exhibitions,
			en: words{"Lighthouse and light", "How light found its way out to sea.", ""},
			de: words{"Leuchtturm und Licht", "Wie das Licht hinaus auf See kam.", ""},
			elements: []element{
				{
					uid: lighthouseText, kind: "textpic",
					en: prose{"A lamp for the fairway", "The first keeper burned rape oil and wrote down every ship that passed."},
					de: prose{"Eine Lampe für das Fahrwasser", "Der erste Wärter brannte Rüböl und schrieb jedes Schiff auf, das vorbeikam."},
				},
				{
					uid: 211, kind: "text",
					en: prose{"The great lens", "It weighs as much as two cows and turns on a bath of oil."},
					de: prose{"Die große Linse", "Sie wiegt so viel wie zwei Kühe und dreht sich auf einem Ölbad."},
				},
			},
		},
		{
			uid: ferry, parent: exhibitions,
			en: words{"The long ferry", "Two hundred years of crossing.", ""},
			de: words{"Die lange Fähre", "Zweihundert Jahre Überfahrt.", ""},
			elements: []element{
				{
					uid: 220, kind: "textpic", pictures: []int64{pictureFerry},
					en: prose{"Fifty minutes", "Cows, letters, brides and pianos: the log books tell what crossed, and in what weather."},
					de: prose{"Fünfzig Minuten", "Kühe, Briefe, Bräute und Klaviere: Die Logbücher erzählen, was hinüberfuhr, und bei welchem Wetter."},
				},
			},
		},
		{
			uid: shells, parent: exhibitions,
			en: words{"Shells and tides", "A room for the smallest finds.", ""},
			de: words{"Muscheln und Gezeiten", "Ein Raum für die kleinsten Funde.", ""},
			elements: []element{
				{
					uid: shellsText, kind: "textpic",
					en: prose{"Picked up at low water", "Three thousand shells, sorted by the children of the island."},
					de: prose{"Bei Ebbe gesammelt", "Dreitausend Muscheln, sortiert von den Kindern der Insel."},
				},
				{
					uid: 231, kind: "text",
					en: prose{"The tide table", "Turn the wheel and see the harbour fall dry."},
					de: prose{"Die Gezeitentafel", "Drehen Sie am Rad und sehen Sie zu, wie der Hafen trockenfällt."},
				},
			},
		},
		{
			uid: nightPier, parent: exhibitions,
			en: words{"Night at the pier", "A special exhibition with sound.", ""},
			de: words{"Nacht am Anleger", "Eine Sonderausstellung mit Ton.", ""},
			elements: []element{
				{
					uid: nightText, kind: "textpic",
					en: prose{"After the last boat", "What the harbour sounds like when nobody is there: ropes, water, a door."},
					de: prose{"Nach dem letzten Schiff", "Wie der Hafen klingt, wenn niemand da ist: Leinen, Wasser, eine Tür."},
				},
			},
		},
		{
			uid: bottle, parent: exhibitions,
			en: words{"Message in a bottle", "A special exhibition about post without a stamp.", ""},
			de: words{"Flaschenpost", "Eine Sonderausstellung über Post ohne Marke.", ""},
			elements: []element{
				{
					uid: 250, kind: "textpic", pictures: []int64{pictureShell},
					en: prose{"Nineteen bottles", "All of them came ashore on the western beach, most of them empty."},
					de: prose{"Neunzehn Flaschen", "Sie alle trieben am Weststrand an, die meisten leer."},
				},
				{
					uid: 251, kind: "text",
					en: prose{"Write one yourself", "On Sundays the children put theirs into the ebb."},
					de: prose{"Schreiben Sie selbst eine", "Sonntags geben die Kinder ihre in die Ebbe."},
				},
			},
		},
		{
			uid: 26, parent: bottle,
			en: words{"Letters that were found", "What stood in the bottles.", ""},
			de: words{"Gefundene Briefe", "Was in den Flaschen stand.", ""},
			elements: []element{
				{
					uid: 260, kind: "quote",
					en: prose{"", "To whoever finds this: the weather is fine, and I should have stayed."},
					de: prose{"", "Wer dies findet: Das Wetter ist schön, und ich hätte bleiben sollen."},
				},
			},
		},
	}
}
