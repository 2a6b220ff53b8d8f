import { expect, test } from 'vitest'
import type { Change } from './draft.ts'
import { previewOf } from './served.ts'

const on = (id: string, page: string | null = null) => ({ id, page, selector: 'a', was: null })

test('a preview has the changes of the page that is open, and of every page', () => {
  const changes: Change[] = [
    { ...on('c1', 'pricing'), type: 'TEXT', value: 'New' },
    { ...on('c2', 'home'), type: 'TEXT', value: 'New' },
    { ...on('c3'), type: 'HIDE', keepSpace: true },
  ]
  const { changes: shown, css } = previewOf({ changes, css: 'b{}' }, ['pricing'])
  expect(shown.map(({ id }) => id)).toEqual(['c1', 'c3'])
  expect(css).toBe('@layer svc{a{visibility:hidden!important}}\nb{}')
  expect(previewOf({ changes, css: null }, null).changes).toHaveLength(3)
})

test.each<[what: string, change: Change]>([
  ['a script', { ...on('c'), type: 'INSERT', position: 'AFTER', value: '<p>x</p><script>alert(1)</script>' }],
  ['an attribute that runs code', { ...on('c'), type: 'HTML', value: '<b onclick="alert(1)">x</b>' }],
  ['a frame inside of an element', { ...on('c'), type: 'HTML', value: '<div><iframe srcdoc="x"></iframe></div>' }],
  ['an address that is code', { ...on('c'), type: 'ATTRIBUTE', name: 'href', value: ' java\nscript:alert(1)' }],
])('a preview never shows %s', (_what, change) => {
  expect(previewOf({ changes: [change], css: null }, null).changes[0]).toMatchObject({ served: null })
})

test('a style cannot end its rule', () => {
  const change: Change = { ...on('c'), type: 'STYLE', value: { color: 'red} b{color:blue', margin: '1px' } }
  expect(previewOf({ changes: [change], css: null }, null).css).toBe('@layer svc{a{margin:1px!important}}')
})
