import { expect, test } from 'vitest'
import { shopResults } from '../shop-case.ts'
import { groupsOf } from '../table/metric-rows.ts'
import { plain } from '../verdict-cases.ts'
import { pictureOf } from './picture.ts'
import { svgOf } from './write-picture.ts'

const names: Record<string, string> = { original: 'Original', short: 'Short & <b>form</b>', long: 'One page' }
const order = Object.keys(names)
const picture = pictureOf({
  ...{ title: 'Checkout, Production', headline: 'One page makes Page errors worse.', lines: ['Next step: pause it.'] },
  interval: 'Lift with its 95 % confidence interval.',
  groups: groupsOf(shopResults, { shows: 'figures', isProven: true }),
  arms: { nameOf: (id) => names[id] ?? id, armOf: (id) => order.indexOf(id) },
})

test('has the verdict, and a lift, an interval and a word for each comparison', () => {
  const texts = plain(picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])))
  for (const words of [
    'Checkout, Production',
    'One page makes Page errors worse.',
    'Order paid',
    '+16.2 %',
    '+6.8 % to +25.6 %',
    'Breached',
    'Guardrails',
  ])
    expect(texts).toContain(words)
  expect(picture.shapes.filter(({ kind }) => kind === 'path')).toHaveLength(14)
})

test('stays within its size', () => {
  for (const shape of picture.shapes) {
    const xs = shape.kind === 'line' ? [shape.x1, shape.x2] : [shape.x]
    const ys = shape.kind === 'line' ? [shape.y1, shape.y2] : [shape.y]
    for (const x of xs) expect(x).toBeLessThanOrEqual(picture.width)
    for (const y of ys) expect(y).toBeLessThanOrEqual(picture.height)
  }
})

test('is a file in which names are text', () => {
  const svg = svgOf(picture)
  expect(svg).toContain('Short &amp; &lt;b&gt;form&lt;/…')
  expect(svg).not.toMatch(/<b>|style=|href/)
  const odd = {
    width: 1,
    height: 1,
    shapes: [{ kind: 'text' as const, x: 0, y: 0, text: 'a\u0000\ud800b', size: 1, color: '#000' }],
  }
  expect(svgOf(odd)).toContain('>ab<')
})
