import { describe, expect, it } from 'vitest'
import type { Wanted } from './file.ts'
import { wantedOf } from './file.ts'
import type { RuleBody } from './flags.ts'
import { type Choices, planOf, switchesToCheck } from './plan.ts'
import type { PresentDraft, State } from './state.ts'

const rule = (key: string, more = {}): RuleBody => ({
  ...{ key, type: 'TARGETED_DELIVERY', name: key, description: null, audienceIds: [], conditions: { all: [] } },
  ...{
    bucketBy: 'targetingKey',
    trafficAllocation: 10_000,
    salt: `salt-${key}`,
    variationKey: 'on',
    exposures: false,
    enabled: true,
  },
  ...more,
})
const version = (rules: RuleBody[]) => ({
  ...{ enabled: true, defaultVariationKey: 'off', rules, overrides: { environmentAllowlist: [], ruleAllowlists: [] } },
})
const inProduction = (more: Partial<PresentDraft> = {}): PresentDraft => ({
  ...{
    draft: version([rule('staff')]),
    live: version([rule('staff')]),
    enabled: true,
    published: 3,
    changes: [],
    experiments: {},
  },
  ...more,
})
const variations = { on: { name: 'On', value: true }, off: { name: 'Off', value: false } }
const wantedFlag = wantedOf({ flags: { a: { name: 'A', type: 'BOOLEAN', variations, default: 'off' } } }).flags!.a!

const state = (
  production: PresentDraft,
  status = 'RUNNING',
  { otherAudiences = [], experiments = [] }: { otherAudiences?: string[]; experiments?: string[] } = {},
): State => ({
  project: { key: 'shop', name: 'Shop', type: 'FEATURE_FLAG' },
  self: 'me',
  source: 'svc apply svc.yaml',
  objects: {
    ...{ metrics: {}, segments: {}, exclusionGroups: {}, holdouts: {}, webhooks: {}, destinations: {} },
    audiences: { beta: { id: 'b', etag: '', body: { name: 'Beta', description: null, conditions: { all: [] } } } },
    environments: {
      production: { id: 'p', etag: '', body: { name: 'Production', color: '#000000', protected: true } },
    },
  },
  flags: { a: { id: 'a', status, etag: '"f1"', wanted: wantedFlag, environments: { production } } },
  staged: {
    production: {
      flags: production.changes.length > 0 ? ['a', 'z'] : ['z'],
      experiments,
      ownAudiences: [],
      otherAudiences,
      etag: '"s1"',
    },
  },
  audienceUse: { beta: JSON.stringify([production.draft, production.live]).includes('"beta"') ? ['production'] : [] },
})

const wanted = (env: Record<string, unknown>, more: Record<string, unknown> = {}): Wanted =>
  wantedOf({
    flags: { a: { name: 'A', type: 'BOOLEAN', variations, default: 'off', environments: { production: env } } },
    ...more,
  })

const staff = { key: 'staff', name: 'staff', variation: 'on' }
const by = (id: string, source?: string) => [
  { path: 'rules.x', by: { type: 'USER', id, name: id }, at: '2026-11-27T10:00:00.000Z', ...(source && { source }) },
]
const test = rule('test', { type: 'AB_TEST' })
const off = inProduction({ enabled: false })

/** What a plan says in short: its changes, publishes, drift and conflicts. */
const short = (
  present: PresentDraft,
  file: Wanted,
  choices: Choices = {},
  { ran = ['a production'], status = 'RUNNING', otherAudiences = [] as string[], experiments = [] as string[] } = {},
) => {
  const { changes, publishes, drift, conflicts } = planOf(
    file,
    state(present, status, { otherAudiences, experiments }),
    new Map(ran.map((key) => [key, { by: 'Ada', at: '2026-11-27T10:00:00.000Z' }])),
    choices,
  )
  return [
    ...changes.map(({ action, key, env, fields }) =>
      [action, key, env, ...fields.map(({ path }) => path)].filter(Boolean).join(' '),
    ),
    ...publishes.map(({ env, flags }) => `publish ${env} ${flags ?? 'all'}`),
    ...drift.map(({ key }) => `drift ${key}`),
    ...conflicts.map(({ key, message }) => `conflict ${key}: ${message.split(':')[0]}`),
  ]
}

it.each<[string, PresentDraft, Wanted, Choices, string[]]>([
  ['the same', inProduction(), wanted({ enabled: true, rules: [staff] }), {}, []],
  [
    'an unmanaged environment',
    inProduction(),
    wantedOf({ flags: { a: { name: 'A', type: 'BOOLEAN', variations, default: 'off' } } }),
    {},
    [],
  ],
  ['an unmanaged switch', off, wanted({ rules: [staff] }), {}, []],
  [
    'another default',
    inProduction(),
    wanted({ default: 'on', rules: [staff] }),
    {},
    ['draft a production default', 'publish production a'],
  ],
  [
    'an edited rule',
    inProduction(),
    wanted({ rules: [{ ...staff, traffic: '5%' }] }),
    {},
    ['draft a production rules.staff.trafficAllocation', 'publish production a'],
  ],
  [
    'a new rule',
    inProduction(),
    wanted({ rules: [staff, { ...staff, key: 'b' }] }),
    {},
    ['draft a production rules.b', 'publish production a'],
  ],
  ['a deleted rule', inProduction(), wanted({}), {}, ['draft a production rules.staff', 'publish production a']],
  [
    'another order',
    inProduction({ draft: version([rule('b', { name: 'staff' }), rule('staff')]) }),
    wanted({ rules: [staff, { ...staff, key: 'b' }] }),
    {},
    ['draft a production ruleOrder', 'publish production a'],
  ],
  [
    'staged changes of an interrupted run, as the file says',
    inProduction({ changes: by('me', 'svc apply svc.yaml') }),
    wanted({ rules: [staff] }),
    {},
    ['publish production a'],
  ],
  ...[
    ['with another command', by('me')],
    ['with another file', by('me', 'svc apply other.yaml')],
    ['in part with another command', [...by('me', 'svc apply svc.yaml'), ...by('me')]],
    ['with the same file and another token', by('ada', 'svc apply svc.yaml')],
  ].map(([how, changes]): [string, PresentDraft, Wanted, Choices, string[]] => [
    `changes that are staged ${how}, as the file says`,
    inProduction({ changes: changes as PresentDraft['changes'] }),
    wanted({ rules: [staff] }),
    {},
    ['drift a'],
  ]),
  [
    'staged changes of others, as the file says',
    inProduction({ changes: by('ada') }),
    wanted({ rules: [staff] }),
    {},
    ['drift a'],
  ],
  [
    'staged changes of others, unlike the file',
    inProduction({ changes: by('ada') }),
    wanted({}),
    {},
    ['draft a production rules.staff', 'publish production a', 'conflict a: ada has staged rules.x at 2026-11-27T10'],
  ],
  [
    'the same with --overwrite-staged',
    inProduction({ changes: by('ada') }),
    wanted({}),
    { overwriteStaged: true },
    ['draft a production rules.staff', 'publish production a'],
  ],
  ['a pause', inProduction(), wanted({ enabled: false, rules: [staff] }), {}, ['pause a production enabled']],
  ['a flag that somebody paused', off, wanted({ enabled: true, rules: [staff] }), {}, ['drift a']],
  [
    'the same with --resume',
    off,
    wanted({ enabled: true, rules: [staff] }),
    { resume: true },
    ['run a production enabled'],
  ],
  [
    'a paused rule',
    inProduction({ draft: version([rule('staff', { enabled: false })]) }),
    wanted({ rules: [{ ...staff, enabled: true }] }),
    {},
    ['drift a/staff'],
  ],
  [
    'a rule to pause',
    inProduction(),
    wanted({ rules: [{ ...staff, enabled: false }] }),
    {},
    ['pause a/staff production enabled'],
  ],
  [
    'a running test that the file drops',
    inProduction({ draft: version([test]), live: version([test]) }),
    wanted({}),
    {},
    [
      'draft a production rules.test',
      'publish production a',
      'conflict a: the A/B rule test runs and is not in the file',
    ],
  ],
  [
    'the same with --prune',
    inProduction({ draft: version([test]), live: version([test]) }),
    wanted({}),
    { prune: true },
    ['draft a production rules.test', 'publish production a'],
  ],
  [
    'a rule of an experiment that the file does not mention',
    inProduction({ draft: version([test]), experiments: { test: 7 } }),
    wanted({}),
    {},
    [],
  ],
  [
    'a rule of an experiment that the file redefines',
    inProduction({ draft: version([test]), experiments: { test: 7 } }),
    wanted({ rules: [{ ...staff, key: 'test' }] }),
    {},
    [
      'draft a production rules.test.type rules.test.name',
      'publish production a',
      'conflict a: the rule test belongs to experiment 7',
    ],
  ],
  [
    'the place of an experiment that is not there',
    inProduction(),
    wanted({ rules: [staff, { key: 'test', experiment: 7 }] }),
    {},
    ['draft a production rules.test', 'publish production a', 'conflict a: it has no rule test of an experiment'],
  ],
  [
    'another environment',
    inProduction(),
    wantedOf({ flags: { a: { name: 'A', type: 'BOOLEAN', variations, default: 'off', environments: { moon: {} } } } }),
    {},
    ['conflict a: the project has no such environment'],
  ],
  [
    'an environment that the file creates',
    inProduction(),
    wantedOf({
      environments: { moon: { name: 'Moon' } },
      flags: {
        a: {
          ...{ name: 'A', type: 'BOOLEAN', variations, default: 'off' },
          environments: { moon: { enabled: true, default: 'on' } },
        },
      },
    }),
    {},
    ['create moon name', 'draft a moon default', 'run a moon enabled', 'publish moon all'],
  ],
  [
    'an environment whose protection the file leaves out',
    inProduction(),
    wantedOf({ environments: { production: { name: 'Live' } } }),
    {},
    ['update production name'],
  ],
  [
    'an edited audience that nothing uses',
    inProduction(),
    wanted({ rules: [staff] }, { audiences: { beta: { name: 'Beta', conditions: { any: [] } } } }),
    {},
    ['update beta conditions'],
  ],
  [
    'another project',
    inProduction(),
    wantedOf({ project: { key: 'other' } }),
    {},
    ['conflict other: the file is for this project, but the command names shop'],
  ],
])('%s', (_what, present, file, choices, lines) => expect(short(present, file, choices)).toEqual(lines))

it('an edited audience publishes its environments whole, which must be allowed if others have staged something', () => {
  const present = inProduction({ draft: version([rule('staff', { audienceIds: ['beta'] })]) })
  const file = wanted(
    { rules: [{ ...staff, audiences: ['beta'] }] },
    { audiences: { beta: { name: 'Beta', conditions: { any: [] } } } },
  )
  expect(short(present, file)).toEqual([
    'update beta conditions',
    'publish production all',
    'conflict z: an edited audience publishes the whole environment, and this flag has staged changes there',
  ])
  expect(short(present, file, { publishAll: true })).toEqual(['update beta conditions', 'publish production all'])
  // No flag of the file is needed for it.
  const { flags: _flags, ...audiencesOnly } = file
  const whole = ['update beta conditions', 'publish production all']
  expect(short(present, { ...audiencesOnly, flags: undefined }, { publishAll: true })).toEqual(whole)
  const edits = { otherAudiences: ['beta', 'vips'] }
  expect(short(present, file, { publishAll: true }, edits)).toEqual(whole)
  expect(short(present, file, {}, edits).at(-1)).toBe(
    'conflict vips: an edited audience publishes the whole environment, and this audience has staged changes there',
  )
  expect(short(present, file, {}, { experiments: ['12'] })).toContain(
    'conflict 12: an edited audience publishes the whole environment, and this experiment has staged changes there',
  )
})

it('an edited audience is published with the rule of the file that begins to use it', () => {
  const audiences = { beta: { name: 'Beta', conditions: { any: [] } } }
  for (const rule of [{ audiences: ['beta'] }, { conditions: { all: [{ audience: 'beta' }] } }])
    expect(
      short(inProduction(), wanted({ rules: [{ ...staff, ...rule }] }, { audiences }), { publishAll: true }),
    ).toEqual([
      'update beta conditions',
      expect.stringMatching(/^draft a production rules.staff/),
      'publish production all',
    ])
})

it('for a flag that must be turned on, the plan says who paused it and when', () => {
  const ran = new Map([['a production', { by: 'Ada', at: '2026-11-27T10:00:00.000Z' }]])
  const { drift, changes } = planOf(wanted({ enabled: true, rules: [staff] }), state(off), ran)
  expect(changes).toEqual([])
  expect(drift).toEqual([
    {
      ...{ kind: 'flags', key: 'a', env: 'production' },
      message: 'Ada paused it at 2026-11-27T10:00:00.000Z: add --resume to run it again',
    },
  ])
})

it('a flag that has never run is run, also after an interrupted run has published it', () => {
  const file = wanted({ enabled: true, rules: [staff] })
  expect(short(off, file, {}, { ran: [], status: 'PAUSED' })).toEqual(['run a production enabled'])
  expect(switchesToCheck(file, state(off, 'PAUSED'))).toEqual([{ flag: 'a', env: 'production' }])
  expect(switchesToCheck(file, state(off, 'DRAFT'))).toEqual([])
})

it.each([
  ['RUNNING', ['conflict a: it runs and is not in the file']],
  ['PAUSED', ['archive a']],
  ['DRAFT', ['delete a']],
  ['ARCHIVED', []],
])('--prune of a flag that is %s', (status, lines) =>
  expect(short(inProduction(), wantedOf({ flags: {} }), { prune: true }, { status })).toEqual(lines),
)

it('an audience that is staged as the file says is published only if an earlier run of the file staged it', () => {
  const audiences = { beta: { name: 'Beta', conditions: { all: [] } } }
  const file = wanted({ rules: [staff] }, { audiences })
  const { drift, publishes } = planOf(file, state(inProduction(), 'RUNNING', { otherAudiences: ['beta'] }), new Map())
  expect([publishes, drift]).toEqual([
    [],
    [
      {
        ...{ kind: 'audiences', key: 'beta', env: 'production' },
        message: 'someone has already staged the content of the file: svc publish --env production makes it live',
      },
    ],
  ])
  const interrupted = state(inProduction())
  interrupted.staged.production = { ...interrupted.staged.production!, flags: [], ownAudiences: ['beta'] }
  expect(planOf(file, interrupted, new Map()).publishes).toEqual([{ env: 'production', flags: null }])
})

it('without --prune, objects that the file does not mention stay and are listed', () => {
  const { changes, unmanaged, summary } = planOf(
    wantedOf({ flags: {}, audiences: {} }),
    state(inProduction()),
    new Map(),
  )
  expect([changes, unmanaged.map(({ key }) => key), summary]).toEqual([[], ['beta', 'a'], 'No changes.'])
})

describe('a name that another object has', () => {
  const named = (names: Record<string, string>) =>
    wantedOf({
      audiences: Object.fromEntries(
        Object.entries(names).map(([key, name]) => [key, { name, conditions: { all: [] } }]),
      ),
    })

  it.each<[string, Record<string, string>, string[]]>([
    ['is a conflict', { other: 'Beta' }, ['conflict other: its name is the one of beta']],
    [
      'is one also where the other comes later in the file',
      { other: 'Beta', beta: 'Alpha' },
      ['update beta name', 'conflict other: its name is the one of beta'],
    ],
    [
      'is free once the other has a new one',
      { beta: 'Alpha', other: 'Beta' },
      ['update beta name', 'create other name description conditions'],
    ],
    ['in another letter case is another name', { other: 'BETA' }, ['create other name description conditions']],
  ])('%s', (_what, names, changes) => expect(short(inProduction(), named(names))).toEqual(changes))
})
