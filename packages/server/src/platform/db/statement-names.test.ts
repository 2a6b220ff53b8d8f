import { expect, it } from 'vitest'
import { statementNames } from './statement-names.ts'

it('names each text once, up to a limit', () => {
  const nameOf = statementNames()
  const names = Array.from({ length: 600 }, (_, index) => nameOf(`select ${index}`))
  expect(new Set(names).size).toBe(501)
  expect(names[499]).toBeDefined()
  expect(names[500]).toBeUndefined()
  expect(nameOf('select 7')).toBe(names[7])
  expect(nameOf('select 555')).toBeUndefined()
})
