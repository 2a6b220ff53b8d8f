import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'
import { unavailable } from './errors.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
})

afterAll(() => database.close())

const notify = (channel: string, payload: string) => sql`select pg_notify(${channel}, ${payload})`.execute(database.db)

/** Collects notices; `heard(n)` resolves with the first n. */
function collector() {
  const payloads: string[] = []
  let wake = () => {}
  const heard = async (length: number) => {
    while (payloads.length < length) await new Promise<void>((resolve) => (wake = resolve))
    return payloads.slice(0, length)
  }
  const hear = (payload: string) => {
    payloads.push(payload)
    wake()
  }
  return { hear, heard }
}

describe('notices', () => {
  it('arrive in order, only on their channel, at every listener', async () => {
    const [one, other, elsewhere] = [collector(), collector(), collector()]
    await Promise.all([
      database.listen('Changed "quickly"', one.hear),
      database.listen('Changed "quickly"', other.hear),
      database.listen('elsewhere', elsewhere.hear),
    ])
    for (const payload of ['a', 'b', '']) await notify('Changed "quickly"', payload)
    await notify('elsewhere', 'c')
    expect(await one.heard(3)).toEqual(['a', 'b', ''])
    expect(await other.heard(3)).toEqual(['a', 'b', ''])
    expect(await elsewhere.heard(1)).toEqual(['c'])
  })

  it('of a transaction arrive when it commits', async () => {
    const { hear, heard } = collector()
    await database.listen('commits', hear)
    const work = database.db.transaction().execute(async (tx) => {
      await sql`select pg_notify('commits', 'rolled back')`.execute(tx)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await database.db.transaction().execute(async (tx) => {
      await sql`select pg_notify('commits', 'committed')`.execute(tx)
    })
    expect(await heard(1)).toEqual(['committed'])
  })

  it('are repeated to listeners that failed because the database was unavailable, but not after a fault', async () => {
    const { hear, heard } = collector()
    const reasons = [unavailable('away'), unavailable('away'), undefined, new Error('fault')]
    await database.listen('insisted', async (payload) => {
      hear(payload)
      const reason = reasons.shift()
      if (reason) throw reason
    })
    await notify('insisted', 'a')
    expect(await heard(3)).toEqual(['a', 'a', 'a'])
    await notify('insisted', 'b')
    await notify('insisted', 'c')
    expect(await heard(5)).toEqual(['a', 'a', 'a', 'b', 'c'])
  })
})
