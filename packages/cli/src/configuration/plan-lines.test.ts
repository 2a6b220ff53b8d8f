import { expect, it } from 'vitest'
import { wantedOf } from './file.ts'
import type { RuleBody } from './flags.ts'
import type { Action, Change } from './plan.ts'
import { linesOf } from './plan-lines.ts'

const ruleOf = (entry: Record<string, unknown>): RuleBody =>
  wantedOf({
    flags: { a: { name: 'A', type: 'BOOLEAN', variations: {}, environments: { production: { rules: [entry] } } } },
  }).flags!.a!.environments.production!.rules[0]!

const rollout = ruleOf({ key: 'v1.2', name: 'Version 1.2', variation: 'on', traffic: '12.5%' })
const condition = { value: 3, operator: 'greaterThan', attribute: 'age' }

it.each<[string, Action, Change['kind'], Change['fields'][number], string]>([
  [
    'a share of a group',
    'update',
    'exclusionGroups',
    { path: 'slotSize', from: 2500, to: 1000 },
    'slotSize: 25% → 10%',
  ],
  ['the event of a metric', 'update', 'metrics', { path: 'eventKey', from: 'a', to: 'b' }, 'event: a → b'],
  [
    'a description',
    'update',
    'segments',
    { path: 'description', from: null, to: 'x: y' },
    'description: nothing → "x: y"',
  ],
  [
    'conditions of an audience',
    'update',
    'audiences',
    { path: 'conditions', from: { all: [] }, to: { all: [condition] } },
    'conditions: {all: []} → {all: [{attribute: age, operator: greaterThan, value: 3}]}',
  ],
  [
    'variations',
    'update',
    'flags',
    { path: 'variations', from: [], to: [{ key: 'on', name: 'On', value: 'true' }] },
    'variations: {} → {on: {name: On, value: "true"}}',
  ],
  ['the default of a flag', 'update', 'flags', { path: 'defaultVariationKey', from: 'a', to: 'b' }, 'default: a → b'],
  [
    'a share of a rule',
    'draft',
    'flags',
    { path: 'rules.v1.2.trafficAllocation', from: 1, to: 250 },
    'rules.v1.2.traffic: 0.01% → 2.5%',
  ],
  ['a switch', 'run', 'flags', { path: 'enabled', from: false, to: true }, 'enabled: false → true'],
  [
    'the order of rules',
    'draft',
    'flags',
    { path: 'ruleOrder', from: ['a', 'b'], to: ['b', 'a'] },
    'ruleOrder: [a, b] → [b, a]',
  ],
  [
    'a rule that comes',
    'draft',
    'flags',
    { path: 'rules.v1.2', from: null, to: rollout },
    '+ rules.v1.2: {name: Version 1.2, traffic: 12.5%, variation: on}',
  ],
  ['a rule that goes', 'draft', 'flags', { path: 'rules.v1.2', from: rollout, to: null }, '- rules.v1.2'],
])('%s is shown as the file writes it', (_what, action, kind, field, line) => {
  const change: Change = { action, kind, key: 'x', fields: [field], live: 'AT_ONCE' }
  const plan = { changes: [change], publishes: [], drift: [], unmanaged: [], conflicts: [], summary: '' }
  expect(linesOf(plan)[1]).toBe(`    ${line}`)
})

it('objects that the file does not mention take one line for each kind', () => {
  const unmanaged = [
    { kind: 'segments', key: 'vip', message: 'stays' },
    ...Array.from({ length: 50 }, (_, at) => ({ kind: 'flags', key: `f${at}`, message: 'stays' })),
  ]
  const conflicts = [
    { kind: 'flags', key: 'x', message: 'it is archived' },
    { kind: 'experiments', key: '12', env: 'production', message: 'it has staged changes' },
  ]
  expect(linesOf({ changes: [], publishes: [], drift: [], unmanaged, conflicts, summary: '' })).toEqual([
    ...['', 'Not in the file', '  1 segment stays: vip', '  50 flags stay: f0, f1, f2, f3, f4 and 45 more'],
    ...['', 'Conflicts', '! flag x: it is archived'],
    '! experiment 12 in production: it has staged changes',
  ])
})
