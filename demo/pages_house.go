package demo

func collectionPages() []page {
	return []page{
		{
			uid: 30, parent: home,
			en: words{"Collection", "What we keep.", ""},
			de: words{"Sammlung", "Was wir bewahren.", ""},
			elements: []element{
				{
					uid: 300, kind: "textteaser",
					en: prose{"Seven thousand things", "Most of them were given by people of the island, with a story attached."},
					de: prose{"Siebentausend Dinge", "Die meisten haben Leute von der Insel geschenkt, mit einer Geschichte daran."},
				},
			},
		},
		{
			uid: ships, parent: 30,
			en: words{"Ships and boats", "From the dinghy to the three-masted schooner.", ""},
			de: words{"Schiffe und Boote", "Vom Beiboot bis zum Dreimastschoner.", ""},
			elements: []element{
				{
					uid: 310, kind: "textpic", pictures: []int64{pictureShip},
					en: prose{"Models in glass", "Forty-two models, built by sailors on watch."},
					de: prose{"Modelle hinter Glas", "Zweiundvierzig Modelle, von Seeleuten auf Wache gebaut."},
				},
			},
		},
		{
			uid: 32, parent: ships,
			en: words{"The lugger Marie Tide", "Our largest piece lies in the harbour.", ""},
			de: words{"Der Logger Marie Tide", "Unser größtes Stück liegt im Hafen.", ""},
			elements: []element{
				{
					uid: 320, kind: "text",
					en: prose{"Come on deck", "Built on the island, sold to the mainland, bought back by four hundred people."},
					de: prose{"Kommen Sie an Deck", "Auf der Insel gebaut, aufs Festland verkauft, von vierhundert Leuten zurückgekauft."},
				},
			},
		},
		{
			uid: 33, parent: 30,
			en: words{"Instruments", "How to know where you are.", ""},
			de: words{"Instrumente", "Wie man weiß, wo man ist.", ""},
			elements: []element{
				{
					uid: 330, kind: "textpic", pictures: []int64{pictureCompass},
					en: prose{"The compass of the ferry", "It points two degrees too far west. Everybody on board knew."},
					de: prose{"Der Kompass der Fähre", "Er zeigt zwei Grad zu weit nach Westen. An Bord wusste das jeder."},
				},
				{
					uid: sextant, kind: "textpic", pictures: []int64{pictureCompass},
					en: prose{"The sextant of the harbour master", "He never went to sea. He measured the church tower, every day at noon."},
				},
			},
		},
		{
			uid: nets, parent: 30,
			en: words{"Nets and knots", "What hands can do with a line.", ""},
			de: words{"Netze und Knoten", "Was Hände mit einer Leine können.", ""},
			elements: []element{
				{
					uid: 340, kind: "bullets",
					en: prose{"Knots to try", "Bowline\nReef knot\nSheet bend"},
					de: prose{"Knoten zum Üben", "Palstek\nKreuzknoten\nSchotstek"},
				},
			},
		},
		{
			uid: 35, parent: nets,
			en: words{"Mending nets", "A craft for winter evenings.", ""},
			de: words{"Netze flicken", "Ein Handwerk für Winterabende.", ""},
			elements: []element{
				{
					uid: 350, kind: "text",
					en: prose{"Needle and gauge", "The needle is made of bone, the gauge of driftwood."},
					de: prose{"Nadel und Maß", "Die Nadel ist aus Knochen, das Maß aus Treibholz."},
				},
			},
		},
	}
}

func housePages() []page {
	return []page{
		{
			uid: 40, parent: home,
			en: words{"About us", "The people behind the museum.", ""},
			de: words{"Über uns", "Die Menschen hinter dem Museum.", ""},
			elements: []element{
				{
					uid: 400, kind: "text",
					en: prose{"A house of the island", "The museum belongs to its friends: four hundred of the six hundred people on Ebbenholm."},
					de: prose{"Ein Haus der Insel", "Das Museum gehört seinen Freunden: vierhundert von den sechshundert Menschen auf Ebbenholm."},
				},
			},
		},
		{
			uid: 41, parent: 40,
			en: words{"Team", "Who works here.", ""},
			de: words{"Team", "Wer hier arbeitet.", ""},
			elements: []element{
				{
					uid: 410, kind: "bullets",
					en: prose{"At the museum", "Wiebke Harms, website\nAlice Penrose, exhibitions\nThore Lund, office and machines"},
					de: prose{"Im Museum", "Wiebke Harms, Website\nAlice Penrose, Ausstellungen\nThore Lund, Büro und Technik"},
				},
			},
		},
		{
			uid: history, parent: 40,
			en: words{"History of the house", "From store house to museum.", historyEnglish},
			de: words{"Geschichte des Hauses", "Vom Speicher zum Museum.", historyGerman},
			elements: []element{
				{
					uid: 420, kind: "textpic", pictures: []int64{pictureAnchor},
					en: prose{"Brick by brick", "The bricks came as ballast, in ships that went home full of herring."},
					de: prose{"Stein auf Stein", "Die Ziegel kamen als Ballast, in Schiffen, die voller Heringe heimfuhren."},
				},
			},
		},
		{
			uid: 43, parent: 40,
			en: words{"Contact", "How to reach us.", ""},
			de: words{"Kontakt", "So erreichen Sie uns.", ""},
			elements: []element{
				{
					uid: 430, kind: "text",
					en: prose{"Write to us", "Harbour Museum Ebbenholm, Old Store House, Ebbenholm. The post comes with the ferry."},
					de: prose{"Schreiben Sie uns", "Hafenmuseum Ebbenholm, Alter Speicher, Ebbenholm. Die Post kommt mit der Fähre."},
				},
			},
		},
		{
			uid: board, parent: 40, office: true,
			en: words{"Papers of the board", "For the office only.", ""},
			de: words{"Unterlagen des Vorstands", "Nur für das Büro.", ""},
			elements: []element{
				{
					uid: 440, kind: "text",
					en: prose{"Next meeting", "On the first Monday of the month, in the lamp room."},
					de: prose{"Nächste Sitzung", "Am ersten Montag des Monats, im Lampenraum."},
				},
			},
		},
	}
}

const historyEnglish = "In 1821 three skippers built the store house at the head of the pier, because goods could not wait for dry weather. " +
	"For a hundred years flour, coal and salt lay here, and once, for a winter, a whole circus. " +
	"When the new harbour opened, the house stood empty, and gulls moved in. " +
	"In 1974 the school cleared out the ground floor and showed what it had found: nets, lamps, letters. " +
	"That was meant for one summer. It has not closed since."

const historyGerman = "Im Jahr 1821 bauten drei Schiffer den Speicher am Kopf des Anlegers, weil Waren nicht auf trockenes Wetter warten konnten. " +
	"Hundert Jahre lang lagerten hier Mehl, Kohle und Salz, und einmal, einen Winter lang, ein ganzer Zirkus. " +
	"Als der neue Hafen öffnete, stand das Haus leer, und die Möwen zogen ein. " +
	"Der Sturm von 1936 nahm das halbe Dach mit; das Holz trieb bis zum Festland und kam mit der Fähre zurück. " +
	"Im Jahr 1974 räumte die Schule das Erdgeschoss aus und zeigte, was sie gefunden hatte: Netze, Lampen, Briefe. " +
	"Gedacht war das für einen Sommer. Seitdem ist das Haus nicht wieder geschlossen worden. " +
	"Der Verein der Freunde kaufte den Speicher zehn Jahre später für eine Mark und sehr viel Arbeit. " +
	"Seither wächst die Sammlung mit jedem Dachboden, der auf der Insel aufgeräumt wird."
