import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { credentials, hostile, literal, localhost, nearby, port, unless } from './testing/hostile.ts'
import { readUrl } from './url.ts'

const none = parseAllowedHosts('')
const good = [
  'https://example.com',
  'https://example.com/',
  'https://EXAMPLE.com/Hook',
  'https://example.com:443/hook',
  'https://example.com/hook?key=a%20b&c=@d',
  'https://hooks.example.com/a/b;c=d',
  'https://bücher.example/',
  'https://1and1.example.com/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://hook_1.example.com/',
  `https://example.com/${'a'.repeat(2028)}`,
]

describe('a URL', () => {
  it.each(hostile)('%j is refused: %s', (text, problem) => expect(readUrl(text, none)).toBe(problem))

  it.each(good)('%j is accepted', (text) => expect(readUrl(text, none)).toBeInstanceOf(URL))

  it('in any spelling is refused with a sentence, or has a host name and the default port', () => {
    const texts = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
      fc.ipV6().map((ip) => `https://[${ip}]/`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const url = readUrl(text, none)
        if (typeof url === 'string') {
          expect(url).toMatch(/^URL /)
          return
        }
        expect(url).toMatchObject({ protocol: 'https:', port: '', username: '', password: '', hash: '' })
        expect(url.hostname).toMatch(/[^\d.[\]]/)
      }),
    )
  })
})

describe('a URL on an allowed host', () => {
  const allowed = parseAllowedHosts('localhost:8443, receiver, hooks.acme.internal:9443, Example.com:8443')

  it.each([
    'https://localhost:8443/hook',
    'https://receiver/',
    'https://receiver:443/',
    'https://hooks.acme.internal:9443/',
    'https://example.COM:8443/',
  ])('%j is accepted', (text) => expect(readUrl(text, allowed)).toBeInstanceOf(URL))

  it.each([
    ['http://localhost:8443/', 'URL must use https, not plain http'],
    ['https://user@localhost:8443/', credentials],
    ['https://localhost/', unless(localhost, 'localhost:443')],
    ['https://localhost:8444/', unless(localhost, 'localhost:8444')],
    ['https://api.localhost:8443/', unless(localhost, 'api.localhost:8443')],
    ['https://receiver:8443/', unless(nearby, 'receiver:8443')],
    ['https://other/', unless(nearby, 'other:443')],
    ['https://hooks.acme.internal/', unless(nearby, 'hooks.acme.internal:443')],
    ['https://a.hooks.acme.internal:9443/', unless(nearby, 'a.hooks.acme.internal:9443')],
    ['https://example.com:9443/', unless(port, 'example.com:9443')],
    ['https://receiver./', unless(nearby, 'receiver:443')],
    ['https://127.0.0.1:8443/', literal],
    ['https://[::1]:8443/', literal],
  ])('%j is refused: %s', (text, problem) => expect(readUrl(text, allowed)).toBe(problem))
})
