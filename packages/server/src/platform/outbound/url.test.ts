import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { readUrl } from './url.ts'

const none = parseAllowedHosts('')
const literal = 'URL must use a hostname, not an IP address'
const localhost = 'URL must not use localhost'
const nearby = 'URL must use a public hostname'
const port = 'URL must use the default port, 443'
const credentials = 'URL must not contain a username or password'
const scheme = 'URL must begin with https:// and a host'
const control = 'URL must not contain spaces or control characters'
const invalid = 'URL is not valid'

const hostile: [string, string][] = [
  ['http://example.com/', 'URL must use https, not plain http'],
  ['HTTP://example.com/', 'URL must use https, not plain http'],
  ['http:example.com', 'URL must use https, not plain http'],
  ['ftp://example.com/', scheme],
  ['file:///etc/passwd', scheme],
  ['javascript:alert(1)', scheme],
  ['data:text/plain,x', scheme],
  ['gopher://example.com/', scheme],
  ['wss://example.com/', scheme],
  ['//example.com/', scheme],
  ['example.com', scheme],
  ['', scheme],
  ['https:', scheme],
  ['https://', scheme],
  ['https:///example.com', scheme],
  ['https:/example.com', scheme],
  ['https:example.com', scheme],
  ['https://?', invalid],
  ['https://localhost/', localhost],
  ['https://LOCALHOST/', localhost],
  ['https://localhost./', localhost],
  ['https://localhost:443/', localhost],
  ['https://%6c%6f%63alhost/', localhost],
  ['https://ｌｏｃａｌｈｏｓｔ/', localhost],
  ['https://api.localhost/', localhost],
  ['https://printer.local/', nearby],
  ['https://localhost.localdomain/', nearby],
  ['https://metadata.google.internal/', nearby],
  ['https://metadata/', nearby],
  ['https://router.lan/', nearby],
  ['https://nas.home.arpa/', nearby],
  ['https://127.0.0.1/', literal],
  ['https://127.0.0.1./', literal],
  ['https://127.1/', literal],
  ['https://2130706433/', literal],
  ['https://0x7f000001/', literal],
  ['https://0x7f.1/', literal],
  ['https://0177.0.0.1/', literal],
  ['https://017700000001/', literal],
  ['https://0/', literal],
  ['https://%31%32%37.0.0.1/', literal],
  ['https://１２７.0.0.1/', literal],
  ['https://①②⑦.0.0.1/', literal],
  ['https://127。0。0。1/', literal],
  ['https://93.184.216.34/', literal],
  ['https://256.256.256.256/', literal],
  ['https://1.2.3.4.5/', literal],
  ['https://[::1]/', literal],
  ['https://[::ffff:127.0.0.1]/', literal],
  ['https://[2600:1f18::5]/', literal],
  ['https://[fe80::1%25eth0]/', literal],
  ['https://[::]:443/', literal],
  ['https://169.254.169.254/latest/meta-data', literal],
  ['https://user:pass@example.com/', credentials],
  ['https://user@example.com/', credentials],
  ['https://@example.com/', credentials],
  ['https://:@example.com/', credentials],
  ['https://example.com@127.0.0.1/', credentials],
  ['https://example.com:443@evil.example/', credentials],
  ['https://example.com:444/', port],
  ['https://example.com:80/', port],
  ['https://example.com:0/', port],
  ['https://example.com:8443/', port],
  ['https://example.com:22/', port],
  ['https://example.com:65536/', invalid],
  ['https://example.com:-1/', invalid],
  ['https://example.com:4 43/', control],
  ['https://example.com./', 'URL must not end its hostname with a dot'],
  ['https://example.com../', 'URL must not end its hostname with a dot'],
  ['https://a..example.com/', invalid],
  ['https://.example.com/', invalid],
  ['https://exa mple.com/', control],
  [' https://example.com/', control],
  ['https://example.com/\n', control],
  ['https://exam\tple.com/', control],
  ['https://example.com/\r\nx-header: 1', control],
  ['https://example.com/\0', control],
  ['https://example.com/a\u2028b', control],
  ['https:\\\\example.com\\', 'URL must not contain backslashes'],
  ['https://example.com\\@127.0.0.1/', 'URL must not contain backslashes'],
  ['https://exa<mple.com/', invalid],
  ['https://exa%00mple.com/', invalid],
  ['https://example.com/#part', 'URL must not contain a fragment (#), because it would not be sent'],
  [`https://${'a.'.repeat(130)}com/`, invalid],
  [`https://example.com/${'a'.repeat(2040)}`, 'URL must be at most 2048 characters long'],
]

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
    ['https://localhost/', localhost],
    ['https://localhost:8444/', localhost],
    ['https://api.localhost:8443/', localhost],
    ['https://receiver:8443/', nearby],
    ['https://other/', nearby],
    ['https://hooks.acme.internal/', nearby],
    ['https://a.hooks.acme.internal:9443/', nearby],
    ['https://example.com:9443/', port],
    ['https://receiver./', nearby],
    ['https://127.0.0.1:8443/', literal],
    ['https://[::1]:8443/', literal],
  ])('%j is refused: %s', (text, problem) => expect(readUrl(text, allowed)).toBe(problem))
})
