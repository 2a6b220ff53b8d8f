import { expect, it } from 'vitest'
import { type Known, stepsOf } from './checklist.ts'

const fresh: Known = {
  type: 'FEATURE_FLAG',
  isConnected: false,
  isRunning: false,
  isPublished: false,
  people: 1,
  hasSecondFactor: false,
  hasInitialToken: true,
}
const all = { mayPublish: true, mayInvite: true }

it.each<[string, Known, typeof all, string[], string[]]>([
  ['an owner after the first start', fresh, all, ['connect', 'run', 'publish', 'invite', 'factor', 'token'], []],
  [
    'an owner with an invited colleague',
    { ...fresh, isConnected: true, isRunning: true, people: 2, hasInitialToken: false },
    all,
    ['publish', 'factor'],
    ['connect', 'run', 'invite', 'token'],
  ],
  [
    'an editor',
    { ...fresh, people: undefined, isPublished: undefined, hasInitialToken: undefined, hasSecondFactor: true },
    { mayPublish: false, mayInvite: false },
    ['connect', 'run'],
    ['factor'],
  ],
  [
    'an owner of a web project',
    { ...fresh, type: 'WEB', isConnected: true },
    all,
    ['launch', 'invite', 'factor', 'token'],
    ['connect'],
  ],
])('%s', (_, known, rights, open, done) => {
  const steps = stepsOf(known, rights)
  const keys = (isDone: boolean) => steps.filter((step) => step.isDone === isDone).map(({ key }) => key)
  expect([keys(false), keys(true)]).toEqual([open, done])
})
