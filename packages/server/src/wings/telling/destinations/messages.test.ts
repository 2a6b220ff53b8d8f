import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bodySchemas, type ProducedEvent } from '../../../catalogue/payloads.ts'
import { exampleOf } from '../../../http/openapi/example.ts'
import type { Body } from '../tickets/index.ts'
import { messageOf } from './messages.ts'

const baseUrl = 'https://svc.example'
const produced = Object.keys(bodySchemas) as ProducedEvent[]
const bodyOf = (event: ProducedEvent): Body => {
  const schema = z.toJSONSchema(bodySchemas[event], { io: 'input', unrepresentable: 'any' })
  return { ...(exampleOf(schema as never, (schema.$defs ?? {}) as never) as object), event }
}

it.each([
  [{ id: 'j1' }, 'Erasure of visitors has failed: Main feed', 'Open the job', 'commerce/jobs/j1'],
  [null, 'A schedule is not kept: Main feed', 'Open the source', 'commerce/sources/s1'],
])('a failed job %j is told by its link', (job, title, label, path) => {
  const url = `${baseUrl}/projects/p1/${path}`
  const source = { type: 'commerce', id: 's1', name: 'Main feed' }
  const body = { source, kind: 'visitor_erasure', projectId: 'p1', link: url, reason: 'No run has succeeded.', job }
  expect(messageOf({ ...common, event: 'commerce.job_failed', ...body }, baseUrl)).toMatchObject({
    ...{ title, summary: 'No run has succeeded.', link: { label, url } },
  })
})

describe('every event that is sent', () => {
  it.each(produced)('%s has a title for people and a link into the dashboard', (event) => {
    const message = messageOf(bodyOf(event), baseUrl)
    expect(message.title).not.toMatch(/undefined|null|object Object|""|NaN/)
    expect(message.title.length).toBeGreaterThan(8)
    expect(message.link.url).toMatch(/^https:\/\/svc\.example\/projects\/[^/]+\/[a-z-]+/)
    expect(message.facts.every(({ label, value }) => label !== '' && value !== '')).toBe(true)
    expect(Number.isNaN(message.at.getTime())).toBe(false)
    expect(message.key.startsWith(event)).toBe(true)
  })
})

const common = {
  id: 'd1',
  timestamp: '2026-11-27T12:00:00.000Z',
  project: { id: 'p1', shortId: 3, name: 'Web shop' },
  triggeredBy: { type: 'user', id: 'u1', name: 'Ada', email: 'ada@example.com', role: 'Owner' },
}
const production = { environment: { id: 'e1', name: 'Production' } }
const flag = (key: string, more: object = {}) => ({ id: key, shortId: 1, key, name: key, status: 'RUNNING', ...more })
const served = (more: object = {}) => ({
  enabled: true,
  defaultVariation: 'off',
  variations: { on: 'true' },
  rules: [],
  ...more,
})

describe('the daily results of an experiment', () => {
  it.each([
    ['RUNNING', 'KEEP_RUNNING', 'Keep it running.'],
    ['PAUSED', 'KEEP_RUNNING', 'It was paused before it showed a difference.'],
    ['COMPLETED', 'KEEP_RUNNING', 'It ended before it showed a difference.'],
    ['ARCHIVED', 'KEEP_RUNNING', 'It ended before it showed a difference.'],
    ['PAUSED', 'SHIP', 'Ship it.'],
  ])('while it is %s, %s reads: %s', (status, action, summary) => {
    const body = bodyOf('experiment.results_ready') as { experiment: object; results: object }
    const told = {
      ...body,
      experiment: { ...body.experiment, status },
      results: { ...body.results, recommendation: { action, variationId: null, reasons: [] } },
    }
    expect(messageOf(told as unknown as Body, baseUrl).summary).toBe(summary)
  })
})

describe('the daily results of a plain A/B rule', () => {
  it.each([
    ['RUNNING', 'Keep it running.'],
    ['PAUSED', 'It was paused before it showed a difference.'],
  ])('while it is %s read: %s', (ruleStatus, summary) => {
    const body = bodyOf('flag.results_ready') as { results: object }
    const recommendation = { action: 'KEEP_RUNNING', variationId: null, reasons: [] }
    const told = { ...body, results: { ...body.results, ruleStatus, recommendation } }
    expect(messageOf(told as unknown as Body, baseUrl).summary).toBe(summary)
  })
})

describe('a publish', () => {
  const published = (reason: string, ...flags: object[]) =>
    messageOf({ ...common, event: 'flag.published', ...production, reason, dataFile: { revision: 42 }, flags }, baseUrl)

  it.each([
    ['PUBLISHED', [flag('a'), flag('b')], 'Ada published 2 flags to Production'],
    ['PUBLISHED', [flag('a')], 'Ada published "a" to Production'],
    ['CREATED', [flag('a')], 'Ada created "a" in Production'],
    ['SWITCHED', [flag('a', { after: served() })], 'Ada ran "a" in Production'],
    ['SWITCHED', [flag('a', { before: served(), after: served({ enabled: false }) })], 'Ada paused "a" in Production'],
    [
      'SWITCHED',
      [flag('a', { before: served(), after: served({ rules: [{ id: '1' }] }) })],
      'Ada ran a rule of "a" in Production',
    ],
    [
      'SWITCHED',
      [flag('a', { before: served({ rules: [{ id: '1' }, { id: '2' }] }), after: served({ rules: [{ id: '2' }] }) })],
      'Ada paused a rule of "a" in Production',
    ],
    ['SWITCHED', [flag('a', { before: served(), after: served() })], 'Ada switched "a" in Production'],
    ['SEGMENT_CHANGED', [], 'Ada changed a segment that Production serves'],
  ])('because of %s says who did what', (reason, flags, title) => {
    expect(published(reason, ...flags).title).toBe(title)
  })

  it.each([
    [{ before: null, after: served() }, 'new'],
    [{ before: served(), after: null }, 'no longer served'],
    [{ before: served(), after: served({ defaultVariation: 'on' }) }, 'default off → on'],
    [{ before: served({ enabled: false }), after: served() }, 'paused → running'],
    [{ before: served(), after: served({ rules: [{ id: '1' }] }) }, 'rules (0 → 1)'],
    [{ before: served(), after: served({ overrides: { a: 'on' } }) }, 'overrides'],
    [{ before: served(), after: served({ variations: { on: 'x' } }) }, 'variations'],
    [{ before: served(), after: served() }, 'changed'],
  ])('says what a flag serves differently: %j', (change, value) => {
    expect(published('PUBLISHED', flag('one-page-checkout', change)).facts).toEqual([
      { label: 'Revision', value: '42' },
      { label: 'one-page-checkout', value },
    ])
  })

  it('shows eight flags and counts the others', () => {
    const flags = Array.from({ length: 12 }, (_, index) => flag(`f${index}`))
    expect(published('PUBLISHED', ...flags).facts.at(-1)).toEqual({ label: 'And', value: '4 more' })
  })

  it('links to what the revision changed', () => {
    expect(published('PUBLISHED', flag('a')).link.url).toBe(`${baseUrl}/projects/p1/environments/e1/history/42`)
  })
})

it('the service itself is named if no person or token caused an event', () => {
  const body = { ...common, triggeredBy: null, event: 'flag.archived', flag: flag('a') }
  expect(messageOf(body, baseUrl)).toMatchObject({ actor: 'Svc', title: 'Svc archived the flag "a"' })
})

it('an alarm says what failed, where, and since when', () => {
  const message = messageOf(
    {
      ...common,
      ...production,
      triggeredBy: null,
      event: 'flag.srm_failed',
      flag: flag('checkout', { name: 'Checkout' }),
      rule: { id: 'r1', shortId: 7, name: 'Half', type: 'AB_TEST' },
      alarm: {
        check: 'SRM',
        pValue: 0.0000213456,
        dimension: { name: 'country', value: 'DE' },
        revision: { revision: 41 },
        paused: true,
      },
    },
    baseUrl,
  )
  expect(message).toMatchObject({
    tone: 'BAD',
    title: 'The test "Half" of Checkout does not split its visitors as planned in Production',
    link: { url: `${baseUrl}/projects/p1/flags/checkout/results` },
    key: 'flag.srm_failed/e1/7',
  })
  expect(Object.fromEntries(message.facts.map(({ label, value }) => [label, value]))).toMatchObject({
    'p-value': '0.00002135',
    'Most in': 'country = DE',
    'Since revision': '41',
    'Paused by Svc': 'yes',
  })
})
