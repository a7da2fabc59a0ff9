package demo

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Size of the pictures in pixels. They are drawn at twice the size and scaled
// down, so that their edges are smooth.
const (
	width  = 480
	height = 320
	fine   = 2
)

// Numbers of the pictures.
const (
	pictureLighthouse int64 = iota + 1
	pictureShip
	pictureShell
	pictureAnchor
	pictureFerry
	pictureCompass
	pictureMap
	pictureMoon
)

// picture is a file of the website with its metadata.
type picture struct {
	uid    int64
	name   string
	draw   func(*canvas)
	en, de described
}

// described is what metadata says of a picture in one language.
type described struct{ title, alternative string }

// paint makes sure that the pictures lie in dir/media/pictures, and returns
// their sizes in bytes. They are the same every time.
func paint(dir string) (map[string]int64, error) {
	folder := filepath.Join(dir, Storage, "pictures")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of pictures: %w", err)
	}
	sizes := map[string]int64{}
	for _, p := range pictures() {
		file := filepath.Join(folder, p.name)
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			var data []byte
			if data, err = p.encode(); err == nil {
				err = put(file, data)
			}
			sizes[p.name] = int64(len(data))
		} else if err == nil {
			sizes[p.name] = info.Size()
		}
		if err != nil {
			return nil, fmt.Errorf("draw %s: %w", p.name, err)
		}
	}
	return sizes, nil
}

// put writes a file that is there whole or not at all.
func put(file string, data []byte) error {
	half := file + ".new"
	if err := os.WriteFile(half, data, 0o600); err != nil {
		return err
	}
	return os.Rename(half, file)
}

func (p picture) encode() ([]byte, error) {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width*fine, height*fine))}
	p.draw(c)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, c.shrink()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// canvas is a picture under way. Its places are in pixels of the finished
// picture, from the upper left corner.
type canvas struct{ img *image.RGBA }

// point is a place on a canvas.
type point struct{ x, y float64 }

// shrink averages the fine pixels.
func (c *canvas) shrink() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var sum [4]int
			for n := range fine * fine {
				at := c.img.PixOffset(x*fine+n%fine, y*fine+n/fine)
				for i := range sum {
					sum[i] += int(c.img.Pix[at+i])
				}
			}
			at := out.PixOffset(x, y)
			for i := range sum {
				out.Pix[at+i] = uint8(sum[i] / (fine * fine))
			}
		}
	}
	return out
}

// sky fills the canvas from one colour above to another below.
func (c *canvas) sky(above, below color.RGBA) {
	rows := height * fine
	for y := range rows {
		mix := func(a, b uint8) uint8 { return uint8((int(a)*(rows-y) + int(b)*y) / rows) }
		row := image.NewUniform(color.RGBA{mix(above.R, below.R), mix(above.G, below.G), mix(above.B, below.B), 255})
		draw.Draw(c.img, image.Rect(0, y, width*fine, y+1), row, image.Point{}, draw.Src)
	}
}

// box fills a rectangle.
func (c *canvas) box(x, y, w, h float64, paint color.RGBA) {
	area := image.Rect(int(x*fine), int(y*fine), int((x+w)*fine), int((y+h)*fine))
	draw.Draw(c.img, area, image.NewUniform(paint), image.Point{}, draw.Over)
}

// disc fills a circle; a ring with a width draws only its rim.
func (c *canvas) disc(x, y, r float64, paint color.RGBA) { c.ring(x, y, r, r, paint) }

func (c *canvas) ring(x, y, r, thick float64, paint color.RGBA) {
	source := image.NewUniform(paint)
	row := func(py int, from, to float64) {
		draw.Draw(c.img, image.Rect(int(from*fine), py, int(to*fine), py+1), source, image.Point{}, draw.Over)
	}
	for py := int((y - r) * fine); py <= int((y+r)*fine); py++ {
		d := float64(py)/fine - y
		outer := math.Sqrt(max(r*r-d*d, 0))
		inner := math.Sqrt(max((r-thick)*(r-thick)-d*d, 0))
		if thick >= r || math.Abs(d) >= r-thick {
			row(py, x-outer, x+outer)
			continue
		}
		row(py, x-outer, x-inner)
		row(py, x+inner, x+outer)
	}
}

// shape fills a polygon, row by row, between every other edge it meets.
func (c *canvas) shape(paint color.RGBA, corners ...point) {
	source := image.NewUniform(paint)
	low, high := corners[0].y, corners[0].y
	for _, p := range corners {
		low, high = min(low, p.y), max(high, p.y)
	}
	for py := int(low * fine); py <= int(high*fine); py++ {
		y := (float64(py) + 0.5) / fine
		var meets []float64
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			if (a.y <= y) != (b.y <= y) {
				meets = insert(meets, a.x+(y-a.y)/(b.y-a.y)*(b.x-a.x))
			}
		}
		for i := 0; i+1 < len(meets); i += 2 {
			area := image.Rect(int(meets[i]*fine), py, int(meets[i+1]*fine), py+1)
			draw.Draw(c.img, area, source, image.Point{}, draw.Over)
		}
	}
}

func insert(sorted []float64, v float64) []float64 {
	i := 0
	for i < len(sorted) && sorted[i] < v {
		i++
	}
	return append(sorted[:i], append([]float64{v}, sorted[i:]...)...)
}

// line draws a straight stroke.
func (c *canvas) line(from, to point, thick float64, paint color.RGBA) {
	dx, dy := to.x-from.x, to.y-from.y
	long := math.Hypot(dx, dy)
	nx, ny := -dy/long*thick/2, dx/long*thick/2
	c.shape(paint, point{from.x + nx, from.y + ny}, point{to.x + nx, to.y + ny}, point{to.x - nx, to.y - ny}, point{from.x - nx, from.y - ny})
}

// waves draws a sea of three rows of waves from y down.
func (c *canvas) waves(y float64, paints ...color.RGBA) {
	for i, paint := range paints {
		top := y + float64(i)*24
		corners := []point{{0, height}}
		for x := 0.0; x <= width; x += 4 {
			corners = append(corners, point{x, top + 5*math.Sin(x/26+float64(i)*2)})
		}
		c.shape(paint, append(corners, point{width, height})...)
	}
}
