import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('a file begins with a byte order mark, texts are quoted, and formulas are disarmed, but numbers stay numbers', () => {
  const row = { a: 'x,"y"\n', b: '=1+1', c: -0.5, d: null, e: '-1', f: true }
  const columns = Object.keys(row).map((key) => ({ key }))
  expect(csvOf([row], columns)).toBe(`\uFEFF"a","b","c","d","e","f"\r\n"x,""y""\n","'=1+1",-0.5,,"'-1",true\r\n`)
  expect(csvOf([{ a: 'z' }], [{ key: 'a' }], { header: false })).toBe('"z"\r\n')
})
