import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEvents } from './event-stream.ts'

function heardFrom(...texts: string[]) {
  const heard: string[] = []
  const read = readEvents({
    onRevision: (id, data) => heard.push(`r${id}${data && data !== '{}' ? ` ${data}` : ''}`),
    onRetry: (ms) => heard.push(`wait ${ms}`),
  })
  for (const text of texts) read(text)
  return heard
}

it.each([
  ['an event', ['id: 7\ndata: {}\n\n'], ['r7']],
  ['two events at once', ['id: 7\ndata: {}\n\nid: 8\ndata: {}\n\n'], ['r7', 'r8']],
  ['an event in pieces', ['i', 'd: 4', '2\nda', 'ta: {}\n', '\n'], ['r42']],
  ['the data of an event', ['id: 7\ndata: {"a":"\u2028"}\n\nid: 8\n\n'], ['r7 {"a":"\u2028"}', 'r8']],
  ['lines that end in CR LF', ['id:7\r\ndata: {}\r\n\r\n'], ['r7']],
  ['nothing before the end of an event', ['id: 7\ndata: {}\n'], []],
  ['nothing from pings', [': ping\n\n', ':\n\n'], []],
  ['nothing from an event without an id', ['data: {}\n\n'], []],
  ['an id only once', ['id: 7\n\n\n\n'], ['r7']],
  ['the delay that the service asks for', ['retry: 2500\n\n'], ['wait 2500']],
  [
    'nothing from an id that is not a whole number',
    ['id: 7.5\n\nid: -1\n\nid: 1e9\n\nid: x\n\nid\n\nid: 99999999999999999\n\n'],
    [],
  ],
  ['nothing from garbage', ['\0\0\u{1f600}\n<html>\n\n'], []],
])('reads %s', (_name, texts, expected) => {
  expect(heardFrom(...texts)).toEqual(expected)
})

it('reads the same events wherever the text is cut', () => {
  const piece = fc.constantFrom(
    'id: 7\n',
    'id: 8\r\n',
    'retry: 20\n',
    'data: {}\n',
    '\n',
    '\r\n',
    ':\n',
    'x',
    '😀',
    '\r',
  )
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
      const text = pieces.join('')
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const cut = places.slice(1).map((end, index) => text.slice(places[index], end))
      expect(heardFrom(...cut)).toEqual(heardFrom(text))
    }),
  )
})

it('throws when a line is too long', () => {
  expect(() => heardFrom('x'.repeat(6_000), 'x'.repeat(6_000))).toThrow('a line is too long')
})
