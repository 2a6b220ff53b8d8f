import { expect, it } from 'vitest'
import { longFunctions } from './long-functions.ts'

/** A page whose function has this many lines, with blank ones in between. */
const page = (lines: number) =>
  [
    '',
    'export function Page() {',
    '  return (',
    '    <ul>',
    '',
    ...Array(lines - 6).fill('      <li />'),
    '    </ul>',
    '  )',
    '}',
  ].join('\n')

it('a function may have 70 lines, and blank ones do not count', () => {
  expect(longFunctions('page.tsx', page(70))).toEqual([])
})

it('the check names a longer function by file, line and length, and says what to do', () => {
  expect(longFunctions('page.tsx', page(71))).toEqual([
    'page.tsx:2 has a function of 71 lines, and 70 are allowed. Name a part of it: a component, a hook or a list of columns.',
  ])
})

it('the check counts every function: inside another one, without a name, and of a class', () => {
  const inner = page(80).replace('export function Page()', 'const act = () =>')
  const found = longFunctions('page.tsx', `const outer = function () {\n${inner}\n}\nclass A { act() {\n${inner}\n} }`)
  expect(found.map((line) => /^\S+/.exec(line)![0])).toEqual(['page.tsx:1', 'page.tsx:3', 'page.tsx:85', 'page.tsx:87'])
})

it('a function of code is asked for a part of another kind', () => {
  expect(longFunctions('worker.ts', page(71).replaceAll('<li />', 'li()'))).toEqual([
    'worker.ts:2 has a function of 71 lines, and 70 are allowed. Name a part of it: what it does, holds or returns.',
  ])
})

it.each([
  '// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes',
  '// long-function: a flat list of routes',
])('a function below “%s” may be longer, but not one inside it', (comment) => {
  const outer = (inner: string) => `${comment}\nexport function routes() {\n${inner}\n}`
  expect(longFunctions('routes.ts', outer(Array(80).fill('route()').join('\n')))).toEqual([])
  expect(longFunctions('routes.ts', outer(page(80)))).toHaveLength(1)
})

it('an exemption needs a reason', () => {
  expect(longFunctions('page.tsx', page(71).replace(/^/, '// long-function:'))).toHaveLength(1)
})
