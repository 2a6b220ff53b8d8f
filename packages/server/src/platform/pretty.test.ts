import { expect, test } from 'vitest'
import { openLog } from './log.ts'
import { prettyLine, prettyLines, startBlock } from './pretty.ts'

function lines(work: (log: ReturnType<typeof openLog>) => void, isColoured = false): string[] {
  const written: string[] = []
  work(
    openLog(
      'trace',
      prettyLines((text) => void written.push(text), isColoured),
    ),
  )
  return written
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\d\d:\d\d:\d\d/, '09:41:07'))
}

test('a line has the time, the level, the message and its fields', () => {
  expect(
    lines((log) => log.warn({ path: './data', status: 404, text: 'two words', no: null, list: ['a'] }, 'it happened')),
  ).toEqual(['09:41:07 WARN  it happened path=./data status=404 text="two words" no=null list=["a"]'])
})

test('an error is shown with its message and its stack below the line', () => {
  const [line, ...more] = lines((log) => log.error({ err: new TypeError('not\nthis') }, 'work failed'))
  expect(line).toBe('09:41:07 ERROR work failed')
  expect(more[0]).toBe('         TypeError: not\\u000athis')
  expect(more.length).toBeGreaterThan(1)
  for (const place of more.slice(1)) expect(place).toMatch(/^ {11}at /)
})

test.each([
  ['line feeds', 'a\nb\r\nc'],
  ['terminal sequences', '\u001b[2J\u009b31m'],
  ['line ends of Unicode', 'a\u2028b\u0085c'],
])('%s neither begin a line nor control the terminal in any place', (_what, text) => {
  const written = lines((log) => log.info({ text, [text]: { text } }, text))
  expect(written).toHaveLength(1)
  expect(written[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/)
})

test('secrets are censored here too', () => {
  expect(lines((log) => log.info({ token: { secret: 'hunter2' } }, 'x'))).toEqual([
    '09:41:07 info  x token={"secret":"[hidden]"}',
  ])
})

test('colours are only used for terminals', () => {
  const line = JSON.stringify({ level: 'warn', time: '2026-01-01T00:00:00Z', msg: 'x' })
  expect(prettyLine(line, true)).toContain('\u001b[33m')
  expect(prettyLine(line)).not.toContain('\u001b')
})

test('the start block is aligned', () => {
  expect(
    startBlock('Ready.', [
      ['Dashboard', 'http://a'],
      ['API', 'b'],
    ]),
  ).toBe('\n  Ready.\n\n  Dashboard  http://a\n  API        b\n\n')
})
