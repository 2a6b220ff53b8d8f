import { expect, test } from 'vitest'
import { type CodeTable, scriptOf } from './script.ts'

const served = { baseUrl: 'https://svc.example', sdkKey: 'sdk_1', file: '{}', web: '{"a":"<"}' }

/** What the engine gets, which is here a function that hands it out. */
function tableOf(code: string[]): { text: string; table: CodeTable | undefined } {
  const functions = code.map((js, number) => ({ js, version: `version${number}` }))
  const engine = 'return typeof svcCode === "undefined" ? undefined : svcCode'
  const text = scriptOf(engine, { ...served, code: functions })
  return { text, table: new Function(`return ${text}`)() }
}

test('a script without code has no table', () => {
  const { text, table } = tableOf([])
  expect(table).toBeUndefined()
  expect(text).toBe(scriptOf('return typeof svcCode === "undefined" ? undefined : svcCode', served))
  expect(text).not.toContain('<')
})

test('each code is a function of its own, at the lines of the table', () => {
  const codes = ['return svc', 'a\n\r\nb // <p>', 'return [svc,\u2028svc]\r', '']
  const { text, table } = tableOf(codes)
  const [, ...functions] = table!
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  const begin = lines.findIndex((line) => line.endsWith('[Error().stack'))
  for (const [number, [first, last, version]] of functions.entries()) {
    const own = `${codes[number]}\n`.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, -1)
    expect(lines.slice(begin + first, begin + last + 1)).toEqual(own)
    expect(version).toBe(`version${number}`)
  }
  expect(functions[0]![3](7 as never)).toBe(7)
  expect(functions[2]![3](7 as never)).toEqual([7, 7])
})
