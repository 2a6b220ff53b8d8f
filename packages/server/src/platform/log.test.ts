import { expect, test, vi } from 'vitest'
import { gatheringAnswers, losingUnread, openLog } from './log.ts'

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
  const written: string[][] = []
  const log = openLog(
    'info',
    gatheringAnswers((text) => void written.push(messagesOf(text))),
  )
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
  for (let line = 0; line < 100; line++) log.info({ text: 'x'.repeat(100) }, 'answered')
  expect(written.length, 'a lot of them does not wait').toBeGreaterThan(2)
  vi.useRealTimers()
})

test('lines are lost while too much is unread, and the next line says how many', () => {
  const written: string[] = []
  let unread = 0
  const log = openLog(
    'info',
    losingUnread({ write: (text) => void written.push(text) }, () => unread),
  )
  log.info('before')
  unread = 2 ** 20 + 1
  log.info('lost')
  log.info('lost too')
  unread = 2 ** 20
  log.info('after')
  log.info('later')
  expect(messagesOf(written.join(''))).toEqual(['before', expect.stringContaining('were lost'), 'after', 'later'])
  expect(JSON.parse(written[1]!)).toMatchObject({ level: 'warn', lost: 2 })
})

const messagesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
