import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostAllowed } from './hosts.ts'
import { defaultWebSettings, webSettingsBody } from './settings.ts'

test('every setting has a default', () => {
  expect(defaultWebSettings).toEqual({
    hosts: [],
    consent: 'NOT_REQUIRED',
    pending: 'HOLD',
    honorPrivacySignals: true,
    codeVariations: true,
    maxDelayMs: 2000,
    scriptMaxAgeSeconds: 60,
    cookieDomain: null,
  })
})

test.each([
  ['shop.example', 'shop.example'],
  ['*.shop.example', '*.shop.example'],
  ['Shop.Example', 'shop.example'],
  ['localhost', 'localhost'],
  ['10.0.0.1', '10.0.0.1'],
  ['[::1]', '[::1]'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.Bücher.example', '*.xn--bcher-kva.example'],
])('the host %s is stored as %s', (host, stored) => {
  expect(webSettingsBody.parse({ hosts: [host] }).hosts).toEqual([stored])
})

test.each([
  '',
  '*',
  '*.',
  '*.com',
  '*.10.0.0.1',
  'a.*.example',
  '**.shop.example',
  'https://shop.example',
  'shop.example/a',
  'shop.example:8080',
  'user@shop.example',
  'shop.example?',
  'shop.example#',
  'shop example',
  'shop.example.',
  '.shop.example',
  'shop..example',
  'a'.repeat(254),
])('%j is no host', (host) => {
  const issues = webSettingsBody.safeParse({ hosts: ['shop.example', host] }).error!.issues
  expect(issues[0]!.path).toEqual(['hosts', 1])
})

test.each([
  [{ hosts: ['a.example', 'A.example'] }, 'hosts.1'],
  [{ hosts: Array.from({ length: 51 }, (_, number) => `h${number}.example`) }, 'hosts'],
  [{ consent: 'MAYBE' }, 'consent'],
  [{ pending: null }, 'pending'],
  [{ maxDelayMs: 10_001 }, 'maxDelayMs'],
  [{ maxDelayMs: 0.5 }, 'maxDelayMs'],
  [{ scriptMaxAgeSeconds: 3601 }, 'scriptMaxAgeSeconds'],
  [{ cookieDomain: 'https://shop.example' }, 'cookieDomain'],
  [{ cookieDomain: '.shop.example' }, 'cookieDomain'],
  [{ cookieDomain: 'shop.example; Path=/' }, 'cookieDomain'],
  [{ more: 1 }, ''],
])('%j is refused at %j', (settings, path) => {
  expect(webSettingsBody.safeParse(settings).error!.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

const hosts = ['shop.example', '*.store.example', '*.a.b.example']

test.each([
  ['https://shop.example/a', true],
  ['http://SHOP.example:8080', true],
  ['https://www.shop.example', false],
  ['https://shop.example.evil.example', false],
  ['https://shop.example@evil.example', false],
  ['https://evilshop.example', false],
  ['https://store.example', false],
  ['https://nl.store.example', true],
  ['https://a.nl.store.example', true],
  ['https://evilstore.example', false],
  ['https://x.a.b.example', true],
  ['javascript://shop.example/%0aalert(1)', false],
  ['//shop.example', false],
  ['/a', false],
  ['', false],
])('%s can be opened: %s', (address, isAllowed) => expect(hostAllowed(address, hosts)).toBe(isAllowed))

test('no host is allowed unless a pattern names it', () => {
  fc.assert(
    fc.property(fc.domain(), (host) => {
      const address = `https://${host}/`
      expect(hostAllowed(address, [])).toBe(false)
      expect(hostAllowed(address, [host.toLowerCase()])).toBe(true)
      expect(hostAllowed(address, [`*.${host.toLowerCase()}`])).toBe(false)
      expect(hostAllowed(`https://x.${host}/`, [`*.${host.toLowerCase()}`])).toBe(true)
    }),
  )
})
