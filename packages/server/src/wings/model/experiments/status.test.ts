import { expect, test } from 'vitest'
import { type ExperimentFact, type ExperimentStatus, experimentStatusOf, movedOwner, standingOwner } from './status.ts'

test.each<[ExperimentStatus, ExperimentFact[]]>([
  ['DRAFT', []],
  ['RUNNING', ['served', 'launched']],
  // The transaction that serves it first has not noted the time yet.
  ['RUNNING', ['served']],
  ['PAUSED', ['launched']],
  ['COMPLETED', ['completed', 'launched']],
  ['COMPLETED', ['completed', 'launched', 'served']],
  ['ARCHIVED', ['archived']],
  ['ARCHIVED', ['archived', 'launched']],
  ['ARCHIVED', ['archived', 'completed', 'launched']],
])('%s with %j', (status, facts) => {
  const all = { archived: false, completed: false, served: false, launched: false }
  expect(experimentStatusOf({ ...all, ...Object.fromEntries(facts.map((fact) => [fact, true])) })).toBe(status)
})

const owner = { id: 'x', shortId: 3, name: 'Checkout', ruleId: 'r', launched: false }

test.each<[boolean, boolean, string, ExperimentStatus, ExperimentStatus]>([
  [true, false, 'experiment.launched', 'DRAFT', 'RUNNING'],
  [true, true, 'experiment.resumed', 'PAUSED', 'RUNNING'],
  [false, true, 'experiment.paused', 'RUNNING', 'PAUSED'],
])('served: %s, launched before: %s: %s', (served, launched, name, previousStatus, status) => {
  expect(movedOwner({ ...owner, launched }, served)).toEqual({
    name,
    experiment: { id: 'x', shortId: 3, name: 'Checkout', status, previousStatus },
  })
})

test.each<[ExperimentStatus, boolean, boolean]>([
  ['DRAFT', false, false],
  ['RUNNING', true, false],
  ['RUNNING', true, true],
  ['PAUSED', false, true],
])('an owner that did not move is %s; served: %s, launched: %s', (status, served, launched) => {
  expect(standingOwner({ ...owner, launched }, served)).toMatchObject({ status, previousStatus: status })
})
