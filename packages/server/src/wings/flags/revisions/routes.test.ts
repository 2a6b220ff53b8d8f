import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addRule, delivery, inProduction, newFlag, publish, stringFlag, succeed } from '../../../../testing/flags.ts'
import { isFull } from '../../../../testing/full.ts'
import { createProject, startTestService, type TestProject } from '../../../../testing/service.ts'
import { flagsOfRevision } from './queries.ts'

let project: TestProject
let path: string

const service = await startTestService()
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
  path = `${project.path}/environments/${project.production.id}/revisions`
})

const list = () => succeed(service, 'GET', `${path}?limit=100`)
const raw = () => service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
const restore = (revision: number | string) => service.call(service.people.admin, 'POST', `${path}/${revision}/restore`)

test('revisions are listed newest first, with their author and changes', async () => {
  const flag = await newFlag(service, project, stringFlag('checkout', 'off', 'on'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await succeed(service, 'PATCH', flag.path, { name: 'Checkout' })
  await succeed(service, 'POST', `${flag.production}/pause`)
  await succeed(service, 'POST', `${flag.path}/archive`)
  const revisions = await list()
  expect(revisions.map(({ revision }: { revision: number }) => revision)).toEqual([4, 3, 2, 1, 0])
  const { headers, text } = await raw()
  const change = { id: flag.id, key: 'checkout', name: 'Checkout' }
  expect(revisions[0]).toMatchObject({
    etag: headers.etag,
    bytes: Buffer.byteLength(text),
    publishedAt: JSON.parse(text).publishedAt,
    publishedBy: { type: 'service_token', name: 'admin' },
    flagCount: 1,
    flags: [{ ...change, change: 'REMOVED' }],
  })
  expect(revisions[1].flags).toEqual([{ ...change, change: 'CHANGED' }])
  expect(revisions[3].flags).toEqual([{ ...change, name: 'Flag checkout', change: 'ADDED' }])
  expect(revisions[4]).toMatchObject({ publishedAt: null, publishedBy: null, flagCount: 0, flags: [] })
})

test('a revision shows why it was made, with the comment of its publish', async () => {
  const flag = await newFlag(service, project, stringFlag('why', 'off', 'on'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
  await succeed(service, 'POST', `${project.path}/environments/${project.production.id}/publish`, { comment: 'Go <b>' })
  const rule = await addRule(service, flag.production, delivery('Rule'))
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/run`)
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/pause`)
  await succeed(service, 'POST', `${flag.production}/pause`)
  await succeed(service, 'POST', `${flag.path}/archive`)
  await succeed(service, 'POST', `${flag.path}/unarchive`)
  const draft = await newFlag(service, project, stringFlag('draft', 'off', 'on'))
  await succeed(service, 'PATCH', draft.path, { key: 'renamed' })
  await succeed(service, 'DELETE', draft.path)
  const revisions = await list()
  const reasons = revisions.map(({ reason, comment }: Record<string, unknown>) => [reason, comment])
  expect(reasons).toEqual([
    ['DELETED', null],
    ['EDITED', null],
    ['CREATED', null],
    ['UNARCHIVED', null],
    ['ARCHIVED', null],
    ['SWITCHED', null],
    ['SWITCHED', null],
    ['SWITCHED', null],
    ['PUBLISHED', 'Go <b>'],
    ['SWITCHED', null],
    ['CREATED', null],
    [null, null],
  ])
  const switched = revisions.map((revision: Record<string, unknown>) => revision.switched)
  expect(switched.filter((each: unknown) => each !== null)).toEqual([
    { what: 'FLAG', to: 'PAUSE' },
    { what: 'RULE', to: 'PAUSE' },
    { what: 'RULE', to: 'RUN' },
    { what: 'FLAG', to: 'RUN' },
  ])
})

test('the list and one revision can be narrowed to a flag', async () => {
  const a = await newFlag(service, project, stringFlag('a', 'off', 'on'))
  const b = await newFlag(service, project, stringFlag('b', 'off', 'on'))
  await succeed(service, 'POST', `${a.production}/run`)
  const numbersOf = async (flagId: string) => {
    const rows = await succeed(service, 'GET', `${path}?flagId=${flagId}`)
    return rows.map(({ revision }: { revision: number }) => revision)
  }
  expect([await numbersOf(a.id), await numbersOf(b.id.toUpperCase())]).toEqual([[3, 1], [2]])
  expect((await succeed(service, 'GET', `${path}/3?flagId=${b.id}`)).flags).toEqual([])
  const { admin } = service.people
  const first = await service.call(admin, 'GET', `${path}?limit=1&flagId=${a.id}`)
  const { nextCursor } = first.body.page
  expect((await service.call(admin, 'GET', `${path}?limit=1&flagId=${b.id}&cursor=${nextCursor}`)).status).toBe(400)
  for (const address of [path, `${path}/3`]) {
    const { status, body } = await service.call(admin, 'GET', `${address}?flagId=no-flag`)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('flagId')])
  }
})

test('one revision shows what it changed', async () => {
  const { flag, rule, revision } = await editedFlag()
  const segment = await succeed(service, 'POST', `${project.path}/segments`, { name: 'Testers' })
  const conditions = { segment: segment.id }
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions })
  await addRule(service, flag.production, delivery('Theirs', { audienceIds: [audience.id] }))
  await publish(service, project)
  await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { not: conditions } })
  await publish(service, project)
  const one = (number: number) => succeed(service, 'GET', `${path}/${number}`)
  const now = { key: 'edited', name: 'Flag edited' }
  const known = { id: flag.id, ...now, current: now, change: 'CHANGED' }
  const [started, edited, changed] = [await one(revision), await one(revision + 1), await one(revision + 3)]
  expect(started).toMatchObject({
    revision,
    previousRevision: revision - 1,
    reason: 'SWITCHED',
    flags: [{ ...known, changes: expect.arrayContaining([{ path: 'enabled', from: false, to: true, rules: [] }]) }],
  })
  expect(edited.flags[0].changes.map((each: { path: string }) => each.path)).toEqual([
    'defaultVariationKey',
    'overrides',
    `rules.${rule.id}`,
  ])
  expect(edited.flags[0].changes[2]).toMatchObject({ to: null, rules: [{ id: rule.id, name: 'Rule' }] })
  expect(changed).toMatchObject({
    flags: [],
    audiences: [
      {
        id: audience.id,
        change: 'CHANGED',
        changes: [{ path: 'conditions', from: conditions, to: { not: conditions } }],
      },
    ],
  })
  expect(await one(0)).toMatchObject({ previousRevision: null, flags: [] })
  const { noScopes, projectsRead, stranger, viewer } = service.people
  const asked = [noScopes, projectsRead, stranger].map((who) => service.call(who, 'GET', `${path}/1`))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 404])
  expect((await service.call(viewer, 'GET', `${path}/2147483647`)).status).toBe(404)
})

test('the list has pages, and other organizations get 404', async () => {
  await newFlag(service, project, stringFlag('a', 'off', 'on'))
  await newFlag(service, project, stringFlag('b', 'off', 'on'))
  const { admin, stranger, noScopes, projectsRead } = service.people
  const first = await service.call(projectsRead, 'GET', `${path}?limit=2`)
  expect(first.body.page.hasMore).toBe(true)
  const second = await service.call(admin, 'GET', `${path}?limit=2&cursor=${first.body.page.nextCursor}`)
  const numbers = [...first.body.data, ...second.body.data].map(({ revision }) => revision)
  expect([numbers, second.body.page.hasMore]).toEqual([[2, 1, 0], false])
  expect((await service.call(stranger, 'GET', path)).status).toBe(404)
  expect((await service.call(noScopes, 'GET', path)).status).toBe(403)
  expect((await service.call(stranger, 'POST', `${path}/1/restore`)).status).toBe(404)
  expect((await service.call(projectsRead, 'POST', `${path}/1/restore`)).status).toBe(403)
})

const operations = ['create', 'run', 'pause', 'rule', 'publish', 'rename', 'archive', 'unarchive', 'delete'] as const
const edits = fc.array(fc.tuple(fc.constantFrom(...operations), fc.nat(3)), { minLength: 15, maxLength: 25 })

let keys = 0
const newKey = () => {
  keys += 1
  return `flag-${keys}`
}

/** Runs a random operation. Refusals are fine, because they change nothing. */
async function perform([operation, number]: [(typeof operations)[number], number], flags: Map<number, string>) {
  const { admin } = service.people
  const id = flags.get(number)
  if (operation === 'publish')
    return service.call(admin, 'POST', `${project.path}/environments/${project.production.id}/publish`)
  if (!id) {
    const flag = await newFlag(service, project, stringFlag(newKey(), 'off', 'on'))
    return flags.set(number, flag.id)
  }
  const flag = `${project.path}/flags/${id}`
  const inProduction = `${flag}/envs/${project.production.id}`
  if (operation === 'rename') return service.call(admin, 'PATCH', flag, { key: newKey() })
  if (operation === 'rule') return service.call(admin, 'POST', `${inProduction}/rules`, delivery('Rule'))
  if (operation === 'run' || operation === 'pause') return service.call(admin, 'POST', `${inProduction}/${operation}`)
  if (operation !== 'delete') return service.call(admin, 'POST', `${flag}/${operation}`)
  const answer = await service.call(admin, 'DELETE', flag)
  return answer.status === 200 && flags.delete(number)
}

test('every past revision can be rebuilt byte for byte after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (some) => {
      project = await createProject(service)
      path = `${project.path}/environments/${project.production.id}/revisions`
      const flags = new Map<number, string>()
      const served = new Map<number, string>()
      for (const edit of some) {
        await perform(edit, flags)
        const { body, text } = await raw()
        served.set(body.revision, text)
      }
      // A step leaves the file of its revision as it is.
      const rows: { revision: number; step: number; etag: string; bytes: number; publishedAt: string | null }[] =
        await list()
      for (const { revision, step, etag, bytes, publishedAt } of rows) {
        if (step > 0) {
          expect(rows.find((row) => row.revision === revision && row.step === 0)).toMatchObject({ etag, bytes })
          continue
        }
        const state = await flagsOfRevision(service.db, project.production.id, revision)
        const flags = state.filter(({ fragment }) => fragment !== null).sort((one, two) => (one.key < two.key ? -1 : 1))
        const text =
          `{"audiences":{},"environment":{"id":"${project.production.id}","key":"production"},"events":{},` +
          `"exclusionGroups":{},"flags":{${flags.map(({ fragment }) => fragment).join(',')}},` +
          `"publishedAt":${JSON.stringify(publishedAt)},"revision":${revision},"schemaVersion":1}`
        expect(`"sha256-${createHash('sha256').update(text).digest('hex')}"`).toBe(etag)
        expect(Buffer.byteLength(text)).toBe(bytes)
        if (served.has(revision)) expect(text).toBe(served.get(revision))
      }
    }),
    { numRuns: isFull ? 4 : 2 },
  )
})

/** A running flag with one rule in revision 2. Revision 3 deletes the rule and changes the default. */
async function editedFlag(key = 'edited') {
  const flag = await newFlag(service, project, stringFlag(key, 'off', 'on', 'third'))
  const rule = await addRule(service, flag.production, delivery('Rule'))
  await succeed(service, 'PUT', `${flag.production}/overrides`, {
    environmentAllowlist: [{ variationKey: 'on', userIds: ['u-17'] }],
    ruleAllowlists: [{ ruleId: rule.id, entries: [{ variationKey: 'off', userIds: ['u-99'] }] }],
  })
  await succeed(service, 'POST', `${flag.production}/run`)
  const { revision } = (await raw()).body
  const before = (await raw()).body.flags[key]
  await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
  await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
  await publish(service, project)
  return { flag, rule, revision, before }
}

test('a restored state is staged, and its publish serves what the revision served', async () => {
  const { flag, rule, revision, before } = await editedFlag()
  const later = await newFlag(service, project, stringFlag('later', 'off', 'on'))
  const served = await raw()
  const { status, body } = await restore(revision)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ envId: project.production.id, revision, changed: true })
  expect(body.data.flags.map(({ key }: { key: string }) => key)).toEqual(['edited'])
  expect(body.data.flags[0].changes.map(({ path: changed }: { path: string }) => changed)).toEqual([
    'defaultVariationKey',
    'overrides',
    `rules.${rule.id}`,
  ])
  expect((await raw()).text).toBe(served.text)
  expect((await inProduction(service, flag)).staged).toMatchObject({ rules: 1, overrides: true })
  await publish(service, project)
  const after = (await raw()).body.flags
  expect(after.edited).toEqual(before)
  expect(after[later.key]).toEqual(JSON.parse(served.text).flags[later.key])
})

test('with flagIds, only these flags are restored, and other drafts stay', async () => {
  const { flag, revision } = await editedFlag()
  const other = await editedFlag('other')
  const drafted = await addRule(service, other.flag.production, delivery('Drafted'))
  const { admin } = service.people
  const only = (flagIds: unknown) => service.call(admin, 'POST', `${path}/${revision}/restore`, { flagIds })
  const { status, body } = await only([flag.id])
  expect([status, body.data.flags.map(({ key }: { key: string }) => key)]).toEqual([200, ['edited']])
  const left = await succeed(service, 'GET', `${other.flag.production}/rules`)
  expect(left.map(({ id }: { id: string }) => id)).toEqual([drafted.id])
  expect((await only([])).body.data).toMatchObject({ changed: false, flags: [] })
  const unknown = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'
  const refused = await only([flag.id, unknown])
  expect([refused.status, refused.body.error.details.unknown]).toEqual([400, [unknown]])
  expect((await only('all')).body.error.details.issues[0].path).toEqual(['flagIds'])
})

test('a restore can be tried, and depends on the staged changes that its author saw', async () => {
  const { flag, revision } = await editedFlag()
  const { admin } = service.people
  const staged = `${project.path}/environments/${project.production.id}/staged`
  const seen = (await service.call(admin, 'GET', staged)).headers.etag
  const tried = (await service.call(admin, 'POST', `${path}/${revision}/restore`, { dryRun: true })).body.data
  expect(tried).toMatchObject({ changed: false, flags: [{ flagId: flag.id }] })
  expect((await service.call(admin, 'GET', staged)).headers.etag).toBe(seen)
  await addRule(service, flag.production, delivery('Meanwhile'))
  const onlyIf = (etag: unknown) =>
    service.call(admin, 'POST', `${path}/${revision}/restore`, {}, { 'x-svc-if-match': String(etag) })
  expect((await onlyIf(seen)).status).toBe(412)
  const now = (await service.call(admin, 'GET', staged)).headers.etag
  const { status, body } = await onlyIf(now)
  expect([status, body.data.changed]).toEqual([200, true])
})

test('restoring again changes nothing, and restoring never changes switches', async () => {
  const { flag, revision } = await editedFlag()
  await succeed(service, 'POST', `${flag.production}/pause`)
  expect((await restore(revision)).body.data.changed).toBe(true)
  const { rows } = await sql<{ seq: number }>`select max(seq) as seq from audit_entries`.execute(service.db)
  const switches = [{ flagId: flag.id, key: flag.key, from: false, to: true }]
  expect((await restore(revision)).body.data).toMatchObject({ changed: false, flags: [], switches })
  expect((await sql`select max(seq) as seq from audit_entries`.execute(service.db)).rows).toEqual(rows)
  expect((await inProduction(service, flag)).enabled).toBe(false)
})

test('the list says on request what changed, and leaves out what others did', async () => {
  const { editor, admin } = service.people
  const flag = await newFlag(service, project, stringFlag('told', 'off', 'on'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.on })
  await publish(service, project)
  await service.call(editor, 'POST', `${flag.production}/pause`)
  const told = async (query: string) => (await service.call(admin, 'GET', `${path}?${query}`)).body
  const [paused, published] = (await told('include=changes')).data
  expect(published.flags[0].changes).toEqual([{ path: 'defaultVariationKey', from: 'off', to: 'on', rules: [] }])
  expect(paused.flags[0].changes).toEqual([{ path: 'enabled', from: true, to: false, rules: [] }])
  expect((await told('limit=1')).data[0].flags[0]).not.toHaveProperty('changes')
  const { data } = await told(`by=${paused.publishedBy.id}`)
  expect(data.map(({ revision }: { revision: number }) => revision)).toEqual([paused.revision])
  expect((await told(`by=${published.publishedBy.id}`)).data).toHaveLength(3)
  expect((await told('by=ada')).error.code).toBe('validation_failed')
})

test('restoring the newest revision discards drafts and drafted rules', async () => {
  const { flag } = await editedFlag()
  const drafted = await addRule(service, flag.production, delivery('Drafted'))
  const { revision } = (await raw()).body
  await restore(revision)
  expect((await inProduction(service, flag)).staged).toEqual({
    defaultVariationId: null,
    variations: false,
    overrides: false,
    rules: 0,
  })
  const { rows } = await sql`select from rules where id = ${drafted.id}`.execute(service.db)
  expect(rows).toEqual([])
})

test('changes that went live without a new revision are stored with the current one', async () => {
  const { flag } = await editedFlag()
  const rule = await addRule(service, flag.production, delivery('First name'))
  await publish(service, project)
  const { revision } = (await raw()).body
  await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { name: 'Second name' })
  expect((await publish(service, project)).revision).toBe(revision)
  await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { name: 'Third name' })
  await restore(revision)
  const [restored] = await succeed(service, 'GET', `${flag.production}/rules`)
  expect(restored).toMatchObject({ name: 'Second name', hasStagedChanges: false })
  expect((await list())[0]).toMatchObject({ revision, flagCount: 1 })
})

test('a deleted variation is named, and nothing is staged', async () => {
  const { flag, revision } = await editedFlag()
  await succeed(service, 'PATCH', flag.production, { defaultVariationId: flag.ids.off })
  await publish(service, project)
  await succeed(service, 'PUT', `${flag.production}/overrides`, { environmentAllowlist: [], ruleAllowlists: [] })
  const variations = ['off', 'third'].map((key) => ({ id: flag.ids[key], name: key, key, value: key }))
  await succeed(service, 'PUT', `${flag.path}/variations`, { variations })
  await publish(service, project)
  const { status, body } = await restore(revision)
  expect([status, body.error.code]).toEqual([409, 'invalid_state'])
  expect(body.error.details.references).toContainEqual(
    expect.objectContaining({ type: 'rule', flagKey: 'edited', variationKey: 'on' }),
  )
  expect((await inProduction(service, flag)).staged.rules).toBe(0)
})

test('a deleted audience is named, and nothing is staged', async () => {
  const conditions = { attribute: 'plan', operator: 'equals', value: 'beta' }
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions })
  const { flag } = await editedFlag()
  const rule = await addRule(service, flag.production, delivery('Theirs', { audienceIds: [audience.id] }))
  await publish(service, project)
  const { revision } = (await raw()).body
  await succeed(service, 'DELETE', `${flag.production}/rules/${rule.id}`)
  await publish(service, project)
  await succeed(service, 'DELETE', `${project.path}/audiences/${audience.id}`)
  const { status, body } = await restore(revision)
  expect([status, body.error.details.references]).toEqual([409, [{ type: 'audience', id: audience.id }]])
  expect((await inProduction(service, flag)).staged.rules).toBe(0)
})

test('deleted flags are skipped, each changed flag has an event, and there is one audit entry', async () => {
  const { flag, revision } = await editedFlag()
  const gone = await newFlag(service, project, stringFlag('gone', 'off', 'on'))
  await succeed(service, 'DELETE', gone.path)
  const other = await editedFlag('other')
  expect((await restore(revision + 1)).status).toBe(200)
  const { body } = await restore(other.revision)
  expect(body.data.flags.map(({ flagId }: { flagId: string }) => flagId)).toEqual([other.flag.id])
  const { rows } = await sql<{ payload: { flag: { id: string }; environment: object; rules: object[] } }>`
    select payload from events where project_id = ${project.id} and name = 'flag.updated'
    order by seq desc limit 1`.execute(service.db)
  expect(rows[0]?.payload).toMatchObject({
    flag: { id: other.flag.id },
    environment: { id: project.production.id, name: 'Production' },
    rules: [{ id: other.rule.id }],
  })
  const entries = await sql`
    select action, object_type, after ->> 'revision' as revision from audit_entries
    where project_id = ${project.id} order by seq desc limit 1`.execute(service.db)
  expect(entries.rows).toEqual([
    { action: 'environment.restore_revision', object_type: 'environment', revision: String(other.revision) },
  ])
  expect((await inProduction(service, flag)).staged.rules).toBe(0)
})

test.each(['x', '-1', '999'])('restoring the revision %s gets 404', async (revision) => {
  expect((await restore(revision)).status).toBe(404)
})

test('a rule that a restore changes or brings back has a new ETag', async () => {
  const flag = await newFlag(service, project, { key: newKey() })
  const kept = await addRule(service, flag.production, delivery('Kept'))
  const deleted = await addRule(service, flag.production, delivery('Deleted'))
  await succeed(service, 'POST', `${flag.production}/run`)
  const [{ revision }] = await list()
  const one = (ruleId: string, body?: unknown, headers = {}) =>
    service.call(service.people.admin, body ? 'PATCH' : 'GET', `${flag.production}/rules/${ruleId}`, body, headers)
  const { etag: deletedEtag } = (await one(deleted.id)).headers
  await one(kept.id, { name: 'Edited' })
  const { etag: keptEtag } = (await one(kept.id)).headers
  await succeed(service, 'DELETE', `${flag.production}/rules/${deleted.id}`)
  await publish(service, project)
  expect((await restore(revision)).status).toBe(200)
  expect((await one(kept.id, { name: 'Stale' }, { 'x-svc-if-match': keptEtag })).status).toBe(412)
  expect((await one(deleted.id, { name: 'Stale' }, { 'x-svc-if-match': deletedEtag })).status).toBe(412)
})

test('a publish that visitors do not notice is a row of its own, with its author, time and comment', async () => {
  const { admin, editor } = service.people
  const url = `${project.path}/environments/${project.production.id}/publish`
  const paused = await newFlag(service, project, stringFlag('paused', 'off', 'on'))
  const seen = await newFlag(service, project, stringFlag('seen', 'off', 'on'))
  await service.call(editor, 'POST', `${seen.production}/run`)
  const rule = await addRule(service, paused.production, delivery('First'))
  const first = await succeed(service, 'POST', url, { comment: 'Get ready' })
  await succeed(service, 'PATCH', `${paused.production}/rules/${rule.id}`, { name: 'Renamed' })
  await succeed(service, 'POST', url, { comment: 'A better name' })
  expect(first).toMatchObject({ changed: true, revision: 3, previousRevision: 3, publishedBy: { name: 'admin' } })

  const rows = await succeed(service, 'GET', `${path}?flagId=${paused.id}`)
  const told = { publishedBy: { type: 'service_token', name: 'admin' }, reason: 'PUBLISHED', revision: 3, flagCount: 1 }
  const flags = [{ id: paused.id, key: 'paused', name: 'Flag paused', change: null }]
  expect(rows).toMatchObject([
    { ...told, step: 2, comment: 'A better name', flags },
    { ...told, step: 1, comment: 'Get ready', flags, publishedAt: first.publishedAt },
    { revision: 1, step: 0, reason: 'CREATED' },
  ])
  expect(new Date(rows[0].publishedAt).getTime()).toBeGreaterThanOrEqual(new Date(first.publishedAt).getTime())

  const one = (place: string) => succeed(service, 'GET', `${path}/${place}`)
  expect(await one('3')).toMatchObject({ step: 0, reason: 'SWITCHED', flags: [{ id: seen.id }] })
  expect(await one('3.1')).toMatchObject({
    ...{ previousRevision: 3, previousStep: 0, comment: 'Get ready' },
    flags: [{ id: paused.id, change: null, changes: [{ path: `rules.${rule.id}`, from: null }] }],
  })
  expect(await one('3.2')).toMatchObject({
    ...{ previousRevision: 3, previousStep: 1 },
    flags: [{ changes: [{ path: `rules.${rule.id}.name`, from: 'First', to: 'Renamed' }] }],
  })
  for (const place of ['3.3', '3.4294967296', '3.01', '3.x'])
    expect((await service.call(admin, 'GET', `${path}/${place}`)).status, place).toBeOneOf([400, 404])

  // Pages begin between the steps of a revision, too.
  const pages: string[] = []
  let cursor = ''
  do {
    const { body } = await service.call(admin, 'GET', `${path}?limit=1${cursor}`)
    for (const { revision, step } of body.data) pages.push(`${revision}.${step}`)
    cursor = body.page.hasMore ? `&cursor=${body.page.nextCursor}` : ''
  } while (cursor)
  expect(pages).toEqual(['3.2', '3.1', '3.0', '2.0', '1.0', '0.0'])

  const restored = async (place: string) => {
    await restore(place)
    return (await succeed(service, 'GET', paused.production)).draft.rules.map(({ name }: { name: string }) => name)
  }
  expect([await restored('3.0'), await restored('3.1'), await restored('3.2'), await restored('3')]).toEqual([
    [],
    ['First'],
    ['Renamed'],
    ['Renamed'],
  ])
  // The change that makes the next revision has all of the flag, and only that.
  await succeed(service, 'POST', `${paused.production}/run`)
  expect(await one('4')).toMatchObject({ flags: [{ id: paused.id, change: 'CHANGED' }], previousStep: 2 })
})

test('whatever goes live without a change for visitors is listed with its author', async () => {
  const flag = await newFlag(service, project, stringFlag('quiet', 'off', 'on'))
  const url = `${project.path}/environments/${project.production.id}/publish`
  const rule = await addRule(service, flag.production, delivery('Alone', { enabled: false }))
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/run`)
  expect((await list())[0]).toMatchObject({
    ...{ revision: 1, step: 1, reason: 'SWITCHED', switched: { what: 'RULE', to: 'RUN' }, flags: [{ id: flag.id }] },
    publishedBy: { name: 'admin' },
  })
  // A switch that leaves the live version as it is makes no row.
  await succeed(service, 'POST', `${flag.production}/rules/${rule.id}/pause`)
  const audience = await succeed(service, 'POST', `${project.path}/audiences`, {
    name: 'Beta',
    conditions: { all: [] },
  })
  await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { audienceIds: [audience.id] })
  await succeed(service, 'POST', url)
  const conditions = { attribute: 'plan', operator: 'equals', value: 'beta' }
  await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions })
  await succeed(service, 'POST', url, { comment: 'Only an audience' })
  const rows = await list()
  expect(rows.map(({ revision, step }: { revision: number; step: number }) => [revision, step])).toEqual([
    [1, 3],
    [1, 2],
    [1, 1],
    [1, 0],
    [0, 0],
  ])
  const audiences = [{ id: audience.id, name: 'Beta', change: 'CHANGED' }]
  expect(rows[0]).toMatchObject({ comment: 'Only an audience', flagCount: 0, flags: [], audiences })
  expect((await succeed(service, 'GET', `${path}/1.3`)).audiences).toEqual([
    { ...audiences[0], changes: [{ path: 'conditions', from: { all: [] }, to: conditions }] },
  ])
  // A publish that visitors notice also lists the flags and audiences that do not change for them.
  const seen = await newFlag(service, project, stringFlag('seen', 'off', 'on'))
  await succeed(service, 'POST', `${seen.production}/run`)
  await succeed(service, 'PATCH', seen.production, { defaultVariationId: seen.ids.on })
  await addRule(service, flag.production, delivery('More'))
  await succeed(service, 'PATCH', `${project.path}/audiences/${audience.id}`, { conditions: { not: conditions } })
  await succeed(service, 'POST', url)
  const [newest] = await list()
  expect([newest.step, newest.flagCount]).toEqual([0, 2])
  expect(newest).toMatchObject({
    flags: [
      { id: seen.id, change: 'CHANGED' },
      { id: flag.id, change: null },
    ],
    audiences,
  })
})
