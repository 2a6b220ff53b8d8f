import { describe, expect, it } from 'vitest'
import { configs } from '../../../../../testing/destinations.ts'
import { almostUrls } from '../../../../../testing/schema-bodies.ts'
import { httpsUrl } from './https-url.ts'
import { type KindName, kinds } from './index.ts'

describe.each(Object.entries(configs) as [Exclude<KindName, 'EMAIL'>, Record<string, unknown>][])(
  '%s',
  (kind, whole) => {
    it.each(Object.keys(whole))('says what is wrong with any text as %s, and never fails', (field) => {
      for (const text of [...almostUrls, '', '\0', '\ud800', 'u'.repeat(65_536)])
        expect(() => kinds[kind].config.safeParse({ ...whole, [field]: text }), text.slice(0, 40)).not.toThrow()
    })
  },
)

describe('an address', () => {
  const asked: string[] = []
  const field = httpsUrl(100, { meets: ({ href }) => asked.push(href) > 0, message: 'never' })

  it.each(almostUrls)('%j is invalid, for one reason', (text) => {
    const { error } = field.safeParse(text)
    expect(error?.issues.map(({ message }) => message)).toEqual(['Must be an https URL.'])
    expect(asked).toEqual([])
  })

  it('is asked as it was parsed', () => {
    expect(field.safeParse('https://A.test').success).toBe(true)
    expect(asked).toEqual(['https://a.test/'])
  })
})
