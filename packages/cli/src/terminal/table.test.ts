import { expect, it } from 'vitest'
import { table } from './table.ts'
import { cut, plain, widthOf } from './terminal.ts'

const columns = [
  { head: 'KEY', cell: ({ key }: { key: string; rules: number }) => key },
  { head: 'RULES', cell: ({ rules }: { key: string; rules: number }) => rules, right: true as const },
]
const unpainted = (_color: string, text: string) => text

it('a table has two spaces between columns, numbers on the right and no space at the end', () => {
  const rows = [
    { key: 'checkout', rules: 2 },
    { key: 'a', rules: 10 },
  ]
  expect(table(columns, rows, { width: undefined, paint: unpainted })).toEqual([
    'KEY       RULES',
    'checkout      2',
    'a            10',
  ])
})

it('a table is cut to the width of a terminal, and never in a pipe', () => {
  const rows = [{ key: 'a-very-long-key-of-a-flag', rules: 1 }]
  expect(table(columns, rows, { width: 20, paint: unpainted })[1]).toBe('a-very-long-…      1')
  expect(table(columns, rows, { width: undefined, paint: unpainted })[1]).toContain('a-very-long-key-of-a-flag')
})

it('a table counts characters as a terminal shows them', () => {
  expect([widthOf('日本'), widthOf('e\u0301'), widthOf('👩‍🚀'), cut('日本語', 4)]).toEqual([4, 1, 2, '日…'])
})

it('text of the service cannot control the terminal', () => {
  expect(plain('a\u001b[2Jb\nc\u202Ed\u2028e')).toBe('a\uFFFD[2Jb c\uFFFDd\uFFFDe')
})
