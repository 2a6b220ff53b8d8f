import { readFile } from 'node:fs/promises'
import { compile } from '@svc/core'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { createProject, dataFile, startTestService, type TestProject } from '../../../../testing/service.ts'

let moment = new Date('2026-11-22T10:00:00Z')
const service = await startTestService({ now: () => moment })
afterAll(() => service.close())

const environments = ['production', 'development'] as const
type Environment = (typeof environments)[number]

let project: TestProject
let flag: TestFlag
let segment: { id: string; path: string }
beforeEach(async () => {
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  segment = await newSegment('Testers')
})

async function newSegment(name: string) {
  const { id } = await succeed(service, 'POST', `${project.path}/segments`, { name })
  return { id, path: `${project.path}/segments/${id}` }
}

const upload = (ids: string[], to = segment) => succeed(service, 'PUT', `${to.path}/members`, { ids })
const file = (environment: Environment = 'production') => dataFile(service, project[environment].sdkKey)
const revision = async (environment?: Environment): Promise<number> => (await file(environment)).revision
const serve = async (environment: Environment = 'production', conditions: object = { segment: segment.id }) => {
  const rule = await addRule(service, flag[environment], delivery('Testers', { conditions }))
  await succeed(service, 'POST', `${flag[environment]}/run`)
  return `${flag[environment]}/rules/${rule.id}`
}

async function isOn(targetingKey: unknown, when: object, environment: Environment = 'production'): Promise<boolean> {
  const path = `${project.path}/environments/${project[environment].id}/evaluate`
  return (await succeed(service, 'POST', path, { context: { targetingKey }, ...when })).flags[0].value
}

/** Uploads lists in order. Returns the revision that each upload made. */
async function uploadEach(...lists: string[][]): Promise<number[]> {
  const revisions: number[] = []
  for (const ids of lists) {
    await upload(ids)
    revisions.push(await revision())
  }
  return revisions
}

const isOnAt = (visitor: string, revisions: number[]) =>
  Promise.all(revisions.map((number) => isOn(visitor, { revision: number })))

interface Change {
  version: number
  added: number
  removed: number
}

async function changes(): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select version, cardinality(added) as added, cardinality(removed) as removed from segment_changes
    where segment_id = ${segment.id} order by version`.execute(service.db)
  return rows
}

test('a visitor who joins, leaves and joins again is explained correctly for each revision', async () => {
  await serve()
  const revisions = await uploadEach(['a', 'b'], ['b'], ['b', 'c'], ['a', 'c'], ['x', 'y'])
  expect(await isOnAt('a', revisions)).toEqual([true, false, false, true, false])
  expect(await isOnAt('b', revisions)).toEqual([true, true, true, false, false])
  expect(await isOnAt('x', revisions)).toEqual([false, false, false, false, true])
  expect(await isOnAt('z', revisions)).toEqual([false, false, false, false, false])
  expect(await isOn('a', { revision: revisions[0]! - 1 })).toBe(false)
  for (const when of [{}, { draft: true }])
    expect([await isOn('a', when), await isOn('x', when)]).toEqual([false, true])
})

test('a past time is explained by its revision, and numeric ids match their text', async () => {
  await serve()
  await upload(['17'])
  const then = { at: moment.toISOString() }
  moment = new Date(moment.getTime() + 60_000)
  await upload(['18'])
  expect([await isOn(17, then), await isOn('18', then), await isOn(null, then)]).toEqual([true, false, false])
  expect([await isOn(17, {}), await isOn('18', {})]).toEqual([false, true])
})

test('a deleted segment is explained with its members at the time', async () => {
  const rule = await serve()
  const revisions = await uploadEach(['a'], ['b'])
  await succeed(service, 'DELETE', rule)
  await publish(service, project)
  await upload(['c'])
  await succeed(service, 'DELETE', segment.path)
  expect(await isOnAt('a', revisions)).toEqual([true, false])
  expect(await isOnAt('b', revisions)).toEqual([false, true])
  expect(await isOnAt('c', revisions)).toEqual([false, false])
  expect(await isOn('c', { revision: await revision() })).toBe(false)
})

test('a segment in an audience is explained too', async () => {
  const conditions = { not: { segment: segment.id } }
  const { id } = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Others', conditions })
  await serve('production', { audience: id })
  const revisions = await uploadEach(['a'], [], ['b'])
  expect(await isOnAt('a', revisions)).toEqual([false, true, true])
  expect(await isOnAt('b', revisions)).toEqual([true, true, false])
})

test('each environment has its own history of the same members', async () => {
  await serve()
  await upload(['a'])
  const production = await revision()
  await upload(['b'])
  await serve('development')
  const development = await revision('development')
  await upload(['c'])
  const members = (environment: Environment, number: number) =>
    Promise.all(['a', 'b', 'c'].map((visitor) => isOn(visitor, { revision: number }, environment)))
  expect(await members('production', production)).toEqual([true, false, false])
  expect(await members('production', production + 1)).toEqual([false, true, false])
  expect(await members('development', development)).toEqual([false, true, false])
  expect(await members('development', development + 1)).toEqual([false, false, true])
})

test('a restored revision serves the current members, and past revisions keep theirs', async () => {
  const rule = await serve()
  const [first] = await uploadEach(['a'])
  await succeed(service, 'DELETE', rule)
  await publish(service, project)
  const without = await revision()
  await upload(['b'])
  await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/revisions/${first}/restore`)
  await publish(service, project)
  const revisions = [first!, without, await revision()]
  expect(await isOnAt('a', revisions)).toEqual([true, false, false])
  expect(await isOnAt('b', revisions)).toEqual([false, false, true])
})

test('the history grows by the edited members only, from the first revision that serves the segment', async () => {
  await upload(['a', 'b'])
  await upload(['b', 'c'])
  expect(await changes()).toEqual([])
  await serve()
  await upload(['d', 'c', 'b', 'a'])
  await upload(['a', 'b', 'c', 'd'])
  await succeed(service, 'PATCH', segment.path, { description: 'Since May' })
  await upload(['a', 'b', 'c', 'e'])
  expect(await changes()).toEqual([
    { version: 4, added: 2, removed: 0 },
    { version: 6, added: 1, removed: 1 },
  ])
})

test('a segment that no revision served has no history', async () => {
  await upload(['a'])
  await succeed(service, 'DELETE', segment.path)
  expect(await changes()).toEqual([])
})

test('ids are stored only as hashes, in an order that reveals nothing', async () => {
  await serve()
  const ids = Array.from({ length: 50 }, (_, index) => `visitor-${index}@example.com`)
  await upload(ids)
  await upload([])
  const { rows } = await sql<{ text: string; sorted: boolean }>`
    select change::text as text, added = array(select unnest(added) order by 1) as sorted
    from segment_changes change where segment_id = ${segment.id} order by version`.execute(service.db)
  expect(rows.map(({ sorted }) => sorted)).toEqual([true, true])
  for (const { text } of rows)
    for (const id of ids) {
      expect(text).not.toContain(id)
      expect(text).not.toContain(Buffer.from(id).toString('hex'))
    }
})

const visitors = ['a', 'b', 'c', 'd']
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ members: fc.subarray(visitors), of: fc.nat(1) }) },
  fc.record({ environment: fc.constantFrom(...environments), switched: fc.constantFrom('run', 'pause') }),
)

test('explanations agree with every served data file after any later changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      project = await createProject(service)
      flag = await newFlag(service, project, { key: 'checkout' })
      const segments = [await newSegment('One'), await newSegment('Other')] as const
      const conditions = { all: [{ segment: segments[0].id }, { not: { segment: segments[1].id } }] }
      for (const environment of environments) await serve(environment, conditions)
      const files = { production: new Map(), development: new Map() }
      for (const each of steps) {
        if ('members' in each) await upload(each.members, segments[each.of])
        else await succeed(service, 'POST', `${flag[each.environment]}/${each.switched}`)
        for (const environment of environments) {
          const served = await file(environment)
          files[environment].set(served.revision, compile(served))
        }
      }
      for (const environment of environments)
        for (const [number, { evaluate }] of files[environment])
          for (const targetingKey of visitors)
            expect(await isOn(targetingKey, { revision: number }, environment)).toBe(
              evaluate('checkout', { targetingKey }).value,
            )
    }),
    { numRuns: isFull ? 4 : 2 },
  )
})

test('revisions from before the history are explained with the members at the upgrade', async () => {
  await serve()
  const revisions = await uploadEach(['a'], ['b'])
  await sql
    .raw(`
    drop table segment_changes;
    drop function member_hash;
    alter table revision_parts drop column version;
    alter table sdk_instances drop column earlier`)
    .execute(service.db)
  const migration = new URL('../../../../migrations/0011-history.sql', import.meta.url)
  await sql.raw(await readFile(migration, 'utf8')).execute(service.db)
  revisions.push(...(await uploadEach(['c'])))
  expect(await isOnAt('a', revisions)).toEqual([false, false, false])
  expect(await isOnAt('b', revisions)).toEqual([true, true, false])
  expect(await isOnAt('c', revisions)).toEqual([false, false, true])
})
