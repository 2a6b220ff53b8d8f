import { createHash } from 'node:crypto'
import { hashId } from '@svc/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booleanFlag } from '../../../../testing/boolean-flag.ts'
import {
  createFlag,
  createProject,
  dataFile,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { canonicalJson } from '../../../canonical-json.ts'
import { findDataFileByKey, loadDataFile } from './actions.ts'
import { dataFileOf } from './file.ts'

let service: TestService
let project: TestProject
let admin: string

beforeAll(async () => {
  service = await startTestService()
  admin = service.people.admin
  project = await createProject(service)
})
afterAll(() => service.close())

const file = () => dataFile(service, project.production.sdkKey)
const raw = () => service.call(null, 'GET', `/api/sdk/v1/datafile/${project.production.sdkKey}.json`)
const pathOf = (flagId: string) => `${project.path}/flags/${flagId}/envs/${project.production.id}`
const act = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body?: unknown) => {
  const answer = await service.call(admin, method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

/** A running flag with two rules that target by country. */
async function fullFlag(key: string) {
  const flag = await createFlag(service, project, key)
  const conditions = { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] }
  const path = pathOf(flag.id)
  const [first, second] = [
    await act('POST', `${path}/rules`, {
      type: 'TARGETED_DELIVERY',
      name: 'Name of a secret plan',
      description: 'Description of it',
      conditions,
      variationKey: 'on',
      trafficAllocation: 2500,
    }),
    await act('POST', `${path}/rules`, {
      type: 'AB_TEST',
      name: 'Name of a test',
      hypothesis: 'Hypothesis of it',
      variations: [
        { variationKey: 'off', weight: 4000 },
        { variationKey: 'on', weight: 6000 },
      ],
      baselineVariationKey: 'off',
    }),
  ]
  await act('PUT', `${path}/overrides`, {
    environmentAllowlist: [{ variationKey: 'on', userIds: ['u-17'] }],
    ruleAllowlists: [{ ruleId: second.id, entries: [{ variationKey: 'off', userIds: ['u-99'] }] }],
  })
  await act('POST', `${path}/run`)
  return { flag, path, first, second }
}

test('a running flag is in the file with its rules, splits and overrides', async () => {
  const { flag, first, second } = await fullFlag('whole')
  const { flags, ...rest } = await file()
  expect(rest).toMatchObject({
    schemaVersion: 1,
    environment: { id: project.production.id, key: 'production' },
    audiences: {},
    exclusionGroups: {},
    events: {},
  })
  const salt = flags.whole.overrideSalt
  expect(salt).toMatch(/^[a-z0-9]{8}$/)
  expect(flags.whole).toEqual({
    id: String(flag.shortId),
    type: 'BOOLEAN',
    enabled: true,
    variations: { on: 'true', off: 'false' },
    defaultVariation: 'off',
    overrideSalt: salt,
    overrides: { [hashId(salt, 'u-17')]: 'on' },
    rules: [
      {
        id: String(first.shortId),
        type: 'TARGETED_DELIVERY',
        when: { all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] },
        salt: first.salt,
        traffic: 2500,
        variation: 'on',
      },
      {
        id: String(second.shortId),
        type: 'AB_TEST',
        salt: second.salt,
        split: [
          { variation: 'off', end: 4000 },
          { variation: 'on', end: 10_000 },
        ],
        overrides: { [hashId(salt, 'u-99')]: 'off' },
      },
    ],
  })
})

test('keys are sorted, there is no whitespace, and the ETag is the SHA-256 of the bytes', async () => {
  await fullFlag('another')
  const { text, body, headers } = await raw()
  expect(text).toBe(canonicalJson(body))
  expect(headers.etag).toBe(`"sha256-${createHash('sha256').update(text).digest('hex')}"`)
})

test('the file contains no names, descriptions, e-mail addresses or drafts', async () => {
  const { path } = await fullFlag('secretive')
  await act('POST', `${path}/rules`, {
    type: 'TARGETED_DELIVERY',
    name: 'Drafted',
    variationKey: 'on',
    salt: 'drafted-salt',
  })
  const { text } = await raw()
  expect(text).not.toMatch(
    /Name of|Description of|Hypothesis of|Flag secretive|Production|[Dd]rafted|@|metrics|statistics/,
  )
})

test('a paused rule is omitted, a paused flag has no rules, and an archived flag is removed', async () => {
  const { flag, path, first, second } = await fullFlag('leaving')
  const sizes = [(await raw()).text.length]
  const measured = async () => sizes.push((await raw()).text.length)
  await act('POST', `${path}/rules/${first.id}/pause`)
  expect((await file()).flags.leaving.rules.map(({ id }: { id: string }) => id)).toEqual([String(second.shortId)])
  await measured()
  await act('POST', `${path}/pause`)
  expect((await file()).flags.leaving).toEqual(expect.objectContaining({ enabled: false, defaultVariation: 'off' }))
  expect((await file()).flags.leaving).not.toHaveProperty('rules')
  await measured()
  await act('POST', `${project.path}/flags/${flag.id}/archive`)
  expect((await file()).flags).not.toHaveProperty('leaving')
  await measured()
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
})

test('a flag has the same bytes after a pause and a run', async () => {
  const { path } = await fullFlag('steady')
  const before = canonicalJson((await file()).flags.steady)
  await act('POST', `${path}/pause`)
  await act('POST', `${path}/run`)
  expect(canonicalJson((await file()).flags.steady)).toBe(before)
})

test('a file that a node builds from the database has the served bytes and the stored ETag', async () => {
  const { rows } = await sql<{ etag: string; revision: number; bytes: number }>`
    select etag, revision, bytes from environments where id = ${project.production.id}`.execute(service.db)
  const { text, headers, body } = await raw()
  const { file: loaded } = (await findDataFileByKey(service.db, project.production.sdkKey))!
  expect(loaded.bytes().toString()).toBe(text)
  expect([headers.etag, body.revision]).toEqual([loaded.etag, loaded.revision])
  expect(rows).toEqual([{ etag: loaded.etag, revision: loaded.revision, bytes: loaded.bytes().length }])
})

test('a node that fell behind reads only the changes and has the same bytes', async () => {
  const [renamed, leaves] = [
    await createFlag(service, project, 'renamed'),
    await createFlag(service, project, 'leaves'),
  ]
  const { file: behind } = (await findDataFileByKey(service.db, project.production.sdkKey))!
  await act('PATCH', `${project.path}/flags/${renamed.id}`, { key: 'a-new-key' })
  await service.call(admin, 'DELETE', `${project.path}/flags/${leaves.id}`)
  await createFlag(service, project, 'renamed')
  await createFlag(service, project, 'comes')
  const { file: caughtUp } = (await loadDataFile(service.db, project.production.id, behind))!
  expect(caughtUp.revision).toBe(behind.revision + 4)
  expect(caughtUp.bytes().toString()).toBe((await raw()).text)
  expect(caughtUp.blocks).not.toEqual(behind.blocks)
})

test('a node whose file does not match the database loads the whole file', async () => {
  const wrong = dataFileOf(
    { environment: { id: project.production.id, key: 'production' }, revision: 1, publishedAt: null },
    [],
  )
  const loaded = await loadDataFile(service.db, project.production.id, wrong)
  expect(loaded?.file.bytes().toString()).toBe((await raw()).text)
})

test('a refused change leaves no trace in the next revision', async () => {
  const before = await raw()
  const refused = await service.call(admin, 'POST', `${project.path}/flags`, { ...booleanFlag('whole') })
  expect(refused.status).toBe(409)
  expect((await raw()).text).toBe(before.text)
  await createFlag(service, project, 'after-the-refusal')
  const loaded = await findDataFileByKey(service.db, project.production.sdkKey)
  expect(loaded?.file.bytes().toString()).toBe((await raw()).text)
})

test('environments do not see each other’s changes', async () => {
  await fullFlag('apart')
  const { flags } = await dataFile(service, project.development.sdkKey)
  expect(flags.apart).toMatchObject({ enabled: false })
  expect(flags.apart).not.toHaveProperty('rules')
})
