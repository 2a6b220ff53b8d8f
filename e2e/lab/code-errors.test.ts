import { beforeAll, expect, inject, test } from 'vitest'
import { labLimitMs, runInLab } from './lab.ts'

interface Report {
  title: string
  bodies: { event: string; experiment: { name: string }; alarm?: { message: string; line: number; paused: boolean } }[]
  signed: boolean
  violations: string[]
  errors: { message: string; line: number; excerpt: string; visitors: number; share: number }[]
  ofOther: unknown[]
  statuses: string[]
}

let seen: Report
beforeAll(async () => {
  seen = await runInLab<Report>('e2e/lab/code-errors.ts', { LAB_TEMPLATE: inject('databaseTemplates').migrated })
}, labLimitMs)

test('errors of code in a browser arrive over HTTPS with their variation and line, once, with a valid signature', () => {
  const alarms = seen.bodies.filter(({ event }) => event === 'experiment.code_error_detected')
  expect(alarms.map(({ alarm }) => [alarm!.message, alarm!.line]).sort()).toEqual([
    ['Error: rejected', 5],
    ['TypeError: late', 3],
  ])
  for (const { experiment, alarm } of alarms) {
    expect(experiment.name).toBe('Failing')
    expect(alarm).toMatchObject({ variation: { key: 'price' }, paused: false })
  }
  expect([seen.signed, seen.violations]).toEqual([true, []])
})

test('the experiment pauses by itself, and the other one goes on', () => {
  expect(seen.bodies.filter(({ event }) => event === 'experiment.paused')).toMatchObject([
    { experiment: { name: 'Failing', status: 'PAUSED' }, triggeredBy: null },
  ])
  expect(seen.statuses).toEqual(['PAUSED', 'RUNNING'])
  expect([seen.title, seen.ofOther]).toEqual(['From € 9', []])
  expect(seen.errors.map(({ excerpt, visitors, share }) => [excerpt, visitors, share]).sort()).toEqual([
    ["Promise.reject(new Error('rejected'))", 20, 1],
    ["throw new TypeError('late')", 20, 1],
  ])
})
