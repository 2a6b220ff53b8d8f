import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { responseText } from './response-text.ts'

describe('the text of a response', () => {
  it.each([
    { what: 'plain', bytes: Buffer.from('ok'), isWhole: true, text: 'ok' },
    { what: 'nothing', bytes: Buffer.from(''), isWhole: true, text: '' },
    {
      what: 'cut in a character of two bytes',
      bytes: Buffer.from(`${'a'.repeat(1023)}é`),
      isWhole: true,
      text: 'a'.repeat(1023),
    },
    {
      what: 'cut in a character of four bytes',
      bytes: Buffer.from(`${'a'.repeat(1021)}😀!`),
      isWhole: true,
      text: 'a'.repeat(1021),
    },
    { what: 'exactly full', bytes: Buffer.from('a'.repeat(1024)), isWhole: true, text: 'a'.repeat(1024) },
    {
      what: 'cut off by the time limit in a character',
      bytes: Buffer.from([0x61, 0xf0, 0x9f]),
      isWhole: false,
      text: 'a',
    },
    { what: 'ending inside a character', bytes: Buffer.from([0x61, 0xf0, 0x9f]), isWhole: true, text: 'a\ufffd' },
    { what: 'with NUL', bytes: Buffer.from('a\0b\0'), isWhole: true, text: 'ab' },
    { what: 'a lone surrogate', bytes: Buffer.from([0xed, 0xa0, 0x80]), isWhole: true, text: '\ufffd\ufffd\ufffd' },
    { what: 'only invalid bytes', bytes: Buffer.alloc(2000, 0xff), isWhole: false, text: '\ufffd'.repeat(341) },
  ])('$what', ({ bytes, isWhole, text }) => expect(responseText(bytes, isWhole)).toBe(text))

  it('is well formed, free of NUL and at most 1,024 bytes long for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1100 }), fc.boolean(), (bytes, isWhole) => {
        const text = responseText(Buffer.from(bytes), isWhole)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
      }),
    )
  })

  it('is a prefix of a valid text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1500 }), (whole) => {
        const clean = whole.replaceAll('\0', '')
        expect(clean.startsWith(responseText(Buffer.from(whole), true))).toBe(true)
      }),
    )
  })
})
