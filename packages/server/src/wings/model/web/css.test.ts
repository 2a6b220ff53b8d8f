import { expect, test } from 'vitest'
import { type Change, changeSchema } from './changes.ts'
import { plainCss, servedCss } from './css.ts'

const change = (fields: object): Change => changeSchema.parse({ id: 'c1', selector: 'a.cta', ...fields })
const style = (value: object, more: object = {}) => change({ type: 'STYLE', value, ...more })

const text = change({ type: 'TEXT', value: 'a' })

test.each<[string, { changes: Change[]; css: string | null }, object[], object[]]>([
  ['nothing', { changes: [text], css: null }, [], []],
  [
    'a style',
    { changes: [style({ 'background-color': ' #0055ff ', '--x': '"a"' })], css: null },
    [{ page: null, text: '@layer svc{a.cta{background-color:#0055ff!important;--x:"a"!important}}' }],
    [{ page: null, text: 'a.cta { background-color: #0055ff; --x: "a" }' }],
  ],
  [
    'hidden elements',
    { changes: [change({ type: 'HIDE' }), change({ type: 'HIDE', keepSpace: true, selector: 'b, i' })], css: null },
    [{ page: null, text: '@layer svc{a.cta{display:none!important}}@layer svc{b, i{visibility:hidden!important}}' }],
    [{ page: null, text: 'a.cta { display: none }\nb, i { visibility: hidden }' }],
  ],
  [
    'the CSS of a variation, which comes last and as it is',
    { changes: [change({ type: 'HIDE' })], css: 'b { c: d }' },
    [{ page: null, text: '@layer svc{a.cta{display:none!important}}b { c: d }' }],
    [{ page: null, text: 'a.cta { display: none }\nb { c: d }' }],
  ],
  [
    'styles of several pages, in the order of the changes',
    {
      changes: [
        style({ color: 'red' }, { page: 'one' }),
        text,
        style({ color: 'blue' }, { page: 'one' }),
        style({ color: 'green' }),
        style({ color: 'black' }, { page: 'one' }),
      ],
      css: 'b{}',
    },
    [
      { page: 'one', text: '@layer svc{a.cta{color:red!important}}@layer svc{a.cta{color:blue!important}}' },
      { page: null, text: '@layer svc{a.cta{color:green!important}}' },
      { page: 'one', text: '@layer svc{a.cta{color:black!important}}' },
      { page: null, text: 'b{}' },
    ],
    [
      { page: 'one', text: 'a.cta { color: red }\na.cta { color: blue }' },
      { page: null, text: 'a.cta { color: green }' },
      { page: 'one', text: 'a.cta { color: black }' },
      { page: null, text: 'b{}' },
    ],
  ],
])('%s: pages get important rules, and people get plain ones', (_what, variation, served, plain) => {
  expect(servedCss(variation)).toEqual(served)
  expect(plainCss(variation)).toEqual(plain)
})
