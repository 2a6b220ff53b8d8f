import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { apiFields } from './api-fields.ts'
import { readFile } from './file.ts'
import { type Fields, kindNames, kinds, percent } from './objects.ts'
import { configSchema, type Schema } from './schema.ts'

const problemOf = (document: Fields): string => {
  try {
    readFile('svc.yaml', stringify({ version: 1, ...document }))
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const listOf = <Item>(length: number, item: (at: number) => Item) => Array.from({ length }, (_, at) => item(at))
const variations = (count: number) =>
  Object.fromEntries(listOf(count, (at) => [`v${at}`, { name: `V${at}`, value: `${at}` }]))
const flag = (more: Fields = {}) => ({
  flags: { f: { name: 'F', type: 'STRING', variations: variations(2), ...more } },
})
const inProduction = (env: Fields) => flag({ environments: { production: env } })
const rule = (more: Fields = {}) => inProduction({ rules: [{ key: 'r', name: 'R', variation: 'v0', ...more }] })
const test = (more: Fields = {}) =>
  inProduction({ rules: [{ key: 'r', name: 'R', split: { v0: '50%', v1: '50%' }, ...more }] })
const metric = (more: Fields) => ({ metrics: { m: { name: 'M', type: 'MEAN', event: 'e', ...more } } })
const json = (value: unknown) =>
  flag({ type: 'JSON', variations: { a: { name: 'A', value }, b: { name: 'B', value: 1 } } })
const audiences = (...names: string[]) => ({
  audiences: Object.fromEntries(names.map((name, at) => [`a${at}`, { name, conditions: { all: [] } }])),
})
const text = (length: number) => 'x'.repeat(length)

describe('svc plan refuses, with line and column, what svc apply would refuse half-way', () => {
  it.each<[string, Fields, Fields, string]>([
    [
      'names',
      audiences('Beta', 'beta'),
      audiences('Beta', ' Beta'),
      'audiences.a1.name is the name of audiences.a0, too.',
    ],
    ['spaces in names', audiences('A B', 'AB'), audiences('A B', 'A\u00a0 B'), 'audiences.a1.name is the name of'],
    ['what a name shows', flag(), flag({ name: 'F\u200b' }), 'flags.f.name must not contain line breaks, control'],
    ['what the name of a rule shows', rule(), rule({ name: 'R\u00ad' }), 'rules.0.name must not contain'],
    ['names of spaces', audiences('A'), audiences('\u00a0'), 'audiences.a0.name must not be blank.'],
    [
      'the least variations',
      flag(),
      flag({ variations: variations(1) }),
      'flags.f.variations must have 2 to 4 entries, not 1.',
    ],
    [
      'the most variations',
      flag({ variations: variations(4) }),
      flag({ variations: variations(5) }),
      'must have 2 to 4 entries, not 5.',
    ],
    [
      'tags',
      flag({ tags: listOf(20, String) }),
      flag({ tags: listOf(21, String) }),
      'flags.f.tags must have at most 20 entries, not 21.',
    ],
    [
      'a tag',
      flag({ tags: [text(50)] }),
      flag({ tags: [text(51)] }),
      'flags.f.tags.0 must have at most 50 characters, not 51.',
    ],
    ['equal tags', flag({ tags: ['a', 'b'] }), flag({ tags: ['a', 'b', 'a'] }), 'flags.f.tags must not have a twice.'],
    [
      'a name',
      flag({ name: text(200) }),
      flag({ name: text(201) }),
      'flags.f.name must have at most 200 characters, not 201.',
    ],
    ['a blank name', flag({ name: ' f ' }), flag({ name: '  ' }), 'flags.f.name must not be blank.'],
    ['a description', flag({ description: text(2000) }), flag({ description: text(2001) }), 'at most 2000 characters'],
    [
      'a value',
      flag({ variations: { a: { name: 'A', value: text(10_000) }, b: { name: 'B', value: '' } } }),
      flag({ variations: { a: { name: 'A', value: text(10_001) }, b: { name: 'B', value: '' } } }),
      'flags.f.variations.a.value must have at most 10000 characters, not 10001.',
    ],
    [
      'a JSON value',
      json(text(8190)),
      json(text(8191)),
      'flags.f.variations.a.value must be JSON of at most 8192 bytes, not 8193.',
    ],
    [
      'the values of a BOOLEAN flag',
      flag({ type: 'BOOLEAN', variations: { a: { name: 'A', value: true }, b: { name: 'B', value: false } } }),
      flag({ type: 'BOOLEAN', variations: { a: { name: 'A', value: true }, b: { name: 'B', value: true } } }),
      'flags.f.variations must be exactly two, with the values true and false',
    ],
    [
      'a schema of values',
      flag({ type: 'JSON', valueSchema: { type: 'string' } }),
      flag({ valueSchema: { type: 'string' } }),
      'is allowed only in a JSON flag.',
    ],
    [
      'rules',
      inProduction({ rules: listOf(100, (at) => ({ key: `r${at}`, name: 'R', variation: 'v0' })) }),
      inProduction({ rules: listOf(101, (at) => ({ key: `r${at}`, name: 'R', variation: 'v0' })) }),
      'flags.f.environments.production.rules must have at most 100 entries, not 101.',
    ],
    ['a salt', rule({ salt: text(128) }), rule({ salt: text(129) }), 'rules.0.salt must have at most 128 characters'],
    [
      'audiences',
      rule({ audiences: listOf(20, String) }),
      rule({ audiences: listOf(21, String) }),
      'at most 20 entries',
    ],
    ['the key of a rule', rule({ key: 'r.1' }), rule({ key: 'r 1' }), 'rules.0.key must have 1 to 128 letters'],
    ['a key of digits', rule({ key: 'r1' }), rule({ key: '1' }), 'rules.0.key must not be only digits'],
    [
      'the key of a flag',
      { flags: { f: flag().flags.f } },
      { flags: { 'f g': flag().flags.f } },
      'svc.yaml:3:3 flags.f g is a key that must have 1 to 128 letters',
    ],
    [
      'the key of a segment',
      { segments: { [text(128)]: { name: 'A' } } },
      { segments: { [text(129)]: { name: 'A' } } },
      'is a key that must have 1 to 128 letters',
    ],
    [
      'metrics of a test',
      test({ metrics: { primary: listOf(20, String) } }),
      test({ metrics: { primary: listOf(21, String) } }),
      'metrics.primary must have at most 20 entries, not 21.',
    ],
    [
      'alpha',
      test({ statistics: { alpha: 0.5 } }),
      test({ statistics: { alpha: 0.6 } }),
      'statistics.alpha must be more than 0 and at most 0.5, not 0.6.',
    ],
    [
      'a number of days',
      test({ statistics: { minRuntimeDays: 1 } }),
      test({ statistics: { minRuntimeDays: 1.5 } }),
      'minRuntimeDays must be a whole number, not 1.5.',
    ],
    [
      'a field of statistics',
      test({ statistics: { cuped: true } }),
      test({ statistics: { cupd: true } }),
      'statistics.cupd is not a field of the file. Did you mean cuped?',
    ],
    [
      'ids of overrides',
      inProduction({ overrides: { environment: { v0: listOf(1000, String) } } }),
      inProduction({ overrides: { environment: { v0: listOf(1001, String) } } }),
      'overrides must have at most 1000 ids, not 1001.',
    ],
    [
      'a conversion window',
      metric({ conversionWindowHours: 2160 }),
      metric({ conversionWindowHours: 2161 }),
      'must be at least 1 and at most 2160, not 2161.',
    ],
    [
      'a unit',
      metric({ unit: text(20) }),
      metric({ unit: text(21) }),
      'metrics.m.unit must have at most 20 characters',
    ],
    ['a direction', metric({ direction: 'DECREASE' }), metric({ direction: 'UP' }), 'must be INCREASE or DECREASE.'],
    [
      'a slot',
      { exclusionGroups: { g: { name: 'G', slotSize: '1%' } } },
      { exclusionGroups: { g: { name: 'G', slotSize: '0.5%' } } },
      'exclusionGroups.g.slotSize must be from 1% to 100%, not 0.5%.',
    ],
    [
      'a holdout',
      { holdouts: { h: { name: 'H', share: '20%' } } },
      { holdouts: { h: { name: 'H', share: '21%' } } },
      'holdouts.h.share must be from 0.01% to 20%, not 21%.',
    ],
    [
      'a color',
      { environments: { e: { name: 'E', color: '#2F9E44' } } },
      { environments: { e: { name: 'E', color: 'green' } } },
      'environments.e.color must be a color such as #2F9E44, not green.',
    ],
    [
      'an address',
      { webhooks: { w: { name: 'W', url: text(2048), events: ['flag.created'] } } },
      { webhooks: { w: { name: 'W', url: text(2049), events: ['flag.created'] } } },
      'webhooks.w.url must have at most 2048 characters',
    ],
  ])('%s', (_what, right, wrong, message) => {
    expect(problemOf(right)).toBe('')
    expect(problemOf(wrong)).toContain(message)
    expect(problemOf(wrong)).toMatch(/^svc\.yaml:\d+:\d+ /)
  })
})

it('the schema for editors has the bounds', () => {
  const path = new URL('../../../../docs/config.schema.json', import.meta.url)
  const { properties, $defs } = JSON.parse(readFileSync(path, 'utf8'))
  const { variations, tags, environments, name } = properties.flags.additionalProperties.properties
  expect([variations.minProperties, variations.maxProperties, tags.maxItems, name.maxLength]).toEqual([2, 4, 20, 200])
  expect(environments.additionalProperties.properties.rules.maxItems).toBe(100)
  expect($defs.rule.properties.statistics.properties.alpha.maximum).toBe(0.5)
  expect(properties.flags.propertyNames.pattern).toBe(apiFields.CreateFlagBody.key.pattern)
})

describe('no field of the file lacks a bound that the API has:', () => {
  const bodies = {
    metrics: 'CreateMetricBody',
    segments: 'CreateSegmentBody',
    audiences: 'CreateAudienceBody',
    exclusionGroups: 'CreateExclusionGroupBody',
    holdouts: 'CreateHoldoutBody',
    webhooks: 'CreateWebhookBody',
    environments: 'CreateEnvironmentBody',
    destinations: 'NewSlackDestination',
  } as const
  const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'] as const
  const ownOf = (schema: Schema | undefined) => bounds.map((name) => [name, schema?.[name]])

  it.each(kindNames)('%s', (kind) => {
    const section = configSchema.properties![kind] as Schema
    const entry = section.additionalProperties as Schema
    const body = apiFields[bodies[kind]] as Record<string, Schema>
    expect(section.propertyNames?.pattern).toBe(body.key!.pattern)
    for (const field of kinds[kind].fields as readonly { file: string; api?: string; codec?: unknown }[]) {
      const ofApi = body[field.api ?? field.file]
      // Shares are written as percentages: `shareFaults` bounds them.
      if (ofApi && field.codec !== percent)
        expect([field.file, ownOf(entry.properties![field.file])]).toEqual([field.file, ownOf(ofApi)])
    }
  })
})
