package demo

import (
	"image/color"
	"math"
)

// The colours of the museum.
var (
	paper = color.RGBA{250, 244, 230, 255}
	ink   = color.RGBA{38, 50, 66, 255}
	red   = color.RGBA{196, 66, 54, 255}
	sand  = color.RGBA{226, 204, 160, 255}
	brass = color.RGBA{202, 158, 74, 255}
	leaf  = color.RGBA{132, 160, 112, 255}
	sea1  = color.RGBA{86, 146, 168, 255}
	sea2  = color.RGBA{56, 114, 142, 255}
	sea3  = color.RGBA{36, 84, 112, 255}
	day   = color.RGBA{176, 212, 226, 255}
	dawn  = color.RGBA{250, 220, 184, 255}
	night = color.RGBA{24, 32, 62, 255}
	dusk  = color.RGBA{70, 84, 128, 255}
	light = color.RGBA{250, 228, 140, 255}
	beam  = color.RGBA{96, 88, 54, 96} // premultiplied: a pale yellow that lets the sky through
)

func pictures() []picture {
	return []picture{
		{
			pictureLighthouse, "lighthouse.png", drawLighthouse,
			described{"The lighthouse at dusk", "A red and white lighthouse on a rock throws its beam over the sea."},
			described{"Der Leuchtturm in der Dämmerung", "Ein rot-weißer Leuchtturm auf einem Felsen wirft sein Licht über die See."},
		},
		{
			pictureShip, "ship.png", drawShip,
			described{"A lugger under sail", "A ship under brown and white sails on a calm sea."},
			described{"Ein Logger unter Segeln", "Ein Schiff unter braunen und weißen Segeln auf ruhiger See."},
		},
		{
			pictureShell, "shell.png", drawShell,
			described{"A scallop", "A fan-shaped shell with fine ribs on sand."},
			described{"Eine Kammmuschel", "Eine fächerförmige Muschel mit feinen Rippen auf Sand."},
		},
		{
			pictureAnchor, "anchor.png", drawAnchor,
			described{"The anchor in front of the house", "A dark anchor on light ground."},
			described{"Der Anker vor dem Haus", "Ein dunkler Anker auf hellem Grund."},
		},
		{
			pictureFerry, "ferry.png", drawFerry,
			described{"The ferry in the morning", "A white ferry with a red funnel before a pale sky."},
			described{"Die Fähre am Morgen", "Eine weiße Fähre mit rotem Schornstein vor hellem Himmel."},
		},
		{
			pictureCompass, "compass.png", drawCompass,
			described{"The compass of the ferry", "A brass compass whose needle points a little too far west."},
			described{"Der Kompass der Fähre", "Ein Kompass aus Messing, dessen Nadel etwas zu weit nach Westen zeigt."},
		},
		{
			pictureMap, "map.png", drawMap,
			described{"Map of Ebbenholm", "A simple map of the island with harbour and lighthouse."},
			described{"Karte von Ebbenholm", "Eine einfache Karte der Insel mit Hafen und Leuchtturm."},
		},
		{
			pictureMoon, "moon.png", drawMoon,
			described{"Moon over the pier", "A full moon over a wooden pier, its light on the water."},
			described{"Mond über dem Anleger", "Ein voller Mond über einem hölzernen Anleger, sein Licht auf dem Wasser."},
		},
	}
}

func drawLighthouse(c *canvas) {
	c.sky(dusk, dawn)
	c.shape(beam, point{300, 76}, point{0, 8}, point{0, 116})
	c.waves(236, sea1, sea2, sea3)
	c.shape(ink, point{210, 270}, point{248, 236}, point{300, 228}, point{356, 238}, point{404, 270})
	c.shape(paper, point{270, 240}, point{282, 96}, point{318, 96}, point{330, 240})
	for i := range 3 {
		top := 118 + 46*float64(i)
		left := func(y float64) float64 { return 282 - 12*(y-96)/144 }
		right := func(y float64) float64 { return 318 + 12*(y-96)/144 }
		c.shape(red, point{left(top), top}, point{right(top), top}, point{right(top + 22), top + 22}, point{left(top + 22), top + 22})
	}
	c.box(274, 90, 52, 6, ink)
	c.box(286, 62, 28, 28, light)
	c.line(point{300, 62}, point{300, 90}, 2, ink)
	c.shape(red, point{280, 62}, point{300, 42}, point{320, 62})
}

func drawShip(c *canvas) {
	c.sky(day, paper)
	c.disc(392, 74, 26, light)
	c.waves(232, sea1)
	c.line(point{214, 70}, point{214, 232}, 5, ink)
	c.line(point{290, 100}, point{290, 232}, 4, ink)
	sail := color.RGBA{166, 92, 62, 255}
	c.shape(sail, point{208, 78}, point{208, 214}, point{122, 206})
	c.shape(sail, point{220, 84}, point{276, 200}, point{220, 212})
	c.shape(paper, point{296, 108}, point{350, 204}, point{296, 212})
	c.shape(ink, point{110, 224}, point{372, 224}, point{340, 264}, point{144, 264})
	c.box(122, 230, 240, 4, brass)
	c.waves(254, sea2, sea3)
}

func drawShell(c *canvas) {
	c.sky(paper, sand)
	foot := point{240, 268}
	pale := color.RGBA{238, 190, 172, 255}
	rib := color.RGBA{206, 138, 124, 255}
	var rim []point
	for i := range 41 {
		a := math.Pi * (0.08 + 0.84*float64(i)/40)
		r := 186 + 7*math.Cos(float64(i)*math.Pi/2)
		rim = append(rim, point{foot.x + r*math.Cos(a)*0.92, foot.y - r*math.Sin(a)})
	}
	c.shape(pale, append(rim, foot)...)
	for i := 2; i < 40; i += 4 {
		c.line(foot, rim[i], 3, rib)
	}
	c.shape(rib, point{206, 262}, point{274, 262}, point{262, 286}, point{218, 286})
}

func drawAnchor(c *canvas) {
	c.sky(paper, day)
	c.ring(240, 66, 24, 10, ink)
	c.box(233, 88, 14, 176, ink)
	c.box(186, 112, 108, 14, ink)
	for i := range 60 {
		a := math.Pi * (0.08 + 0.84*float64(i)/59)
		c.disc(240+98*math.Cos(a), 176+90*math.Sin(a), 8, ink)
	}
	c.shape(ink, point{122, 170}, point{172, 196}, point{128, 226})
	c.shape(ink, point{358, 170}, point{308, 196}, point{352, 226})
}

func drawFerry(c *canvas) {
	c.sky(dawn, paper)
	c.waves(216, sea1)
	c.box(258, 92, 30, 54, red)
	c.box(258, 92, 30, 10, ink)
	c.box(140, 140, 206, 40, paper)
	c.box(140, 176, 206, 4, ink)
	for i := range 7 {
		c.box(154+27*float64(i), 152, 16, 14, sea2)
	}
	c.shape(paper, point{86, 180}, point{400, 180}, point{368, 244}, point{116, 244})
	c.shape(red, point{107, 224}, point{379, 224}, point{368, 246}, point{117, 246})
	c.waves(238, sea2, sea3)
}

func drawCompass(c *canvas) {
	c.sky(ink, dusk)
	c.disc(240, 160, 132, brass)
	c.disc(240, 160, 116, paper)
	for i := range 32 {
		a := float64(i) * math.Pi / 16
		from := 96.0
		if i%8 == 0 {
			from = 82
		}
		c.line(point{240 + from*math.Sin(a), 160 - from*math.Cos(a)}, point{240 + 108*math.Sin(a), 160 - 108*math.Cos(a)}, 3, ink)
	}
	tilt := -0.09
	tip := func(r, a float64) point { return point{240 + r*math.Sin(a), 160 - r*math.Cos(a)} }
	c.shape(red, tip(88, tilt), tip(13, tilt+math.Pi/2), tip(13, tilt-math.Pi/2))
	c.shape(ink, tip(-88, tilt), tip(13, tilt+math.Pi/2), tip(13, tilt-math.Pi/2))
	c.disc(240, 160, 7, brass)
}

func drawMap(c *canvas) {
	c.sky(day, day)
	coast := func(grow float64) (all []point) {
		for i := range 90 {
			a := float64(i) * math.Pi / 45
			r := grow + 20*math.Sin(3*a+1) + 12*math.Sin(5*a)
			all = append(all, point{240 + 1.5*r*math.Cos(a), 160 + r*math.Sin(a)})
		}
		return all
	}
	c.shape(sand, coast(106)...)
	c.shape(leaf, coast(90)...)
	c.line(point{150, 190}, point{236, 160}, 4, paper)
	c.line(point{236, 160}, point{330, 110}, 4, paper)
	c.shape(sea1, point{96, 170}, point{150, 176}, point{154, 206}, point{100, 214})
	c.disc(152, 190, 9, red)
	c.box(326, 84, 8, 26, red)
	c.disc(330, 82, 7, light)
	c.shape(ink, point{420, 40}, point{428, 68}, point{420, 60}, point{412, 68})
}

func drawMoon(c *canvas) {
	c.sky(night, dusk)
	for i := range 40 {
		c.disc(math.Mod(float64(i)*137.5, width), math.Mod(float64(i)*61.8, 170), 1+float64(i%2)/2, paper)
	}
	c.disc(342, 82, 36, light)
	c.waves(214, dusk, night)
	for i := range 9 {
		w := 64 - 5*float64(i)
		c.box(342-w/2, 222+9*float64(i), w, 3, light)
	}
	wood := color.RGBA{84, 66, 58, 255}
	c.shape(wood, point{0, 236}, point{226, 224}, point{226, 236}, point{0, 252})
	for i := range 5 {
		c.box(16+46*float64(i), 230, 9, 70, wood)
	}
	c.box(206, 176, 4, 50, wood)
	c.disc(208, 172, 7, light)
}
