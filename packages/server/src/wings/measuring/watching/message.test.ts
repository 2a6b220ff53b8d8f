import { expect, test } from 'vitest'
import { alarmed, digested, noEvidence, type Subject } from './message.ts'

const of = {
  environment: { id: 'e', name: 'Production' },
  rule: { id: 'r', shortId: 1, name: 'Test', type: 'AB_TEST' as const },
}
const flag = { id: 'f', shortId: 1, key: 'flag', name: 'Flag', status: 'RUNNING' as const }
const experiment = {
  ...{ id: 'x', shortId: 1, name: 'Test' },
  ...{ status: 'RUNNING' as const, previousStatus: 'RUNNING' as const },
}
const results = {
  ...{ generatedAt: '2026-11-20T10:00:00.000Z', dataThrough: null, ruleStatus: 'RUNNING', runtimeDays: 1 },
  units: { total: 0, variations: [] },
  ...{ health: { status: 'OK', checks: [] }, metrics: [], progress: null, recommendation: null },
} as never
const alarm = { results, evidence: noEvidence, paused: false }
const check = (name: string) => ({ key: name, kind: name, check: { check: name, status: 'FAILED' } }) as never

/** The fields of a body that say what it is about. */
const about = (payload: object) => Object.keys(payload).filter((field) => field !== 'alarm' && field !== 'results')

test.each<[string, Subject, string, string[]]>([
  ['a rule of a flag', { ...of, flag, experiment: null }, 'flag', ['environment', 'flag', 'rule']],
  ['an experiment on a flag', { ...of, flag, experiment }, 'experiment', ['environment', 'experiment', 'flag', 'rule']],
  ['a web experiment', { ...of, experiment }, 'experiment', ['environment', 'experiment', 'rule']],
])('the alarms and the results of %s name it', (_what, subject, noun, fields) => {
  const events = [
    alarmed(check('SRM'), alarm, subject)!.event,
    alarmed(check('TRAFFIC'), alarm, subject)!.event,
    digested(results, subject),
  ]
  expect(events.map(({ name }) => name)).toEqual(
    ['srm_failed', 'guardrail_breached', 'results_ready'].map((name) => `${noun}.${name}`),
  )
  for (const { payload } of events) expect(about(payload).sort()).toEqual(fields)
})
