import { describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { endedBy, endedEvents, isEnded, isTest, keyOf } from './keys.ts'

const project = { id: 'p1', shortId: 1, name: 'Web shop' }
const flag = { id: 'f1', shortId: 7, key: 'checkout', name: 'Checkout' }
const environment = { id: 'e1', name: 'Production' }
const rule = { id: 'r1', shortId: 12, name: 'Half', type: 'AB_TEST' }
const experiment = { id: 'x1', shortId: 3, name: 'Checkout' }
const triggeredBy = { type: 'user', id: 'u1', name: 'Ada' }
const source = { id: 's1', name: 'Shop feed' }
const schedule = (status: string) => ({ id: 'c1', status })
const published = (before: string[] | null, after: string[] | null) => ({
  environment,
  flags: [
    {
      ...flag,
      before: before && { id: '7', rules: before.map((id) => ({ id })) },
      after: after && (after.length > 0 ? { id: '7', rules: after.map((id) => ({ id })) } : { id: '7' }),
    },
  ],
})

const bodyOf = (event: string, fields: Body): Body => ({ event, id: 'd1', project, triggeredBy, ...fields })

describe('the key of a body', () => {
  it.each([
    ['flag.created', { flag }, 'flag.created/f1'],
    ['flag.updated', { environment, flags: [flag] }, 'flag.updated/e1'],
    ['flag.published', published([], []), 'flag.published/e1'],
    ['flag.srm_failed', { flag, environment, rule }, 'flag.srm_failed/e1/12'],
    ['flag.guardrail_breached', { flag, environment, rule }, 'flag.guardrail_breached/e1/12'],
    ['flag.schedule_failed', { flag, environment, schedule: schedule('FAILED') }, 'flag.schedule_failed/f1/e1/flag'],
    ['flag.schedule_failed', { flag, environment, rule }, 'flag.schedule_failed/f1/e1/12'],
    ['experiment.srm_failed', { experiment, flag, environment, rule }, 'experiment.srm_failed/x1'],
    [
      'experiment.guardrail_metric_breached',
      { experiment, metric: { id: 'm1', key: 'revenue' } },
      'experiment.guardrail_metric_breached/x1/revenue',
    ],
    ['commerce.job_failed', { source }, 'commerce.job_failed/s1'],
    ['webhook.disabled', { webhook: { id: 'w1' } }, 'webhook.disabled/w1'],
    ['project.deleted', {}, 'project.deleted/p1'],
    ['webhook.test', { test: true }, 'webhook.test/d1'],
  ])('%s %j', (event, fields, key) => {
    expect(keyOf(bodyOf(event, fields))).toBe(key)
    expect(isTest(key)).toBe(event.endsWith('.test'))
  })
})

const checks = [
  'experiment.srm_failed/x1',
  'experiment.guardrail_breached/x1',
  'experiment.guardrail_metric_breached/x1',
  'experiment.code_error_detected/x1',
]
const ofRule = (id: string) => [`flag.srm_failed/e1/${id}`, `flag.guardrail_breached/e1/${id}`]

describe('what a body ends', () => {
  it.each([
    ['a job that works again', 'commerce.import.completed', { source }, ['commerce.job_failed/s1']],
    ['a run that works again', 'recommendation.run.completed', { source }, ['commerce.job_failed/s1']],
    ['a new version of a data set', 'dataset.version.activated', { source }, ['commerce.job_failed/s1']],
    ['a feed that works again', 'catalog.feed_sync.completed', { source }, ['commerce.job_failed/s1']],
    ['a source that is gone', 'catalog_source.deleted', { catalogSource: { id: 's1' } }, ['commerce.job_failed/s1']],
    ['a dataset that is gone', 'dataset.deleted', { dataset: { id: 's1' } }, ['commerce.job_failed/s1']],
    [
      'a model that is gone',
      'recommendation_model.deleted',
      { recommendationModel: { id: 's1' } },
      ['commerce.job_failed/s1'],
    ],
    ['a job that fails', 'commerce.job_failed', { source }, []],
    ['a person pauses an experiment', 'experiment.paused', { experiment }, checks],
    ['an alarm pauses an experiment', 'experiment.paused', { experiment, triggeredBy: null }, []],
    [
      'an experiment ends',
      'experiment.completed',
      { experiment, triggeredBy: null },
      [...checks, 'experiment.schedule_failed/x1'],
    ],
    ['an experiment is deleted', 'experiment.deleted', { experiment }, [...checks, 'experiment.schedule_failed/x1']],
    ['an experiment is edited', 'experiment.updated', { experiment }, []],
    [
      'a new schedule',
      'experiment.updated',
      { experiment, schedule: schedule('PENDING') },
      ['experiment.schedule_failed/x1'],
    ],
    ['a person stops a rule', 'flag.published', published(['11', '12'], ['11']), ofRule('12')],
    ['a person pauses a flag', 'flag.published', published(['11', '12'], []), [...ofRule('11'), ...ofRule('12')]],
    ['a person archives a flag', 'flag.published', published(['12'], null), ofRule('12')],
    ['a person adds a rule', 'flag.published', published(['12'], ['12', '13']), []],
    ['a new flag', 'flag.published', published(null, ['12']), []],
    ['an alarm stops a rule', 'flag.published', { ...published(['12'], []), triggeredBy: null }, []],
    [
      'a schedule is set',
      'flag.schedule_updated',
      { flag, environment, rule, schedule: schedule('PENDING') },
      ['flag.schedule_failed/f1/e1/12'],
    ],
    [
      'a schedule is carried out',
      'flag.schedule_updated',
      { flag, environment, schedule: schedule('DONE') },
      ['flag.schedule_failed/f1/e1/flag'],
    ],
    ['a schedule is suspended', 'flag.schedule_updated', { flag, environment, schedule: schedule('SUSPENDED') }, []],
    [
      'an environment is deleted',
      'environment.deleted',
      { environment },
      ['flag.srm_failed/e1', 'flag.guardrail_breached/e1'],
    ],
    ['a webhook is enabled', 'webhook.updated', { webhook: { id: 'w1', enabled: true } }, ['webhook.disabled/w1']],
    ['a webhook is disabled', 'webhook.updated', { webhook: { id: 'w1', enabled: false } }, []],
    ['a webhook is deleted', 'webhook.deleted', { webhook: { id: 'w1' } }, ['webhook.disabled/w1']],
    [
      'a destination is enabled',
      'destination.updated',
      { destination: { id: 'w1', enabled: true } },
      ['destination.disabled/w1'],
    ],
    ['a flag is created', 'flag.created', { flag }, []],
  ])('%s', (_what, event, fields, expected) => {
    const body = bodyOf(event, fields)
    expect(endedBy(body)).toEqual(expected)
    expect(endedEvents(body)).toEqual([...new Set(expected.map((key) => key.split('/')[0]))])
  })

  it.each([
    ['a/b', ['a/b'], true],
    ['a/b/c', ['a/b'], true],
    ['a/bc', ['a/b'], false],
    ['a', ['a/b'], false],
    ['a/b', [], false],
  ])('%s is ended by %j: %s', (key, ended, expected) => {
    expect(isEnded(key, ended)).toBe(expected)
  })
})
