import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { nouns } from '@svc/client'
import { eventCatalogue } from '@svc/client/catalogue'
import { describe, expect, it } from 'vitest'
import { answerOf, curlOf, type Delivery, deliveryState, lastTryAt, pingWords, subjectOf, triesOf } from './delivery.ts'
import { filtersOf, isFiltered } from './delivery-search.ts'
import { eventFamilies, eventsInWords, meaningOf, sentEvents } from './events.ts'
import { asksFirst, healthOf, warningOf } from './health.ts'
import { progressOf } from './replay-words.ts'

const now = new Date('2026-11-23T12:00:00Z')
const delaysMs = [1, 5, 30, 120, 720].map((minutes) => minutes * 60_000)
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()

const delivery = (status: Delivery['status'], attempts: number, nextRetryAt: string | null = null) => ({
  status,
  attempts,
  nextRetryAt,
  eventType: 'flag.created',
})

it.each([
  ['webhook', '5 consecutive deliveries failed.', true],
  ['webhook', null, true],
  ['destination', '5 consecutive deliveries failed.', true],
  ['destination', null, false],
])('a %s that is off because of %j is tested before it is switched on: %j', (noun, disableReason, isTested) => {
  expect(asksFirst({ kind: { noun }, disableReason })).toBe(isTested)
})

describe('health', () => {
  const on = { enabled: true, disableReason: null, consecutiveFailures: 0, retrying: 0 }
  it.each([
    [on, 'Healthy', undefined],
    [{ ...on, retrying: 1 }, 'Retrying 1 delivery', undefined],
    [{ ...on, retrying: 99 }, 'Retrying 99 deliveries', undefined],
    [{ ...on, retrying: 100 }, 'Retrying 100 or more deliveries', undefined],
    [{ ...on, consecutiveFailures: 3, retrying: 2 }, '3 failures in a row (disabled at 5)', /^Two more failed/],
    [
      { ...on, consecutiveFailures: 3 },
      '3 failures in a row (disabled at 5)',
      /^Two more failed deliveries in a row disable it\./,
    ],
    [
      { ...on, consecutiveFailures: 4 },
      '4 failures in a row (disabled at 5)',
      /^One more failed delivery in a row disables it\./,
    ],
    [{ ...on, enabled: false }, 'Switched off', undefined],
    [{ ...on, enabled: false, disableReason: 'Five failed.', retrying: 2 }, 'Disabled after failures', undefined],
  ])('of %o is %s', (webhook, words, warning) => {
    expect(healthOf(webhook).words).toBe(words)
    if (warning) expect(warningOf(webhook)).toMatch(warning)
    else expect(warningOf(webhook)).toBeUndefined()
  })
})

describe('the state of a delivery', () => {
  it.each([
    [delivery('DELIVERED', 1), false, 'Delivered'],
    [delivery('DELIVERED', 3), false, 'Delivered at try 3'],
    [delivery('FAILED', 6), false, 'Failed after 6 tries'],
    [delivery('FAILED', 1), false, 'Failed after 1 try'],
    [delivery('PERMANENTLY_FAILED', 1), true, 'Refused for good'],
    [delivery('PENDING', 0, inMinutes(0)), false, 'Waiting'],
    [delivery('PENDING', 1), false, 'Trying now'],
    [delivery('PENDING', 3, inMinutes(4)), false, 'Next try in 4 min'],
    [delivery('PENDING', 3, inMinutes(0.5)), false, 'Next try in less than 1 min'],
    [delivery('PENDING', 3, inMinutes(-1)), false, 'Next try now'],
    [delivery('PENDING', 3, inMinutes(4)), true, 'Held until you switch it on'],
  ])('%o, held: %s, is "%s"', (one, isHeld, words) => expect(deliveryState(one, isHeld, now).words).toBe(words))

  it.each([
    [delivery('PENDING', 2, inMinutes(5)), 'made made next later later later'],
    [delivery('PENDING', 1), 'next later later later later later'],
    [delivery('PENDING', 0, inMinutes(0)), 'next later later later later later'],
    [delivery('DELIVERED', 1), 'made none none none none none'],
    [delivery('FAILED', 6), 'made made made made made made'],
    [{ ...delivery('FAILED', 1), eventType: 'webhook.test' }, 'made'],
  ])('%o has the tries %s', (one, states) => {
    const short = { made: 'made', next: 'next', 'to come': 'later', 'not needed': 'none' }
    expect(
      triesOf(one, delaysMs)
        .map(({ state }) => short[state])
        .join(' '),
    ).toBe(states)
  })

  it('has as many tries as the operator has set, each with its delay', () => {
    const wordsOf = (attempts: number, delaysMs: number[]) =>
      triesOf(delivery('FAILED', attempts), delaysMs).map(({ words }) => words)
    expect(wordsOf(6, delaysMs)).toEqual(['At once', '1 min', '5 min', '30 min', '2 h', '12 h'])
    expect(wordsOf(1, [250, 1000, 5_400_000, 172_800_000])).toEqual(['At once', '250 ms', '1 s', '1.5 h', '2 d'])
    expect(wordsOf(3, [1000])).toEqual(['At once', '1 s', 'Later'])
  })

  it.each([
    ['before the first try', { attempts: 0, nextRetryAt: inMinutes(0) }, 1 + 5 + 30 + 120 + 720],
    ['before the last try', { attempts: 5, nextRetryAt: inMinutes(700) }, 700],
    ['while the fifth try is under way', { attempts: 5, nextRetryAt: null }, 720],
    ['if the next try is late', { attempts: 4, nextRetryAt: inMinutes(-10) }, 720],
  ])('says when its last try starts: %s', (_when, one, minutes) =>
    expect(lastTryAt(one, delaysMs, now).toISOString()).toBe(inMinutes(minutes)),
  )

  it.each([
    [{ responseStatus: 503, errorMessage: null }, 'HTTP 503'],
    [{ responseStatus: null, errorMessage: 'The connection was refused.' }, 'The connection was refused.'],
    [{ responseStatus: null, errorMessage: null }, undefined],
  ])('%o answers %s', (one, words) => expect(answerOf(one)).toBe(words))

  it.each([
    ['DELIVERED', 200, null, inMinutes(0.02), 'HTTP 200 in 1,200 ms'],
    ['FAILED', 500, 'The endpoint answered 500', inMinutes(0.02), 'HTTP 500 in 1,200 ms'],
    ['DELIVERED', null, null, inMinutes(0.02), 'Accepted in 1,200 ms'],
    ['FAILED', null, 'Nobody has agreed.', inMinutes(0.02), 'Nobody has agreed.'],
    ['PENDING', null, null, null, 'No answer yet'],
  ] as const)('to a test: %s, %s, %s', (status, responseStatus, errorMessage, lastAttemptAt, words) => {
    const createdAt = inMinutes(0)
    expect(pingWords({ status, responseStatus, errorMessage, createdAt, lastAttemptAt })).toBe(words)
  })
})

const named = (name: string) => ({ name })
const production = named('Production')

it.each<[string, Record<string, unknown>, string | undefined]>([
  ['flag.rule_activated', { flag: named('One-page checkout'), environment: production }, 'One-page checkout'],
  ['flag.published', { flags: ['A', 'B', 'C'].map(named), environment: production }, 'A, B, and 1 more'],
  ['flag.published', { flags: [], environment: production, project: named('Shop') }, 'Production'],
  ['project.created', { project: named('Shop') }, 'Shop'],
  ['destination.disabled', { destination: named('#releases'), project: named('Shop') }, '#releases'],
  ['flag.created', { flag: 'hostile', flags: 7 }, undefined],
  ['flag.of_a_later_version', { flag: named('One-page checkout') }, undefined],
])('%s with %o is about %s', (event, payload, name) => expect(subjectOf({ event, ...payload })).toBe(name))

it.each(Object.entries(eventCatalogue))('the subject of %s is what the event is about', (event, { about }) => {
  const payload = Object.fromEntries(
    Object.values(nouns)
      .flatMap((noun) => ('inBody' in noun ? noun.inBody : []))
      .map((field) => [field, named(field)]),
  )
  expect(subjectOf({ event, ...payload })).toBe(nouns[about].inBody[0])
})

it('the panel makes a command that a shell sends as it is, with a valid signature', () => {
  const payload = { text: `it's $(touch /tmp/never) "and" \`more\` \\ done` }
  const command = curlOf("https://example.com/a'b", { deliveryId: 'd-1', eventType: 'flag.created', payload })
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`
  const sent = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, WEBHOOK_SECRET: 'key' } })
  const lines = sent.split('\n')
  const header = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const body = JSON.stringify(payload)
  const signed = `d-1.${header('X-Svc-Timestamp')}.${body}`
  expect(lines).toContain("https://example.com/a'b")
  expect(lines).toContain(body)
  expect(header('X-Svc-Signature')).toBe(`sha256=${createHmac('sha256', 'key').update(signed).digest('hex')}`)
})

describe('events', () => {
  it('offers every event that is sent once, but not the test ping', () => {
    const offered = eventFamilies().flatMap(({ events }) => events.map(({ name }) => name))
    expect(offered.toSorted()).toEqual(sentEvents.filter((name) => name !== 'webhook.test').toSorted())
    expect(offered.length).toBeGreaterThan(20)
  })

  it('says of each what it means and carries, in words', () => {
    for (const { events } of eventFamilies())
      for (const { name, carries } of events) {
        expect(meaningOf(name), name).toBeTruthy()
        expect(carries, name).toMatch(/^(?:(?:the|and) (?:SDK )?[a-z ]+,? ?)+$/)
      }
  })

  it.each([
    [
      sentEvents.filter((name) => /_failed$|_breached$|_detected$|^(?:webhook|destination)\.disabled$/.test(name)),
      'Safety all',
    ],
    [['flag.created', 'flag.updated', 'webhook.disabled'], /^Flags 2 of \d+, Safety 1 of \d+$/],
    [['webhook.test'], 'Only test pings'],
  ])('%j is "%s"', (chosen, words) => expect(eventsInWords(chosen)).toMatch(words))
})

it.each([
  [{}, {}, false],
  [{ status: 'failed' }, { status: 'FAILED' }, true],
  [{ event: 'flag.created' }, { eventType: 'flag.created' }, true],
  [{ since: '24h' }, { since: '2026-11-22T12:00:00.000Z' }, true],
  [{ since: '7d' }, { since: '2026-11-16T12:00:00.000Z' }, true],
  [{ status: 'nonsense', event: 'nonsense', since: 'nonsense' }, {}, true],
  [{ delivery: 'd-1' }, {}, false],
])('the address %o filters by %o', (search, filters, isOn) => {
  expect(filtersOf(search, now, sentEvents)).toEqual(filters)
  expect(isFiltered(search)).toBe(isOn)
})

describe('a replay says how far it is', () => {
  const none = { count: 0, hasMore: false }
  it.each([
    [{ count: 250, waiting: { count: 100, hasMore: true } }, 'note', '100 or more deliveries of this time wait.'],
    [{ count: 2, waiting: { count: 1, hasMore: false } }, 'note', '1 delivery of this time waits.'],
    [
      { count: 2, waiting: { count: 2, hasMore: false }, isHeld: true },
      'note',
      '2 deliveries of this time wait until you switch it on.',
    ],
    [
      { count: 5, waiting: { count: 1, hasMore: false }, failed: { count: 1, hasMore: false } },
      'note',
      '1 delivery of this time waits. 1 delivery has failed again.',
    ],
    [{ count: 5, failed: { count: 3, hasMore: false } }, 'warning', '3 deliveries have failed again.'],
    [{ count: 1 }, 'good', 'It has arrived.'],
    [{ count: 5 }, 'good', 'All have arrived.'],
    [
      { count: 10_000 },
      'good',
      'All have arrived. At most 10,000 are sent at once, the oldest first: replay again for the rest.',
    ],
  ] as const)('%o: %s', (state, tone, words) => {
    expect(progressOf({ waiting: none, failed: none, isHeld: false, ...state })).toEqual({ tone, words })
  })
})
