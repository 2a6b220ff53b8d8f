import type { Picture, Shape } from './picture.ts'

const font = 'system-ui, sans-serif'

/** The picture as a file that scales. Texts are escaped: names are written by people. */
export const svgOf = ({ width, height, shapes }: Picture): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...shapes.map(elementOf),
    '</svg>',
  ].join('\n')

function elementOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text': {
      const { x, y, text, size, color, isBold, isCentered } = shape
      return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${isBold ? ' font-weight="600"' : ''}${isCentered ? ' text-anchor="middle"' : ''}>${escaped(text)}</text>`
    }
    case 'line': {
      const { x1, y1, x2, y2, color, width, opacity = 1 } = shape
      return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${color}" stroke-width="${width}" opacity="${opacity}"/>`
    }
    case 'path':
      return `<path transform="translate(${shape.x} ${shape.y})" d="${shape.d}" fill="${shape.color}"/>`
  }
}

/** What XML has no place for is left out: control characters, and halves of pairs. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** Twice the size, for screens with fine pixels. */
const scale = 2

/** The picture as a PNG. A canvas draws the shapes itself: the policy of the page loads no SVG from memory. */
export async function pngOf({ width, height, shapes }: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const on = canvas.getContext('2d')
  if (!on) throw new Error('the browser has no canvas')
  on.scale(scale, scale)
  on.fillStyle = '#ffffff'
  on.fillRect(0, 0, width, height)
  for (const shape of shapes) draw(on, shape)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas is too large'))), 'image/png'),
  )
}

function draw(on: CanvasRenderingContext2D, shape: Shape): void {
  on.save()
  on.fillStyle = shape.color
  on.strokeStyle = shape.color
  if (shape.kind === 'text') {
    on.font = `${shape.isBold ? 600 : 400} ${shape.size}px ${font}`
    on.textAlign = shape.isCentered ? 'center' : 'left'
    on.fillText(shape.text, shape.x, shape.y)
  } else if (shape.kind === 'line') {
    on.globalAlpha = shape.opacity ?? 1
    on.lineWidth = shape.width
    on.beginPath()
    on.moveTo(shape.x1, shape.y1)
    on.lineTo(shape.x2, shape.y2)
    on.stroke()
  } else {
    on.translate(shape.x, shape.y)
    on.fill(new Path2D(shape.d))
  }
  on.restore()
}
