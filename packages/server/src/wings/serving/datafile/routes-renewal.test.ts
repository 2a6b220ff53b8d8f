import { readdir, readFile } from 'node:fs/promises'
import { ruleDefaults } from '@svc/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abTest, addRule, delivery, newFlag, publish, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  createProject,
  dataFile,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { everywhere } from '../../../../testing/web-experiments.ts'
import { canonicalJson } from '../../../canonical-json.ts'
import type { Version } from '../../model/versions/index.ts'
import { fragmentText, keyOf, parseFragment } from './bytes.ts'
import { type IdOf, renamed, withIds } from './names.ts'

let service: TestService
/** The node that runs now. Each test goes on where the one before it has ended. */
let node: TestService
let project: TestProject
let flag: TestFlag
let rule: { id: string; salt: string }
let audience: string
let segment: string

beforeAll(async () => {
  service = await startTestService()
  node = service
  project = await createProject(service)
  segment = (await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })).id
  await succeed(service, 'PUT', `${project.path}/segments/${segment}/members`, { ids: ['u-1', 'u-2'] })
  const conditions = { any: [{ segment }, { attribute: 'plan', operator: 'equals', value: 'beta' }] }
  audience = (await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions })).id
  flag = await newFlag(service, project, { key: 'checkout' })
  rule = await addRule(service, flag.production, delivery('Theirs', { audienceIds: [audience] }))
  await addRule(service, flag.production, abTest('Half', { bucketBy: 'account', trafficAllocation: 5000 }))
  await succeed(service, 'POST', `${flag.production}/run`)
  await newFlag(service, project, { key: 'paused' })
})
afterAll(async () => {
  await node.stop()
  await service.close()
})

/** Puts the database and its revisions into the state before short ids. */
async function asBefore({ db }: TestService): Promise<void> {
  const nameless: IdOf = (kind, name) => {
    if (kind !== 'rule') return kind === 'audience' ? audience : segment
    return name
  }
  const { rows } = await sql<{ id: string; place: string; fragment: string; live: Version }>`
    select flag_id as id, fragment, live, ctid::text as place from flag_environments where fragment is not null
    union all
    select flag_id, fragment, live, env_id || ' ' || revision from revision_flags where fragment is not null`.execute(
    db,
  )
  for (const { id, place, fragment, live } of rows) {
    const ids = new Map(live.rules.map((each) => [String(each.shortId), each.id]))
    const served = parseFragment(fragment)!
    const { rules = [], ...long } = withIds(served, (kind, name) =>
      kind === 'rule' ? ids.get(name)! : nameless(kind, name),
    )
    const text = fragmentText(keyOf(fragment), {
      ...long,
      id,
      rules: rules.map((each) => ({ ...ruleDefaults, ...each })),
    })
    const [envId, revision] = place.split(' ')
    if (revision)
      await sql`update revision_flags set fragment = ${text}
        where flag_id = ${id} and env_id = ${envId} and revision = ${Number(revision)}`.execute(db)
    else
      await sql`update flag_environments set fragment = ${text} where flag_id = ${id} and fragment = ${fragment}`.execute(
        db,
      )
  }
  for (const table of ['data_file_parts', 'revision_parts'] as const) {
    const parts = await sql<{ id: string; section: string; part: string }>`
      select id, section, part from ${sql.table(table)} where part is not null`.execute(db)
    for (const { id, section, part } of parts.rows) {
      const value = Object.values(JSON.parse(`{${part}}`))[0] as never
      const long = `"${id}":${canonicalJson(section === 'audiences' ? renamed(value, nameless) : value)}`
      await sql`update ${sql.table(table)} set part = ${long} where id = ${id} and part is not null`.execute(db)
    }
  }
  await sql
    .raw(`
    create function unnumbered(version jsonb) returns jsonb language sql as $$
      select jsonb_set(version, '{rules}', coalesce((
        select jsonb_agg(rule - 'shortId' order by place)
        from jsonb_array_elements(version -> 'rules') with ordinality listed (rule, place)), '[]'))
    $$;
    update flag_environments set draft = unnumbered(draft), live = unnumbered(live);
    update revision_flags set live = unnumbered(live);
    drop function unnumbered;
    alter table flag_environments drop column served_references;
    alter table flag_environments add column served_references jsonb not null generated always as (coalesce(
      jsonb_path_query_array(('{' || fragment || '}')::jsonb, '$.*.rules[*].when.**.audience')
        || jsonb_path_query_array(('{' || fragment || '}')::jsonb, '$.*.rules[*].when.**.segment'), '[]')) stored;
    drop table short_id_counters;
    alter table audiences drop column short_id;
    alter table segments drop column short_id;
    alter table revision_parts drop column short_id;
    alter table environments drop column outdated`)
    .execute(db)
}

/** Runs the migration, then starts a node. */
async function upgraded(): Promise<TestService> {
  await asBefore(service)
  const folder = new URL('../../../../migrations/', import.meta.url)
  const name = (await readdir(folder)).find((each) => each.endsWith('-short-ids.sql'))!
  const text = await readFile(new URL(name, folder), 'utf8')
  await service.db.transaction().execute((tx) => sql.raw(text).execute(tx))
  await service.stop()
  return joinTestService(service)
}

const fileNow = () => dataFile(node, project.production.sdkKey)
const explained = async (more: object) => {
  const path = `${project.path}/environments/${project.production.id}/evaluate`
  const body = { flagKeys: ['checkout'], ...more }
  return (await succeed(node, 'POST', path, body)).flags[0]
}
const byVisitor = { context: { targetingKey: 'u-9', account: 'a' } }
const byMember = { context: { targetingKey: 'u-1' } }
/** The last revision from before the upgrade, and how it was explained then. */
const before = { revision: 0, was: [] as unknown[] }

test('an upgrade publishes one new revision by the system, with the same content under short ids', async () => {
  const file = await fileNow()
  const events = await succeed(service, 'GET', `${project.path}/events?limit=100`)
  before.revision = file.revision
  for (const by of [byVisitor, byMember]) before.was.push(await explained({ ...by, revision: file.revision }))
  node = await upgraded()
  const after = await fileNow()
  expect(after).toEqual({ ...file, revision: file.revision + 1, publishedAt: after.publishedAt })
  expect(after.flags.checkout).toMatchObject({ id: '1', rules: [{ id: '1' }, { id: '2' }] })
  expect(after.flags.checkout.rules[0].salt).toBe(rule.salt)
  const [last] = await succeed(node, 'GET', `${project.path}/environments/${project.production.id}/revisions`)
  expect(last).toMatchObject({ revision: after.revision, publishedBy: { type: 'system' } })
  expect(await succeed(node, 'GET', `${project.path}/events?limit=100`)).toEqual(events)
})

test('a second start changes nothing, and finishes what a crash interrupted', async () => {
  const { revision } = await fileNow()
  const { revision: inDevelopment } = await dataFile(node, project.development.sdkKey)
  // The state after a crash between the two environments: each has its own transaction.
  await sql`update environments set outdated = true where id = ${project.development.id}`.execute(node.db)
  await sql`update flag_environments set fragment = replace(fragment, '"id":"1"', '"id":"old"')
    where env_id = ${project.development.id}`.execute(node.db)
  await node.stop()
  node = await joinTestService(service)
  expect((await fileNow()).revision).toBe(revision)
  const development = await dataFile(node, project.development.sdkKey)
  expect(development).toMatchObject({ revision: inDevelopment + 1, flags: { checkout: { id: '1' } } })
})

test('revisions from before the upgrade are explained and restored unchanged', async () => {
  const { revision, was } = before
  expect(was).toMatchObject([
    {
      rules: [
        {
          failed: [
            { segment, audience },
            { attribute: 'plan', audience },
          ],
        },
        {},
      ],
    },
    { ruleId: rule.id, reason: 'TARGETING_MATCH' },
  ])
  for (const when of [{ revision }, { revision: revision + 1 }, {}])
    expect([await explained({ ...when, ...byVisitor }), await explained({ ...when, ...byMember })]).toEqual(was)
  await succeed(node, 'DELETE', `${flag.production}/rules/${rule.id}`)
  await publish(node, project)
  await succeed(node, 'POST', `${project.path}/environments/${project.production.id}/revisions/${revision}/restore`)
  const [restored] = await succeed(node, 'GET', `${flag.production}/rules`)
  expect(restored).toMatchObject({ id: rule.id, shortId: 1, enabled: true })
  await publish(node, project)
  const { checkout } = (await fileNow()).flags
  expect(checkout.rules[0]).toMatchObject({ id: '1', salt: rule.salt })
  // New short ids continue after those that the upgrade assigned.
  expect(await addRule(node, flag.production, delivery('Next'))).toMatchObject({ shortId: 3 })
})

test('an upgrade and a publish go on beside a redirect to a host that has left', async () => {
  const own = await startTestService()
  const web = await createProject(own, own.people.admin, 'WEB')
  const url = `${web.path}/experiments`
  const { id, variations } = await succeed(own, 'POST', url, { name: 'Other page', pages: [everywhere] })
  const one = `${url}/${id}`
  const weighing = (...weights: number[]) => ({
    variations: variations.map(({ key }: { key: string }, index: number) => ({
      ...{ key, weight: weights[index] },
      ...(index > 0 && { redirect: { url: 'https://shop.example/b' } }),
    })),
  })
  await succeed(own, 'PUT', `${web.path}/web-settings`, { hosts: ['shop.example'] })
  await succeed(own, 'PATCH', one, weighing(5_000, 5_000))
  await succeed(own, 'POST', `${one}/launch`)
  await sql`update projects set web = jsonb_set(web, '{hosts}', '[]') where id = ${web.id}`.execute(own.db)
  await sql`update environments set outdated = true where project_id = ${web.id}`.execute(own.db)
  const { sdkKey } = web.production
  const { revision } = await dataFile(own, sdkKey)
  await own.stop()
  const later = await joinTestService(own)
  expect((await dataFile(later, sdkKey)).revision).toBe(revision + 1)
  await succeed(later, 'PATCH', one, weighing(9_000, 1_000))
  await succeed(later, 'POST', `${one}/publish`, { confirmReassignment: true })
  expect((await dataFile(later, sdkKey)).flags.x1.rules[0].split[0].end).toBe(9_000)
  await later.stop()
  await own.close()
})
