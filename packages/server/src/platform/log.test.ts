import { expect, test } from 'vitest'
import { openLog } from './log.ts'

/** Whatever some program that reads logs takes for the end of a line. */
const lineEnds = /\r\n|[\n\v\f\r\x85\u2028\u2029]/

test.each([
  ['line feeds', 'a\nb\r\nc\rd'],
  ['line ends of Unicode', 'a\u2028b\u2029c\u0085d'],
  ['other line ends', 'a\vb\fc'],
  ['orders to a terminal', '\u001b[2J\u001b]0;title\u0007'],
  ['orders in one character', '\u009b31m\u009d0;title\u009c\u007f'],
  ['a line of its own', 'x"}\n{"level":"error","msg":"forged"}'],
  ['other letters', 'é日本語\u{1F600}\u00a0'],
])('%s stay inside of one line, and are read back as they were', (_what, text) => {
  const written: string[] = []
  const log = openLog('info', { write: (chunk: string) => void written.push(chunk) })
  log.info({ text, inside: { [text]: [text] }, err: new Error(text) }, text)
  const lines = written.join('').split(lineEnds)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toBe('')
  expect(lines[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
  expect(JSON.parse(lines[0]!)).toMatchObject({ text, inside: { [text]: [text] }, err: { message: text }, msg: text })
})
