import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealWith } from './seal.ts'

const seal = sealWith(randomBytes(32))
const text = 'ab'.repeat(32)
const flipped = (sealed: Buffer, at: number) => Buffer.from(sealed.map((byte, index) => (index === at ? ~byte : byte)))
const mac = (key: Parameters<typeof createHmac>[1]) => createHmac('sha256', key).update('body').digest('hex')

describe('a sealed text', () => {
  it('opens to the same text and looks different each time', () => {
    const [one, other] = [seal.seal(text, 'row'), seal.seal(text, 'row')]
    expect([seal.open(one, 'row'), seal.open(other, 'row')]).toEqual([text, text])
    expect(one.equals(other)).toBe(false)
  })

  it('does not open in another row, with another key, or with a changed byte', () => {
    const sealed = seal.seal(text, 'row')
    expect(() => seal.open(sealed, 'other row')).toThrow()
    expect(() => sealWith(randomBytes(32)).open(sealed, 'row')).toThrow()
    for (let at = 0; at < sealed.length; at += 1) expect(() => seal.open(flipped(sealed, at), 'row')).toThrow()
  })
})

describe('a key', () => {
  it('signs like its text and is opened once', () => {
    const sealed = seal.seal(text, 'row')
    const key = seal.openKey(sealed, 'row')
    expect(mac(key)).toBe(mac(text))
    expect(seal.openKey(Buffer.from(sealed), 'row')).toBe(key)
  })

  it('only works for its own bytes and row, even after it was opened', () => {
    const sealed = seal.seal(text, 'a row')
    seal.openKey(sealed, 'a row')
    expect(() => seal.openKey(flipped(sealed, 0), 'a row')).toThrow()
    expect(() => seal.openKey(sealed, 'another row')).toThrow()
    expect(mac(seal.openKey(seal.seal('a new text', 'a row'), 'a row'))).toBe(mac('a new text'))
  })

  it('is forgotten after a thousand others', () => {
    const first = seal.seal(text, '0')
    const key = seal.openKey(first, '0')
    for (let at = 1; at < 1000; at += 1) seal.openKey(seal.seal(text, String(at)), String(at))
    expect(seal.openKey(first, '0')).toBe(key)
    seal.openKey(seal.seal(text, '1000'), '1000')
    const again = seal.openKey(first, '0')
    expect(again).not.toBe(key)
    expect(mac(again)).toBe(mac(key))
  })
})
