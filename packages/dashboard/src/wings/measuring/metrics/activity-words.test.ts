import { describe, expect, it } from 'vitest'
import { type ArrivedDay, eventsInWords, lacksValues, meanValue, ticksFor, valueNow } from './activity-words.ts'
import { trackSnippets } from './track-snippets.ts'

const day = (date: string, events: number, more: Partial<ArrivedDay> = {}): ArrivedDay => ({
  ...{ day: date, events, valued: 0, valueSum: 0 },
  ...more,
})
const event = (...days: ArrivedDay[]) => ({ eventKey: 'order_paid', lastAt: null, days })

describe('the events of a metric in words', () => {
  it.each([
    [[day('2026-11-20', 0)], 'No order_paid has arrived in the last 30 days.'],
    [[day('2026-11-20', 0), day('2026-11-21', 1)], '1 event in 30 days, all on 21 Nov.'],
    [[day('2026-11-20', 1204), day('2026-11-21', 6)], '1,210 events in 30 days, most on 20 Nov: 1,204.'],
  ])('%#', (days, words) => expect(eventsInWords(event(...days))).toBe(words))

  it('the value of an event is the mean of those that have one', () => {
    expect(meanValue(event(day('2026-11-20', 4, { valued: 2, valueSum: 30 }), day('2026-11-21', 1)))).toBe(15)
    expect(meanValue(event(day('2026-11-20', 4)))).toBeUndefined()
  })

  it.each([
    ['value', event(day('2026-11-20', 4)), true],
    ['value', event(day('2026-11-20', 4, { valued: 1 })), false],
    ['value', event(day('2026-11-20', 0)), false],
    [null, event(day('2026-11-20', 4)), false],
  ] as const)('a metric of %s lacks values %#', (valueFrom, of, expected) =>
    expect(lacksValues({ valueFrom }, of)).toBe(expected),
  )

  it('the value now is what tests measured', () => {
    const activity = { envId: 'e', event: null, denominator: null, figures: null }
    const figures = { baseline: 0.052, stddev: null, units: 10, source: {} as never }
    expect(valueNow({ type: 'PROPORTION', unit: null }, activity)).toBeUndefined()
    expect(valueNow({ type: 'PROPORTION', unit: null }, { ...activity, figures })).toBe('5.2\u00a0%')
  })
})

it.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [9, [0, 5, 10]],
  [212, [0, 100, 200, 300]],
  [1_000, [0, 500, 1_000]],
])('the axis of a day with %i events has the marks %j', (most, ticks) => expect(ticksFor(most)).toEqual(ticks))

describe('the call to copy', () => {
  const where = { baseUrl: 'https://svc.example', sdkKey: 'sdk_1' }
  const calls = (metric: Parameters<typeof trackSnippets>[0]) =>
    trackSnippets(metric, where).map(({ language, code }) => [language, code])

  it('has the event and its value in each language', () => {
    const [browser, python, http] = calls({ eventKey: "it's", valueFrom: 'value', denominator: null })
    expect(browser).toEqual(['JavaScript', `client.track("it's", { context: { targetingKey: 'u-17' }, value: 49.9 })`])
    expect(python).toEqual(['Python', `client.track("it's", {"targetingKey": "u-17"}, value=49.9)`])
    expect(http![1]).toContain('"eventKey":"it\'\\\'\'s"')
    expect(http![1]).toContain('"value":49.9')
  })

  it('has no value if the metric counts events, and both events of a ratio', () => {
    const [javaScript] = calls({
      eventKey: 'paid',
      valueFrom: null,
      denominator: { eventKey: 'visit', valueFrom: 'value' },
    })
    expect(javaScript![1]).toBe(
      `client.track("paid", { context: { targetingKey: 'u-17' } })\nclient.track("visit", { context: { targetingKey: 'u-17' }, value: 49.9 })`,
    )
  })
})
