import { parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { inlineElement, inlineText, isWritable } from './inline.ts'

/** What a browser makes of the element. */
function parsed(html: string) {
  const { childNodes } = parseFragment(html)
  const [script] = childNodes as { nodeName: string; attrs: { value: string }[]; childNodes: { value: string }[] }[]
  return { count: childNodes.length, nonce: script!.attrs[0]?.value, text: script!.childNodes[0]!.value }
}

test.each([undefined, null, 'abc123==', '"><img src=x onerror=alert(1)>', "' & <"])(
  'a page gets the nonce %j',
  (nonce) => {
    expect(parsed(inlineElement('run()', nonce))).toEqual({ count: 1, nonce: nonce ?? undefined, text: 'run()' })
  },
)

test.each([
  ['the end of a script', { plan: '</script><script>alert(1)</script>' }],
  ['a comment', { plan: '<!--<script>' }],
  ['quotes and line breaks', { plan: '"\'\u2028\n' }],
  ['attributes of all types', { visits: 3, isPro: true, tags: ['a'], app: { version: '1' }, none: null }],
])('a script hears of attributes with %s before it runs', (_what, attributes) => {
  const { count, text } = parsed(inlineElement(inlineText('seen = svc.q[0]', attributes), undefined))
  expect(count).toBe(1)
  const self: Record<string, unknown> = {}
  const seen = new Function('self', `with (self) { let seen; ${text}; return seen }`)(self)
  expect(seen).toEqual(['setAttributes', attributes])
})

test('calls that wait already stay', () => {
  const self = { svc: { q: [['track', 'seen']] } }
  new Function('self', inlineText('', { plan: 'pro' }))(self)
  expect(self.svc.q).toEqual([
    ['track', 'seen'],
    ['setAttributes', { plan: 'pro' }],
  ])
})

test.each([
  ['a < b', true],
  ['x="<\\/script>"', true],
  ['x="</script>"', false],
  ['x="</ScRiPt"', false],
  ['if (a<!--b) {}', false],
])('the script %j can be written into a page: %s', (script, expected) => {
  expect(isWritable(script)).toBe(expected)
})
