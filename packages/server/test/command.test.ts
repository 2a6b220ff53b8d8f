import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Database, migrate, openDatabase } from '../src/platform/db/index.ts'
import { signersWith } from '../src/platform/sign.ts'
import { type SignedHead, signHead } from '../src/wings/record/audit/signed-head.ts'
import { createTestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { runCommand } from '../testing/processes/command.ts'
import { freePort } from '../testing/processes/port.ts'
import { startForTest } from '../testing/processes/process-of-test.ts'
import {
  createProject,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../testing/service.ts'
import { openBrowser } from '../testing/sessions.ts'

// Each run starts a process. On the embedded database, it also opens and closes the database.
const timeout = 900_000
const isEmbedded = inject('databaseTemplates').kind === 'embedded'
let first: TestService
let service: TestService
let project: TestProject

beforeAll(async () => {
  first = await startTestService({ settings: { SVC_WEBHOOK_ALLOWED_HOSTS: 'localhost:1' } })
  service = first
  project = await createProject(service)
})
afterAll(async () => {
  await service.stop()
  await first.close()
})

const svc = (args: string[]) => runCommand(args, service.settings)

/** Does the work while the service is down, then starts the service again. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  await service.stop()
  try {
    await work()
  } finally {
    service = await joinTestService(first)
  }
}

async function tamper(statement: string): Promise<void> {
  const { db, close } = await openDatabase({ ...first.address, log: quiet })
  for (const part of ['disable', 'enable'] as const) {
    await sql`alter table audit_entries ${sql.raw(part)} trigger audit_entries_final`.execute(db)
    if (part === 'disable') await sql.raw(statement).execute(db)
  }
  await close()
}

describe('audit verify', () => {
  test('runs beside the service if the database allows a second process', async () => {
    const { out, err, code } = await svc(['audit', 'verify'])
    if (isEmbedded) {
      expect([out, code]).toEqual(['', 1])
      expect(err).toBe(
        `svc-server: ${first.address.dataDir} is in use by another process (pid ${process.pid}). Only one process can use the embedded database at a time. Stop the service first.\n`,
      )
    } else {
      expect([err, code]).toEqual(['', 0])
      expect(out).toMatch(
        /^1 "Acme": \d+ entries are intact\. Head \d+:[0-9a-f]{64}\n2 "Other": (1 entry is|\d+ entries are) intact/,
      )
    }
  })

  test('confirms whole chains and earlier heads, and names the first changed entry', {
    timeout,
  }, async () => {
    await whileDown(async () => {
      const { out, code } = await svc(['audit', 'verify', '--organization', '1'])
      expect([out.split('\n').length, code]).toEqual([2, 0])
      const [head] = /\d+:[0-9a-f]{64}/.exec(out)!
      expect(await svc(['audit', 'verify', '--expect', head])).toMatchObject({ err: '', code: 0 })

      const elsewhere = await svc(['audit', 'verify', '--organization', '2', '--expect', head])
      expect(elsewhere).toMatchObject({ code: 1, err: 'svc-server: the audit log is broken\n' })
      expect(elsewhere.out).toContain(`No entry ${head.split(':')[0]} has the hash`)

      await tamper("update audit_entries set actor_name = 'nobody' where seq = 1")
      const broken = await svc(['audit', 'verify'])
      expect(broken).toMatchObject({ code: 1, err: 'svc-server: the audit log is broken\n' })
      expect(broken.out).toContain('1 "Acme": BROKEN. Entry 1 or its hash was changed')
      await tamper("update audit_entries set actor_name = 'provisioning' where seq = 1")
    })
  })
})

describe('migrate', () => {
  test('lists what is missing, applies it, and then finds nothing', { timeout }, async () => {
    const { address, remove } = await createTestDatabase('blank')
    onTestFinished(remove)
    const settings = { ...service.settings, SVC_DATA_DIR: address.dataDir }
    const run = (...args: string[]) =>
      runCommand(['migrate', ...args], address.url ? { ...settings, SVC_DATABASE_URL: address.url } : settings)
    const listed = await run('--check')
    expect(listed.code).toBe(1)
    expect(listed.out).toMatch(/^missing 0001-ground\.sql\nmissing 0002-webhooks\.sql\n/)
    const applied = await run()
    expect([applied.err, applied.code]).toEqual(['', 0])
    expect(applied.out).toBe(listed.out.replaceAll('missing', 'applied'))
    for (const args of [['--check'], []])
      expect(await run(...args)).toEqual({ out: 'The database is up to date.\n', err: '', code: 0 })
  })
})

describe('migrate --if-empty', () => {
  const on = async (prepare: (database: Database) => Promise<unknown> = async () => undefined) => {
    const { address, remove } = await createTestDatabase('blank')
    onTestFinished(remove)
    const database = await openDatabase({ ...address, log: quiet })
    await prepare(database).finally(() => database.close())
    const settings = { ...service.settings, SVC_DATA_DIR: address.dataDir }
    const own = address.url ? { ...settings, SVC_DATABASE_URL: address.url } : settings
    return () => runCommand(['migrate', '--if-empty'], own)
  }

  test('fills an empty database, and then finds nothing', { timeout }, async () => {
    const run = await on()
    expect(await run()).toMatchObject({ out: expect.stringMatching(/^applied 0001-ground\.sql\n/), err: '', code: 0 })
    expect(await run()).toEqual({ out: 'The database is up to date.\n', err: '', code: 0 })
  })

  test('leaves a database of an older version unchanged, and lists the missing migrations', { timeout }, async () => {
    const run = await on((database) => migrate(database, { through: '0031-what-does-not-count.sql' }))
    for (const time of ['first', 'second'])
      expect([time, await run()]).toMatchObject([time, { out: expect.stringMatching(/^missing 00\d\d-/), code: 1 }])
  })
})

describe('doctor', () => {
  const doctor = async (more: Record<string, string> = {}) => {
    const settings = { ...service.settings, SVC_PORT: String(await freePort()), ...more }
    const { out, err, code } = await runCommand(['doctor'], settings)
    expect(err).toBe('')
    return { code, lines: out.trimEnd().split('\n') }
  }

  test('checks the database, and finds that the key does not match it', { timeout }, async () => {
    const webhook = { name: 'CI', url: 'https://localhost:1/in', events: ['flag.published'] }
    const created = await service.call(service.people.admin, 'POST', `${project.path}/webhooks`, webhook)
    expect(created.status).toBe(201)
    await whileDown(async () => {
      const well = await doctor()
      const worries = well.lines.filter((line) => !line.startsWith('ok '))
      // The server of the tests does not sync.
      if (isEmbedded) expect(worries).toEqual([])
      else
        expect(worries).toEqual([
          expect.stringMatching(/^warning {2}database: .* fsync is off and synchronous_commit off/),
        ])
      expect(well.code).toBe(0)
      expect(well.lines).toContain('ok       migrations: The database is up to date.')
      expect(well.lines).toContain('ok       secret key: This key decrypts 1 webhook secret and 0 second factors.')
      expect(well.lines.some((line) => line.includes('; every commit is synced.'))).toBe(isEmbedded)
      const other = await doctor({ SVC_SECRET_KEY: randomBytes(32).toString('base64url') })
      expect(other.code).toBe(1)
      expect(other.lines.filter((line) => line.startsWith('failed'))).toEqual([
        'failed   secret key: This key cannot decrypt 1 of 1 webhook secret and 0 of 0 second factors. Restore the key that encrypted them; see docs/operating.md#secrets.',
      ])
    })
  })

  test('does not open the embedded database of a running service', { timeout }, async () => {
    const { lines, code } = await doctor()
    expect(lines.some((line) => line.includes('The running service uses the embedded database'))).toBe(isEmbedded)
    expect(lines.includes('ok       workers: 1 is running.')).toBe(!isEmbedded)
    expect(code).toBe(0)
  })
})

describe('start and health', () => {
  test('the command starts the service, and says when it is ready', { timeout }, async () => {
    const { address, remove } = await createTestDatabase()
    onTestFinished(remove)
    const settings = {
      ...service.settings,
      SVC_DATA_DIR: address.dataDir,
      ...(address.url && { SVC_DATABASE_URL: address.url }),
    }
    const { url } = await startForTest(settings, ['start'])
    const port = new URL(url).port
    const health = () => runCommand(['health'], { ...settings, SVC_PORT: port, SVC_HOST: '0.0.0.0' })
    expect(await health()).toEqual({ out: 'ready\n', err: '', code: 0 })
  })
})

describe('signed heads', () => {
  const headOf = async () => {
    const lines = first
      .logged()
      .split('\n')
      .filter((line) => line.includes('head of the audit chain'))
    expect(lines.length).toBeGreaterThan(0)
    return JSON.parse(lines[0]!) as SignedHead
  }
  const signer = () => signersWith(Buffer.from(service.settings.SVC_SECRET_KEY!, 'base64url')).audit

  test('are written once a day to the log and, for the embedded database, to a file', async () => {
    await expect.poll(() => first.logged()).toContain('head of the audit chain')
    const { organization, seq, hash, signedAt, signature } = await headOf()
    const path = join(service.address.dataDir, 'audit.head')
    if (isEmbedded) {
      await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain(hash)
      const [line] = (await readFile(path, 'utf8')).split('\n')
      expect(JSON.parse(line!)).toEqual({ organization, seq, hash, signedAt, signature })
    } else await expect(readFile(path)).rejects.toThrow('ENOENT')
    await service.auditHeads.stop()
    await service.auditHeads.write()
    const before = service.logged().split('head of the audit chain').length
    await service.auditHeads.write()
    expect(service.logged().split('head of the audit chain')).toHaveLength(before)
  })

  test('are verified: forged and missing heads are reported', { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-heads-'))
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const head = await headOf()
    const kept = await file('log', first.logged())
    const changed = await file('changed', JSON.stringify({ ...head, seq: head.seq + 1 }))
    const gone = await file('gone', JSON.stringify(signHead({ ...head, hash: 'ab'.repeat(32) }, signer())))
    const empty = await file('empty', '{}')
    await whileDown(async () => {
      const whole = await svc(['audit', 'verify', '--expect-from', kept])
      expect(whole).toMatchObject({
        err: '',
        code: 0,
        out: expect.stringMatching(/^(1 signed head of .* was|\d+ signed heads of .* were) checked\.$/m),
      })
      const forged = await svc(['audit', 'verify', '--expect-from', changed])
      expect(forged).toMatchObject({ code: 1, out: expect.stringContaining('Line 1 of') })
      const cut = await svc(['audit', 'verify', '--expect-from', gone])
      expect(cut).toMatchObject({ code: 1, out: expect.stringContaining('is no longer in the log') })
      expect(await svc(['audit', 'verify', '--expect-from', empty])).toMatchObject({
        code: 1,
        err: expect.stringContaining('contains no head of an audit chain'),
      })
    })
    await rm(folder, { recursive: true })
  })
})

describe('reset-link', () => {
  test('prints a single-use link with which the person sets a new password', { timeout }, async () => {
    let link = ''
    await whileDown(async () => {
      const { out, err, code } = await svc(['reset-link', 'Editor@svc.test'])
      expect([code, err]).toEqual([0, expect.stringMatching(/^It works once, until 20/)])
      expect(out).toMatch(/^http:\/\/svc\.test\/reset#[\w-]{43}\n$/)
      link = out.trim().split('#')[1]!
      expect(await svc(['reset-link', 'nobody@svc.test'])).toEqual({
        out: '',
        err: 'svc-server: no account has the address nobody@svc.test.\n',
        code: 1,
      })
    })
    const browser = openBrowser(service)
    const password = 'seven quiet foxes at dusk'
    const complete = () => browser.call('POST', '/api/dashboard/password-reset/complete', { link, password })
    expect((await complete()).status).toBe(200)
    expect((await complete()).status).toBe(404)
    const signedIn = await browser.call('POST', '/api/dashboard/sign-in', { email: 'editor@svc.test', password })
    expect(signedIn.status).toBe(200)
    const { body } = await service.call(service.people.owner, 'GET', '/api/v1/audit?actor=system&action=user.')
    expect(body.data).toMatchObject([{ action: 'user.password_reset_link', actor: { name: 'operator' } }])
    expect(JSON.stringify(body)).not.toContain(link)
  })
})

describe('organizations', () => {
  test('lists them, and turns a feature off and on', { timeout }, async () => {
    const webhooks = () => service.call(service.people.admin, 'GET', `${project.path}/webhooks`)
    const feature = 'integrations_api_export'
    const lines: string[] = []
    await whileDown(async () => {
      const { out, err, code } = await svc(['organizations', 'list'])
      expect([err, code]).toEqual(['', 0])
      lines.push(...out.trimEnd().split('\n'))
      expect(lines).toEqual(
        expect.arrayContaining([expect.stringMatching(/^1 [0-9a-f-]{36} "Acme": integrations_api_export$/)]),
      )
      expect(await svc(['organizations', 'disable', '1', feature])).toEqual({
        out: expect.stringMatching(/^1 [0-9a-f-]{36} "Acme": no features\n$/),
        err: expect.stringMatching(
          /^If \S+ lists the feature for this organization, the next start turns it on again\.\n$/,
        ),
        code: 0,
      })
      expect(await svc(['organizations', 'disable', '99', feature])).toEqual({
        out: '',
        err: 'svc-server: there is no organization 99.\n',
        code: 1,
      })
    })
    const refused = await webhooks()
    expect([refused.status, refused.body.error.code]).toEqual([403, 'feature_disabled'])
    expect(refused.body.error.message).toContain(`npx svc-server organizations enable 1 ${feature}`)
    await whileDown(async () => {
      const id = lines[0]!.split(' ')[1]!
      for (const name of ['1', id]) {
        const { out, code } = await svc(['organizations', 'enable', name, feature])
        expect([out, code]).toEqual([`${lines[0]}\n`, 0])
      }
    })
    expect((await webhooks()).status).toBe(200)
    const { body } = await service.call(service.people.owner, 'GET', '/api/v1/audit?actor=system&action=organization.')
    expect(body.data).toMatchObject([
      { actor: { name: 'operator' }, before: { features: [] }, after: { features: [feature] } },
      { actor: { name: 'operator' }, before: { features: [feature] }, after: { features: [] } },
    ])
  })
})
