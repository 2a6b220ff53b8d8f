import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/platform/db/index.ts'
import { openTestDatabase, type TestDatabase } from '../testing/databases/database.ts'
import { quiet } from '../testing/databases/templates.ts'
import { scratchFolder } from '../testing/scratch.ts'
import { seenSecrets } from '../testing/secrets.ts'
import { databaseFilesWith, expectNotAtRest, expectNotLogged } from '../testing/secrets-search.ts'

// Tests that the search for secrets in databases and logs finds what is there.

let database: TestDatabase
const kept = randomBytes(32).toString('base64url')
const inLongText = randomBytes(32).toString('base64url')
const absent = randomBytes(32).toString('base64url')

beforeAll(async () => {
  database = await openTestDatabase('blank')
  await sql`create table kept (text text not null)`.execute(database.db)
  // The database compresses text of this length.
  const long = `${'the same again and again '.repeat(400)}${inLongText}`
  await sql`insert into kept values (${kept}), (${long})`.execute(database.db)
})
afterAll(() => database.close())

test('a text in a database is found, and a missing one is not', async () => {
  const found = await databaseFilesWith(database.address, [absent, kept])
  expect(found).not.toEqual([])
  expect(found.every((place) => place.endsWith(`:${kept}`))).toBe(true)
})

test('long texts are found on a server although its files compress them', async () => {
  const found = await databaseFilesWith(database.address, [inLongText])
  if (database.kind === 'server') expect(found).not.toEqual([])
  // On the embedded database, compressed texts are not found. The same tests run on a server.
  expect(await databaseFilesWith(database.address, [absent])).toEqual([])
})

test.each(['svc_pat_', 'svc_ing_'])('a secret %s… is found without being noted', async (prefix) => {
  // Use a separate folder, because the databases of other tests share the log of the server.
  const dataDir = await scratchFolder('svc-test')
  const own = await openDatabase({ dataDir, log: quiet })
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  await expectNotAtRest({ dataDir }, [absent])
  await sql`create table kept as select ${token}::text as text`.execute(own.db)
  await expect(expectNotAtRest({ dataDir }, [absent])).rejects.toThrow(token)
  await own.close()
  await rm(dataDir, { recursive: true })
  await expect(expectNotLogged(`{"msg":"${token}"}`, [])).rejects.toThrow(token)
})

test.each([
  ['a token', { data: { secret: 'the-secret-of-a-webhook' } }, 'the-secret-of-a-webhook'],
  ['a link', { link: 'https://svc.test/join#the-end-of-a-link' }, 'the-end-of-a-link'],
  ['one of several codes', { recoveryCodes: ['aaaaa-bbbbb-ccccc'] }, 'aaaaa-bbbbb-ccccc'],
  ['a provisioned password', { members: [{ password: 'fourteen words' }] }, 'fourteen words'],
])('%s is noted and found in a log', async (_what, body, secret) => {
  const seen = seenSecrets()
  seen.noteBodies(body)
  await expect(expectNotLogged(`before ${secret} after`, seen.all())).rejects.toThrow(secret)
  await expectNotLogged('nothing', seen.all())
})
