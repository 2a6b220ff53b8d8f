import { expect, it } from 'vitest'
import {
  canInWords,
  familiesOf,
  type Level,
  levelOf,
  partsOf,
  presetIn,
  presetsOf,
  scopesInWords,
  withLevel,
} from './scope-levels.ts'

const scope = (name: string, ineffective = false) => ({ scope: name, text: `${name}.`, ineffective })
const scopes = [
  scope('org:read'),
  scope('org:write', true),
  scope('projects:read'),
  scope('projects:write'),
  scope('flags:read'),
  scope('flags:write'),
  scope('audiences:read'),
  scope('metrics:read', true),
  scope('audit:read'),
  scope('webhooks:read'),
  scope('webhooks:write'),
  scope('admin:*'),
]
const reads = ['org:read', 'projects:read', 'flags:read', 'audiences:read', 'audit:read', 'webhooks:read']
const writes = ['projects:write', 'flags:write', 'webhooks:write']

it.each([
  [[], 'nothing'],
  [['flags:read'], 'read flags'],
  [['flags:read', 'flags:write'], 'read flags, write flags'],
  [['flags:write'], 'write flags'],
  [['projects:read', 'flags:read', 'audiences:read'], 'read projects, flags and audiences'],
  [['org:read', 'audit:read'], 'read organization and audit log'],
  [reads, 'read all'],
  [[...reads, 'flags:write'], 'read all, write flags'],
  [[...reads, ...writes], 'read all, write all'],
  [['admin:*'], 'everything'],
  [['admin:*', 'flags:read'], 'everything'],
  [['flags:read', 'org:write'], 'read flags, 1 scope without effect'],
  [['metrics:read', 'org:write'], '2 scopes without effect'],
])('%j in words: %s', (chosen, words) => {
  expect(scopesInWords(chosen, scopes)).toBe(words)
})

it.each<[string[], string, Level]>([
  [[], 'flags', 'none'],
  [['flags:read'], 'flags', 'read'],
  [['flags:write'], 'flags', 'write'],
  [['admin:*'], 'flags', 'write'],
  [['admin:*'], 'audit', 'read'],
])('%j gives for %s the level %s', (chosen, family, level) => {
  expect(levelOf(familiesOf(scopes).find((each) => each.family === family)!, chosen)).toBe(level)
})

it.each<[string[], string, Level, string[]]>([
  [[], 'flags', 'read', ['flags:read']],
  [['audit:read'], 'flags', 'write', ['flags:read', 'flags:write', 'audit:read']],
  [['flags:read', 'flags:write'], 'flags', 'read', ['flags:read']],
  [['flags:read', 'audit:read'], 'flags', 'none', ['audit:read']],
  [['org:read'], 'org', 'write', ['org:read', 'org:write']],
])('%j with %s at %s', (chosen, family, level, expected) => {
  expect(withLevel(scopes, chosen, family, level)).toEqual(expected)
})

it('a choice keeps everything else when everything is limited', () => {
  expect(withLevel(scopes, ['admin:*'], 'webhooks', 'none').sort()).toEqual(
    [...reads, ...writes].filter((each) => !each.startsWith('webhooks')).sort(),
  )
})

it('the picker finds the preset that was chosen, and none for other choices', () => {
  const presets = presetsOf(scopes)
  for (const preset of presets) expect(presetIn(presets, preset.scopes)).toBe(preset)
  expect(presetIn(presets, [])).toBeUndefined()
  expect(presetIn(presets, ['flags:read'])).toBeUndefined()
})

it('the picker offers only presets of scopes that have an effect', () => {
  expect(Object.fromEntries(presetsOf(scopes).map(({ key, scopes }) => [key, scopes]))).toEqual({
    read: reads,
    releases: ['org:read', 'projects:read', 'projects:write', 'flags:read', 'flags:write', 'audiences:read'],
    webhooks: ['projects:read', 'webhooks:read', 'webhooks:write'],
    everything: ['admin:*'],
  })
})

const shown = (chosen: string[], showsIneffective: boolean) =>
  partsOf(scopes, chosen, showsIneffective).flatMap(({ families }) =>
    families.flatMap(({ levels }) => levels.map((each) => each.scope)),
  )

it.each<[string, string[], boolean, string[], string[]]>([
  ['hides scopes without effect', [], false, ['org:read'], ['org:write', 'metrics:read']],
  ['shows them when asked', [], true, ['org:write', 'metrics:read'], ['admin:*']],
  ['shows those that are chosen', ['org:write'], false, ['org:write'], ['metrics:read']],
])('%s', (_what, chosen, showsIneffective, there, absent) => {
  expect(shown(chosen, showsIneffective)).toEqual(expect.arrayContaining(there))
  for (const each of absent) expect(shown(chosen, showsIneffective)).not.toContain(each)
})

it.each([
  [['admin:*'], 'can do everything'],
  [[], 'can do nothing'],
  [['flags:read'], 'can read flags'],
])('%j: a token %s', (chosen, words) => {
  expect(canInWords(chosen, scopes)).toBe(words)
})
