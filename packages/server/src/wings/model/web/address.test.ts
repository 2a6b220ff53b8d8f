import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressFault, srcsetFault } from './address.ts'

test.each([
  'https://shop.example/a?b=c#d',
  'HTTP://shop.example',
  '//cdn.example/a.js',
  '/pricing',
  'plans?time=10:30',
  '#top',
  './a:b',
  '',
])('links and images can go to %j', (address) => {
  expect(addressFault(address, 'link')).toBeUndefined()
  expect(addressFault(address, 'image')).toBeUndefined()
})

test.each(['mailto:info@shop.example', 'TEL:+31201234567'])('only links can go to %j', (address) => {
  expect(addressFault(address, 'link')).toBeUndefined()
  expect(addressFault(address, 'image')).toContain('must be')
})

test.each(['data:image/png;base64,AAAA', 'DATA:image/svg+xml,%3Csvg/%3E'])('only images can be %j', (address) => {
  expect(addressFault(address, 'image')).toBeUndefined()
  expect(addressFault(address, 'link')).toContain('“data”')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'java script:alert(1)',
  'java\u200bscript:alert(1)',
  '\u00a0javascript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'data:image/png',
  'data:,x',
  'blob:https://shop.example/1',
  'file:///etc/passwd',
  'ftp://shop.example',
  'https:shop.example',
  'https:///shop.example',
  'https://\\evil.example',
  'a:b',
  `/${'a'.repeat(2000)}`,
])('no address is %j', (address) => {
  expect(addressFault(address, 'link')).toBeDefined()
  expect(addressFault(address, 'image')).toBeDefined()
})

test('what is accepted never has a scheme that runs code, however a browser reads it', () => {
  const piece = fc.constantFrom(
    'java',
    'script',
    'JAVASCRIPT',
    'data',
    ':',
    '\t',
    '\n',
    ' ',
    '\u0000',
    '/',
    '#',
    'text/html',
    ',',
    'x',
    'http',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const address = pieces.join('')
      if (addressFault(address, 'link') !== undefined) return
      const url = URL.parse(address, 'https://shop.example/')
      expect(url?.protocol ?? 'https:').toMatch(/^(?:https?|mailto|tel):$/)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  'a.png',
  'a.png 1x, b.png 2x',
  'a.png 320w,\n  b.png 640w',
  'a.png, b.png 1.5x',
  'data:image/png;base64,AA 1x',
])('srcset can be %j', (srcset) => expect(srcsetFault(srcset)).toBeUndefined())

test.each([
  'javascript:x',
  'a.png 1x, javascript:x 2x',
  'a.png, javascript:x',
  'a.png 1q',
  'a.png 1x 2x',
  'a\u0000.png',
])('srcset cannot be %j', (srcset) => expect(srcsetFault(srcset)).toBeDefined())
