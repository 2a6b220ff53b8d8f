import { expect, test } from 'vitest'
import { connectionsWithin, openFilesIn } from './open-files.ts'

const line = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units     
Max processes             63416                63416                processes 
Max open files            ${soft.padEnd(20)} 1048576              files     
`

test.each([
  ['1024', 1_024],
  ['1048576', 1_048_576],
  ['unlimited', null],
])('a limit of %s is %s', (soft, limit) => expect(openFilesIn(line(soft))).toBe(limit))

test.each([
  [256, 128],
  [1_024, 624],
  [1_048_576, 838_860],
])('with %i open files there are %i connections', (openFiles, connections) =>
  expect(connectionsWithin(openFiles)).toBe(connections),
)

test('a text without the line says nothing', () => expect(openFilesIn('')).toBeNull())
