import { expect, test, vi } from 'vitest'
import { gatheringAnswers, openLog } from './log.ts'

/** Everything that some program takes for the end of a line when it reads logs. */
const lineEnds = /\r\n|[\n\v\f\r\x85\u2028\u2029]/

test.each([
  ['line feeds', 'a\nb\r\nc\rd'],
  ['line ends of Unicode', 'a\u2028b\u2029c\u0085d'],
  ['other line ends', 'a\vb\fc'],
  ['terminal sequences', '\u001b[2J\u001b]0;title\u0007'],
  ['terminal sequences in one character', '\u009b31m\u009d0;title\u009c\u007f'],
  ['a fake log line', 'x"}\n{"level":"error","msg":"forged"}'],
  ['other letters', 'é日本語\u{1F600}\u00a0'],
])('%s stay within one line and are read back unchanged', (_what, text) => {
  const written: string[] = []
  const log = openLog('info', { write: (chunk: string) => void written.push(chunk) })
  log.info({ text, inside: { [text]: [text] }, err: new Error(text) }, text)
  const lines = written.join('').split(lineEnds)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toBe('')
  expect(lines[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
  expect(JSON.parse(lines[0]!)).toMatchObject({ text, inside: { [text]: [text] }, err: { message: text }, msg: text })
})

test('lines about answered requests leave together, and at once with any other line', () => {
  vi.useFakeTimers()
  const waiting: string[] = []
  const written: string[][] = []
  const flushSync = () => void written.push(waiting.splice(0).map((line) => JSON.parse(line).msg))
  const log = openLog('info', gatheringAnswers({ write: (line) => waiting.push(line), flushSync }))
  log.info({ status: 200 }, 'answered')
  log.info({ status: 404 }, 'answered')
  expect(written).toEqual([])
  vi.advanceTimersByTime(50)
  expect(written).toEqual([['answered', 'answered']])
  log.info({ status: 500 }, 'answered')
  log.warn({ text: 'answered' }, 'a fault')
  expect(written.slice(1)).toEqual([['answered', 'a fault']])
  vi.advanceTimersByTime(1_000)
  expect(written).toHaveLength(2)
  vi.useRealTimers()
})
