import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Address } from '../../../../testing/databases/address.ts'
import { createTestDatabase } from '../../../../testing/databases/database.ts'
import { quiet } from '../../../../testing/databases/templates.ts'
import { isFull } from '../../../../testing/full.ts'
import { nodeFlags } from '../../../../testing/processes/node-flags.ts'
import { openDatabase } from '../index.ts'
import { databaseFolder } from './folder.ts'
import { openPglite } from './pglite.ts'

/** How many rows are acknowledged before each kill. */
const kills = isFull ? [1, 7, 40, 150, 500] : [1, 40, 500]
const writer = new URL('../../../../testing/databases/write-rows.ts', import.meta.url).pathname

let address: Address
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ address, remove } = await createTestDatabase('blank'))
})

afterEach(() => remove())

/** Starts a writer, kills it after a number of acknowledged rows, and returns the last acknowledged row. */
async function lastBeforeKill(rows: number): Promise<number> {
  const child = spawn(process.execPath, [...nodeFlags, writer, address.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = 0
  let seen = 0
  for await (const line of createInterface(child.stdout)) {
    last = Number(line)
    if (++seen === rows) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return last
}

describe('an acknowledged row', () => {
  it(`survives kill -9, ${kills.length} times in a row`, async () => {
    for (const rows of kills) {
      const last = await lastBeforeKill(rows)
      const { db, close } = await openDatabase({ ...address, log: quiet })
      const { rows: found } = await sql<{ count: number; max: number }>`
        select count(*), max(number) from acknowledged`.execute(db)
      expect(found[0]!.max).toBeGreaterThanOrEqual(last)
      expect(found[0]!.count).toBe(found[0]!.max)
      await close()
    }
  })

  it('was synced to the disk by its own system call', async () => {
    const { pglite, client, files } = await openPglite(databaseFolder(address.dataDir))
    await client.query('create table rows (id int)')
    const calls = countCalls()
    const before = files.logSyncs
    for (let id = 0; id < 20; id++) await client.query('insert into rows values ($1)', [id])
    expect(calls.stop()).toBeGreaterThanOrEqual(20)
    expect(files.logSyncs - before).toBeGreaterThanOrEqual(20)
    await pglite.close()
  })

  it('is refused when nothing would be synced', async () => {
    const unsynced = openPglite(databaseFolder(address.dataDir), undefined, PGlite.defaultStartParams)
    await expect(unsynced).rejects.toThrow('does not sync its log to the disk; refusing to start')
  })
})

function countCalls() {
  const real = fs.fdatasyncSync
  let calls = 0
  const replace = (by: typeof real) => {
    fs.fdatasyncSync = by
    syncBuiltinESMExports()
  }
  replace((descriptor) => {
    calls++
    real(descriptor)
  })
  return {
    stop: () => {
      replace(real)
      return calls
    },
  }
}
