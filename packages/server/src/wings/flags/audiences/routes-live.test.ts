import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addRule, delivery, newFlag, publish, served, succeed, type TestFlag } from '../../../../testing/flags.ts'
import { createProject, dataFile, startTestService, type TestProject } from '../../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

const beta = { attribute: 'plan', operator: 'equals', value: 'beta' }
const pro = { attribute: 'plan', operator: 'equals', value: 'pro' }

let project: TestProject
let flag: TestFlag
let audience: string
let shortId: number
beforeEach(async () => {
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  const made = await succeed(service, 'POST', `${project.path}/audiences`, { name: 'Beta', conditions: beta })
  audience = made.id
  shortId = made.shortId
})

const file = () => dataFile(service, project.production.sdkKey)
const environment = () => succeed(service, 'GET', `${project.path}/environments/${project.production.id}`)
const edit = (conditions: object, id = audience) =>
  succeed(service, 'PATCH', `${project.path}/audiences/${id}`, { conditions })
const ruleFor = (id = audience) => addRule(service, flag.production, delivery('Theirs', { audienceIds: [id] }))
const run = (path = flag.production) => succeed(service, 'POST', `${path}/run`)
const lastEvent = async (name: string) =>
  (await succeed(service, 'GET', `${project.path}/events?limit=100`)).findLast(
    ({ event }: { event: string }) => event === name,
  )

describe('the data file', () => {
  test('contains an audience while a running rule needs it', async () => {
    const rule = await ruleFor()
    expect((await file()).audiences).toEqual({})
    await run()
    expect((await file()).audiences).toEqual({ [shortId]: beta })
    const path = `${flag.production}/rules/${rule.id}`
    await succeed(service, 'POST', `${path}/pause`)
    expect((await file()).audiences).toEqual({})
    await run(path)
    expect((await file()).audiences).toEqual({ [shortId]: beta })
    await succeed(service, 'POST', `${flag.production}/pause`)
    await succeed(service, 'POST', `${flag.path}/archive`)
    expect((await file()).audiences).toEqual({})
  })

  test('contains an audience that an edited rule no longer uses until the publish', async () => {
    const rule = await ruleFor()
    await run()
    await succeed(service, 'PATCH', `${flag.production}/rules/${rule.id}`, { audienceIds: [] })
    expect((await file()).audiences).toEqual({ [shortId]: beta })
    await publish(service, project)
    expect((await file()).audiences).toEqual({})
    expect((await served(service, project, 'checkout')).rules[0]).not.toHaveProperty('when')
  })
})

describe('an edited audience', () => {
  test('is staged only in the environments that use it', async () => {
    await ruleFor()
    await run()
    const before = await environment()
    expect(before.hasStagedChanges).toBe(false)
    await edit(pro)
    expect(await environment()).toMatchObject({ hasStagedChanges: true, dataFile: before.dataFile })
    const other = await succeed(service, 'GET', `${project.path}/environments/${project.development.id}`)
    expect(other.hasStagedChanges).toBe(false)
    expect((await file()).audiences).toEqual({ [shortId]: beta })
    await edit(beta)
    expect((await environment()).hasStagedChanges).toBe(false)
  })

  test('goes live with the publish, as one revision that names the affected flags', async () => {
    await ruleFor()
    await run()
    const revision = (await environment()).dataFile.revision
    await edit(pro)
    const changes = [{ path: 'conditions', from: beta, to: pro }]
    const staged = { changed: true, flags: [], audiences: [{ audienceId: audience, name: 'Beta', changes }] }
    expect(await publish(service, project, { dryRun: true })).toMatchObject({ ...staged, revision })
    expect(await publish(service, project)).toMatchObject({ ...staged, revision: revision + 1 })
    expect((await file()).audiences).toEqual({ [shortId]: pro })
    expect(await environment()).toMatchObject({ hasStagedChanges: false, dataFile: { revision: revision + 1 } })
    expect(await lastEvent('flag.published')).toMatchObject({
      dataFile: { revision: revision + 1 },
      flags: [{ id: flag.id, key: 'checkout' }],
      audiences: [{ id: audience, before: beta, after: pro }],
    })
    expect(await publish(service, project)).toMatchObject({ changed: false, audiences: [], revision: revision + 1 })
    const [last, first] = await succeed(
      service,
      'GET',
      `${project.path}/environments/${project.production.id}/revisions`,
    )
    const named = { id: audience, name: 'Beta' }
    expect([last.audiences, first.audiences]).toEqual([
      [{ ...named, change: 'CHANGED' }],
      [{ ...named, change: 'ADDED' }],
    ])
  })

  test('goes live without a new revision but with an event if no running rule uses it', async () => {
    await ruleFor()
    await run()
    await succeed(service, 'POST', `${flag.production}/pause`)
    const { dataFile: before } = await environment()
    await edit(pro)
    expect(await publish(service, project)).toMatchObject({ changed: true, revision: before.revision })
    expect(await lastEvent('audience.updated')).toMatchObject({
      audience: { id: audience, name: 'Beta' },
      environment: { id: project.production.id },
    })
    await run()
    expect((await file()).audiences).toEqual({ [shortId]: pro })
  })

  test('stays staged when only chosen flags are published', async () => {
    await ruleFor()
    await run()
    await edit(pro)
    await addRule(service, flag.production, delivery('More', { conditions: { audience } }))
    expect(await publish(service, project, { flagIds: [flag.id] })).toMatchObject({ changed: true, audiences: [] })
    expect((await file()).audiences).toEqual({ [shortId]: beta })
    expect((await environment()).hasStagedChanges).toBe(true)
  })

  test('goes live in its current state when its first rule is run', async () => {
    await edit(pro)
    await ruleFor()
    await run()
    expect((await file()).audiences).toEqual({ [shortId]: pro })
    const second = { name: 'Second', conditions: beta }
    const { id, shortId: next } = await succeed(service, 'POST', `${project.path}/audiences`, second)
    const rule = await ruleFor(id)
    await edit(beta)
    await run(`${flag.production}/rules/${rule.id}`)
    expect((await file()).audiences).toEqual({ [shortId]: pro, [next]: beta })
  })

  test('goes live in its current state with a first run after all its rules were deleted', async () => {
    const other = await newFlag(service, project, { key: 'other' })
    await addRule(service, other.production, delivery('One', { audienceIds: [audience] }))
    await publish(service, project)
    await succeed(service, 'DELETE', other.path)
    await edit(pro)
    expect((await environment()).hasStagedChanges).toBe(false)
    await ruleFor()
    await run()
    expect((await file()).audiences).toEqual({ [shortId]: pro })
  })

  test('is either live or staged after a concurrent publish, never in between', async () => {
    await ruleFor()
    await run()
    await Promise.all([edit(pro), publish(service, project), publish(service, project)])
    const live = (await file()).audiences[shortId]
    const { hasStagedChanges } = await environment()
    expect([
      [beta, true],
      [pro, false],
    ]).toContainEqual([live, hasStagedChanges])
  })
})
