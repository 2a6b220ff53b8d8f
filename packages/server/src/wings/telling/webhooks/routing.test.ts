import { describe, expect, it } from 'vitest'
import { eventNames, events, isSafetyEvent } from '../../../catalogue/events.ts'
import { bodyFieldOf } from '../../../catalogue/nouns.ts'
import { type NotificationFilter, passes } from './routing.ts'

const include = (...keywords: string[]): NotificationFilter => ({ mode: 'INCLUDE', keywords })
const exclude = (...keywords: string[]): NotificationFilter => ({ mode: 'EXCLUDE', keywords })
const checkout = { flag: { id: 'f', key: 'one-page', name: 'Checkout' } }

describe('the notification filter', () => {
  it.each([
    ['none', null, checkout, true],
    ['included by name', include('checkout'), checkout, true],
    ['included by key', include('one-page'), checkout, true],
    ['part of a word', include('heck'), checkout, true],
    ['upper case in the keyword', include('CHECKOUT'), checkout, true],
    ['not included', include('search'), checkout, false],
    ['one of several', include('search', 'one-'), checkout, true],
    ['excluded by name', exclude('checkout'), checkout, false],
    ['not excluded', exclude('search'), checkout, true],
    ['nothing to mention, include', include('checkout'), {}, false],
    ['nothing to mention, exclude', exclude('checkout'), {}, true],
    ['the environment', exclude('production'), { ...checkout, environment: { name: 'Production' } }, false],
    ['the rule', include('beta'), { ...checkout, rule: { name: 'Beta users' } }, true],
    ['one of the reordered rules', include('beta'), { ...checkout, rules: [{ name: 'All' }, { name: 'Beta' }] }, true],
    ['the type of a rule is no name', include('ab_'), { ...checkout, rule: { name: 'R', type: 'AB_TEST' } }, false],
    ['one of the published flags', include('two'), { flags: [{ key: 'one' }, { key: 'two' }] }, true],
    ['the audience', include('eu'), { audience: { name: 'EU visitors' } }, true],
    ['the audience, excluded', exclude('eu'), { audience: { name: 'EU visitors' } }, false],
    ['the segment', include('vip'), { segment: { name: 'VIPs', count: 2 } }, true],
    ['the segment, excluded', exclude('vip'), { segment: { name: 'VIPs', count: 2 } }, false],
    ['a renamed project, include', include('shop'), { previousName: 'Shop' }, false],
    ['the project of the body', exclude('shop'), { ...checkout, project: { key: 'shop', name: 'Shop' } }, true],
    ['the token', include('ci'), { token: { name: 'CI' } }, true],
    ['the webhook', exclude('ops'), { webhook: { name: 'Ops' } }, false],
    ['an id is no name', include('f'), { flag: { id: 'f', key: 'k', name: 'n' } }, false],
    ['special characters are taken as they are', include('.*'), checkout, false],
  ] as const)('%s', (_what, filter, payload, expected) => {
    expect(passes(filter as NotificationFilter | null, { name: 'flag.updated', payload })).toBe(expected)
  })

  it('every noun that an event can be about counts, except the project', () => {
    for (const name of eventNames.filter((each) => !isSafetyEvent(each))) {
      const { about } = events[name]
      const payload = { [bodyFieldOf(about)]: { name: 'Needle' } }
      expect(passes(include('needle'), { name, payload }), name).toBe(about !== 'project')
    }
  })

  it('safety events pass whatever it says, and no others do', () => {
    for (const name of eventNames) expect(passes(include('xyz'), { name, payload: {} })).toBe(isSafetyEvent(name))
  })

  it('safety events are those of the catalogue', () => {
    expect(eventNames.filter(isSafetyEvent)).toEqual([
      'experiment.srm_failed',
      'experiment.guardrail_breached',
      'experiment.guardrail_metric_breached',
      'experiment.code_error_detected',
      'flag.schedule_failed',
      'flag.srm_failed',
      'flag.guardrail_breached',
      'webhook.disabled',
    ])
  })
})
