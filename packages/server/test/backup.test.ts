import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { migrate, openDatabase } from '../src/platform/db/index.ts'
import type { Address } from '../testing/databases/address.ts'
import {
  allBesidesAudit,
  allOf,
  backedUp,
  emptyPlace,
  forged,
  forgers,
  otherKey,
  restoreEntries,
  settingsAt,
  withSession,
} from '../testing/databases/backups.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { abTest, addRule, delivery, newFlag, publish, succeed } from '../testing/flags.ts'
import { isFull } from '../testing/full.ts'
import { runCommand, runInTerminal } from '../testing/processes/command.ts'
import { freePort } from '../testing/processes/port.ts'
import { createProject, dataFile, startTestService, type TestProject, type TestService } from '../testing/service.ts'

// Each command is a process that opens and closes a database.
const timeout = 900_000
const isEmbedded = inject('databaseTemplates').kind === 'embedded'
/**
 * The tests of what differs between the databases run on both. The other tests would take a minute more on the embedded
 * one.
 */
const isWhole = isFull || !isEmbedded
const strange = "tab\tbackslash\\n line\nreturn\r quote' \\N é 🦊"

let first: TestService
let service: TestService
let project: TestProject
/** The data file of production. */
let served: Awaited<ReturnType<typeof dataFile>>
/** This backup was made after the service had stopped. */
let backup: string

beforeAll(async () => {
  first = await startTestService({ settings: { SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1' } })
  service = first
  project = await createProject(service)
  await fill()
  served = await dataFile(service, project.production.sdkKey)
  await service.stop()
  backup = await backedUp(service.settings, '--with-secret-key')
}, timeout)
afterAll(async () => {
  if (backup) await rm(dirname(backup), { recursive: true })
  await first.close()
})

/** Rows for the tables that are copied in a special way. */
async function fill(): Promise<void> {
  const url = project.path
  const segment = await succeed(service, 'POST', `${url}/segments`, { name: 'Testers', description: strange })
  await succeed(service, 'PUT', `${url}/segments/${segment.id}/members`, { ids: ['u-1', 'tab\\t u-2'] })
  const flag = await newFlag(service, project, { key: 'checkout', description: strange })
  await addRule(service, flag.production, delivery('Testers', { conditions: { segment: segment.id } }))
  const rule = await addRule(service, flag.production, abTest('Copy'))
  await succeed(service, 'POST', `${flag.production}/run`)
  await publish(service, project)
  const schedule = { action: 'PAUSE', runAt: new Date(Date.now() + 86_400_000).toISOString(), timezone: 'UTC' }
  await succeed(service, 'PUT', `${flag.production}/schedule`, schedule)
  await succeed(service, 'POST', `${url}/webhooks`, {
    name: 'CI',
    url: 'https://localhost:1/in',
    events: ['flag.created'],
  })
  const exposures = Array.from({ length: 300 }, (_, index) => ({
    ...{ type: 'exposure', id: randomUUID(), ts: new Date().toISOString(), unit: `u-${index}` },
    ...{ flagKey: 'checkout', ruleId: String(rule.shortId), variationKey: 'on' },
  }))
  const { sdkKey } = project.production
  const sent = await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events: exposures })
  expect(sent).toMatchObject({ status: 202, text: expect.stringContaining('"accepted":300') })
}

const restored = async (...args: string[]) => {
  const { address, remove } = await emptyPlace()
  onTestFinished(remove)
  const settings = settingsAt(service.settings, address)
  return { address, settings, ...(await runCommand(['restore', backup, ...args], settings)) }
}

const organizations = async (address: Address) =>
  withSession(address, async (session) => {
    const [row] = await session.query<{ count: number }>('select count(*)::int as count from organizations')
    return row!.count
  })

/** With `--keep-revisions`. */
async function expectTheSame(address: Address): Promise<void> {
  const [there, here] = [await allBesidesAudit(address), await allBesidesAudit(first.address)]
  expect(there).toEqual(here)
  expect(there.rows).toMatchObject({ exposures: { count: 300 }, destination_secrets: { count: 1 } })
  expect(there.partitions).not.toEqual([])
  const after = { madeAt: expect.stringMatching(/^20/), version: expect.any(String), keepRevisions: true }
  const entries = await restoreEntries(address)
  expect(entries).toContainEqual({ action: 'organization.restore', type: 'system', by: 'operator', after })
  expect(entries).toHaveLength(await organizations(address))
}

// A test from a terminal, below, has the first of them on the embedded database.
if (isWhole)
  describe('a restored backup', () => {
    test('has the same rows, sequences, partitions and rules', { timeout }, async () => {
      const { address, out, err, code } = await restored('--keep-revisions')
      expect([err, code]).toEqual(['', 0])
      expect(out).not.toContain('Nothing proves')
      await expectTheSame(address)
    })

    test('serves the same flags under higher revisions, and goes on', { timeout }, async () => {
      const { address, settings, out, err, code } = await restored()
      expect([err, code]).toEqual(['', 0])
      expect(out).toMatch(/^Restored \d+ tables, [\d,]+ rows of 20/)
      const { flags, revision } = served
      const after = await startTestService({ address, settings })
      onTestFinished(() => after.close())
      const file = await dataFile(after, project.production.sdkKey)
      expect(file.flags).toEqual(flags)
      expect(file.revision).toBe(revision + 1_000_000)
      const { body } = await after.call(first.people.admin, 'GET', `${project.path}/flags`)
      expect(body.data).toMatchObject([{ key: 'checkout', description: strange }])

      const again = { ...after, people: first.people } as TestService
      await newFlag(again, project, { key: 'second' })
      await publish(again, project)
      expect((await dataFile(after, project.production.sdkKey)).revision).toBe(revision + 1_000_001)
      await after.stop()
      const verified = await runCommand(['audit', 'verify'], settings)
      expect([verified.err, verified.code]).toEqual(['', 0])
    })

    test('of an older schema is migrated forward', { timeout }, async () => {
      const old = await createTestDatabase('blank')
      onTestFinished(old.remove)
      const database = await openDatabase({ ...old.address, log: quiet })
      await migrate(database, { through: '0031-what-does-not-count.sql' })
      await database.close()
      const file = await backedUp(settingsAt(service.settings, old.address))
      const { address, remove } = await emptyPlace()
      onTestFinished(remove)
      const settings = settingsAt(service.settings, address)
      expect(await runCommand(['restore', file], settings)).toMatchObject({ err: '', code: 0 })
      expect((await runCommand(['migrate', '--check'], settings)).out).toBe('The database is up to date.\n')
    })
  })

if (isWhole)
  test('a rehearsal sends nothing and runs no schedule', { timeout }, async () => {
    const { address, settings, out, err, code } = await restored('--drill')
    expect([err, code]).toEqual(['', 0])
    expect(out).toContain('For the rehearsal, 1 webhook was disabled and 1 schedule cancelled.')
    const rows = await withSession(address, (session) =>
      session.query(`
      select (select count(*) from webhooks where enabled)::int as webhooks,
        (select count(*) from schedules where status in ('PENDING', 'SUSPENDED'))::int as schedules,
        (select count(*) from schedules)::int as "all"`),
    )
    expect(rows).toEqual([{ webhooks: 0, schedules: 0, all: 1 }])
    const mail = { SVC_SMTP_URL: 'smtp://127.0.0.1:1', SVC_MAIL_FROM: 'svc@svc.test' }
    const entries = await restoreEntries(address)
    expect(entries[0]).toMatchObject({ action: 'organization.rehearse', after: { webhooks: 1, schedules: 1 } })
    const refused = await runCommand(['restore', backup, '--drill'], { ...settings, ...mail })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('SVC_SMTP_URL must not be set') })
  })

if (!isEmbedded)
  test('tables of another program are named, and neither copied nor overwritten', { timeout }, async () => {
    const { address, settings } = await restored('--keep-revisions')
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `shop_${letter}`)
    await withSession(address, (session) =>
      session.query(names.map((name) => `create table ${name} ()`).join('; ')).then(() => undefined),
    )
    const said = 'of another program: shop_a, shop_b, shop_c, shop_d, shop_e and 1 more.'
    const out = dirname(backup)
    const before = await readdir(out)
    const made = await runCommand(['backup', '--out', out], settings)
    expect(made).toMatchObject({ out: '', code: 1, err: expect.stringContaining(`the database holds tables ${said}`) })
    expect(await readdir(out)).toEqual(before)
    const into = await runCommand(['restore', backup], settings)
    expect([into.code, into.err]).toEqual([
      1,
      expect.stringMatching(/is not empty: it holds \d+ tables, of another program: shop_a/),
    ])
  })

describe('a restore is refused', () => {
  test('where there is a database, and changes nothing', { timeout }, async () => {
    const before = await allOf(first.address)
    const { out, err, code } = await runCommand(['restore', backup], service.settings)
    expect([out, code]).toEqual(['', 1])
    expect(err).toContain(isEmbedded ? 'Add --replace to move it aside' : 'the database is not empty')
    expect(await allOf(first.address)).toEqual(before)
  })

  if (isWhole)
    test('if somebody changed it or it is not signed, before it is written anywhere', { timeout }, async () => {
      const exchanged = (row: string) => row.replaceAll('owner@', 'thief@')
      const changed = await forged(backup, forgers.withKey, exchanged)
      const refused = await runCommand(['restore', changed], service.settings)
      expect([refused.out, refused.code]).toEqual(['', 1])
      expect(refused.err).toContain('was changed after it was made: its signature does not match the secret key')

      const unsigned = await forged(backup, forgers.withoutKey, exchanged)
      const without = await runCommand(['restore', unsigned], service.settings)
      expect([without.out, without.code]).toEqual(['', 1])
      expect(without.err).toContain('restore it with --unsigned')

      const accepted = await runCommand(['restore', unsigned, '--unsigned'], service.settings)
      expect(accepted.err).toContain(isEmbedded ? 'Add --replace to move it aside' : 'the database is not empty')
    })

  if (isWhole)
    test('without the key of the backup, unless the operator gives it up', { timeout }, async () => {
      const { address, remove } = await emptyPlace()
      onTestFinished(remove)
      const settings = { ...settingsAt(service.settings, address), SVC_SECRET_KEY: otherKey() }
      const refused = await runCommand(['restore', backup], settings)
      expect(refused).toMatchObject({ out: '', code: 1 })
      expect(refused.err).toContain('the secret key differs from that of the backup')
      expect(refused.err).toContain('svc-server cannot check whether the backup was changed')
      const given = await runCommand(['restore', backup, '--other-key'], settings)
      expect(given).toMatchObject({ err: '', code: 0 })
      expect(given.out).toContain(
        'Someone could have changed the backup: checking its signature requires its secret key.',
      )
      expect((await runCommand(['doctor'], settings)).out).toContain(
        'This key cannot decrypt 1 of 1 webhook secret and 0 of 0 second factors',
      )
    })
})

test('the service does not start after an interrupted restore, and the next restore completes it', {
  timeout,
}, async () => {
  const { address, remove } = await emptyPlace()
  onTestFinished(remove)
  const settings = settingsAt(service.settings, address)
  if (isEmbedded) {
    // This is the state after the machine crashed between the two steps that put the database in place.
    await writeFile(`${address.dataDir}/restore.unfinished`, '')
  } else
    await withSession(address, (session) =>
      session.query('create table unfinished_restore (); create table rest ()').then(() => undefined),
    )
  const start = await runCommand(['start'], {
    ...settings,
    SVC_PORT: String(await freePort()),
  })
  expect([start.code, start.err]).toEqual([1, expect.stringMatching(/a restore into .* was interrupted/)])
  expect(await runCommand(['restore', backup, '--keep-revisions'], settings)).toMatchObject({ err: '', code: 0 })
  expect((await allBesidesAudit(address)).rows).toEqual((await allBesidesAudit(first.address)).rows)
})

if (isEmbedded)
  test('a terminal shows what is being done, all is as it was, the key comes with the backup, and what is replaced is put aside', {
    timeout,
  }, async () => {
    const { address, remove } = await emptyPlace()
    onTestFinished(remove)
    const { SVC_SECRET_KEY: key, ...rest } = settingsAt(service.settings, address)
    const { out, code } = await runInTerminal(['restore', backup, '--keep-revisions'], rest)
    expect(code, out).toBe(0)
    expect(out).not.toContain('Nothing proves')
    await expectTheSame(address)
    for (const shown of [`Checking ${dirname(backup)}`, 'Creating the tables', 'Restored ', 'or its key was in it.'])
      expect(out).toContain(shown)
    expect((await runCommand(['doctor'], rest)).out).toContain('This key decrypts 1 webhook secret')
    const again = await runCommand(['restore', backup, '--replace'], rest)
    expect([again.err, again.code]).toEqual(['', 0])
    expect(again.out).toContain('The previous database is in ')
    expect((await readdir(address.dataDir)).filter((name) => /^(postgres|restor)/.test(name)).sort()).toEqual([
      'postgres',
      expect.stringMatching(/^postgres\.before-/),
    ])
  })
