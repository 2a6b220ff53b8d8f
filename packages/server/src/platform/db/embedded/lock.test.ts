import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { quiet } from '../../../../testing/databases/templates.ts'
import { openDatabase } from '../index.ts'

const writer = new URL('../../../../testing/databases/write-rows.ts', import.meta.url).pathname

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
})

afterAll(() => database.close())

const refusal = new RegExp(`is in use by another process \\(pid ${process.pid}\\)`)

describe('the lock of a data folder', () => {
  it('keeps another process out and names the process that holds it', async () => {
    const second = promisify(execFile)(process.execPath, [writer, database.address.dataDir])
    await expect(second).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
    await database.ping()
  })

  it('keeps this process from opening the folder twice', async () => {
    await expect(openDatabase({ ...database.address, log: quiet })).rejects.toThrow(refusal)
    await database.ping()
  })
})
