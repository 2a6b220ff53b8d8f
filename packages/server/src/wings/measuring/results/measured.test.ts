import { expect, it } from 'vitest'
import type { RuleDefinition } from '../../model/versions/index.ts'
import { ruleOfResults } from './measured.ts'

const [started, ended] = [new Date('2026-11-02T10:00:00Z'), new Date('2026-11-09T10:00:00Z')]
const rule = { id: 'r1', type: 'AB_TEST' } as RuleDefinition
const running = { completedAt: null }
const completed = { completedAt: ended }

it.each([
  ['a rule that runs', null, undefined, 'RUNNING', null],
  ['a rule that is paused, which is its end', ended, undefined, 'PAUSED', ended],
  ['an experiment that runs', null, running, 'RUNNING', null],
  ['an experiment that is paused and can go on', ended, running, 'PAUSED', null],
  ['an experiment that is completed', ended, completed, 'COMPLETED', ended],
])('%s', (_, until, experiment, ruleStatus, endedAt) => {
  const history = { served: [{ from: started, until }] }
  expect(ruleOfResults({ flagId: 'f1', envId: 'e1' }, rule, history, experiment)).toMatchObject({ ruleStatus, endedAt })
})
