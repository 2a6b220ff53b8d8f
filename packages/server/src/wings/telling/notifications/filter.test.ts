import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventNames, events, isSafetyEvent } from '../../../catalogue/events.ts'
import { bodyFieldOf } from '../../../catalogue/nouns.ts'
import { type NotificationFilter, passes } from './filter.ts'

const include = (...keywords: string[]): NotificationFilter => ({ mode: 'INCLUDE', keywords })
const exclude = (...keywords: string[]): NotificationFilter => ({ mode: 'EXCLUDE', keywords })
const checkout = { flag: { id: 'f', key: 'one-page', name: 'Checkout' } }

describe('the notification filter', () => {
  it.each([
    ['no filter passes everything', null, checkout, true],
    ['INCLUDE matches the name', include('checkout'), checkout, true],
    ['INCLUDE matches the key', include('one-page'), checkout, true],
    ['a keyword matches part of a word', include('heck'), checkout, true],
    ['a keyword ignores case', include('CHECKOUT'), checkout, true],
    ['INCLUDE without a match', include('search'), checkout, false],
    ['one of several keywords matches', include('search', 'one-'), checkout, true],
    ['EXCLUDE matches the name', exclude('checkout'), checkout, false],
    ['EXCLUDE without a match', exclude('search'), checkout, true],
    ['INCLUDE for a body without names', include('checkout'), {}, false],
    ['EXCLUDE for a body without names', exclude('checkout'), {}, true],
    [
      'the name of the environment counts',
      exclude('production'),
      { ...checkout, environment: { name: 'Production' } },
      false,
    ],
    ['the name of the rule counts', include('beta'), { ...checkout, rule: { name: 'Beta users' } }, true],
    [
      'the names of reordered rules count',
      include('beta'),
      { ...checkout, rules: [{ name: 'All' }, { name: 'Beta' }] },
      true,
    ],
    ['the type of a rule does not count', include('ab_'), { ...checkout, rule: { name: 'R', type: 'AB_TEST' } }, false],
    ['the keys of published flags count', include('two'), { flags: [{ key: 'one' }, { key: 'two' }] }, true],
    ['the name of the audience counts', include('eu'), { audience: { name: 'EU visitors' } }, true],
    ['EXCLUDE matches the audience', exclude('eu'), { audience: { name: 'EU visitors' } }, false],
    ['the name of the segment counts', include('vip'), { segment: { name: 'VIPs', count: 2 } }, true],
    ['EXCLUDE matches the segment', exclude('vip'), { segment: { name: 'VIPs', count: 2 } }, false],
    ['the previous name of a project does not count', include('shop'), { previousName: 'Shop' }, false],
    [
      'the project in the body does not count',
      exclude('shop'),
      { ...checkout, project: { key: 'shop', name: 'Shop' } },
      true,
    ],
    ['the name of the token counts', include('ci'), { token: { name: 'CI' } }, true],
    ['the name of the webhook counts', exclude('ops'), { webhook: { name: 'Ops' } }, false],
    ['an id does not count', include('f'), { flag: { id: 'f', key: 'k', name: 'n' } }, false],
    ['special characters in a keyword have no meaning', include('.*'), checkout, false],
  ] as const)('%s', (_what, filter, payload, expected) => {
    expect(passes(filter as NotificationFilter | null, { name: 'flag.updated', payload })).toBe(expected)
  })

  it('checks the name of every noun that an event can be about, except the project and its catalog', () => {
    for (const name of eventNames.filter((each) => !isSafetyEvent(each))) {
      const { about } = events[name]
      const payload = { [bodyFieldOf(about)]: { name: 'Needle' } }
      expect(passes(include('needle'), { name, payload }), name).toBe(about !== 'project' && about !== 'catalog')
    }
  })

  it('passes all safety events, and no other events without a match', () => {
    for (const name of eventNames) expect(passes(include('xyz'), { name, payload: {} })).toBe(isSafetyEvent(name))
  })

  it('takes the safety events from the catalogue', () => {
    expect(eventNames.filter(isSafetyEvent)).toEqual([
      'experiment.schedule_failed',
      'experiment.srm_failed',
      'experiment.guardrail_breached',
      'experiment.guardrail_metric_breached',
      'experiment.code_error_detected',
      'flag.schedule_failed',
      'flag.srm_failed',
      'flag.guardrail_breached',
      'webhook.disabled',
      'destination.disabled',
    ])
  })
})

describe('how texts are compared', () => {
  const event = (subject: Record<string, unknown>) => ({ name: 'flag.created' as const, payload: { flag: subject } })
  const include = (keyword: string) => ({ mode: 'INCLUDE' as const, keywords: [keyword] })

  it.each([
    ['full-width letters', 'Ｃｈｅｃｋｏｕｔ', 'checkout', true],
    ['a ligature', 'Proﬁle', 'profile', true],
    ['a ligature in the keyword', 'Profile', 'ﬁle', true],
    ['capitals beyond ASCII', 'ÄNDERUNG', 'änderung', true],
    ['spaces around the keyword', 'Checkout', '  check ', true],
    ['in the middle of a word', 'precheckout', 'check', true],
    ['characters that mean something elsewhere', 'a.b', 'a*b', false],
    ['an accent that is not there', 'Cafe', 'café', false],
  ])('%s', (_, name, keyword, is) => {
    expect(passes(include(keyword), event({ name }))).toBe(is)
  })

  it('reads the kind of a source, and not that of other things', () => {
    const of = (field: string) => ({ name: 'commerce.job_failed' as never, payload: { [field]: { kind: 'SHOPIFY' } } })
    expect([
      passes(include('shopify'), { ...event({}), payload: of('source').payload }),
      passes(include('shopify'), { ...event({}), payload: of('flag').payload }),
    ]).toEqual([true, false])
  })

  it('agrees with a naive second implementation', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
    const naive = (keywords: string[], texts: string[]) => {
      for (const keyword of keywords)
        for (const text of texts) {
          const [wanted, has] = [keyword.trim().normalize('NFKC').toLowerCase(), text.normalize('NFKC').toLowerCase()]
          if (has.split(wanted).length > 1 || wanted === '') return true
        }
      return false
    }
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), words, words, (keywords, name, key) => {
        const found = naive(keywords, [name, key])
        expect(passes({ mode: 'INCLUDE', keywords }, event({ name, key }))).toBe(found)
        expect(passes({ mode: 'EXCLUDE', keywords }, event({ name, key }))).toBe(!found)
      }),
    )
  })
})
