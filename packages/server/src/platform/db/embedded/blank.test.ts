import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '../../../../testing/scratch.ts'
import { blankFile, blankFor } from './blank.ts'
import { openPglite } from './pglite.ts'

async function firstStart() {
  const folder = join(await scratchFolder('svc-blank'), 'postgres')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
  const { pglite, client } = await openPglite(folder)
  const { rows } = await client.query(`
    select (select system_identifier::text from pg_control_system()) as id, current_setting('wal_segment_size') as log,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace) as tables`)
  await pglite.close()
  return { folder, ...rows[0] }
}

it('a first start unpacks the database that the build made, with its segments of 1 MB', async () => {
  expect(existsSync(blankFile())).toBe(true)
  const [one, other] = [await firstStart(), await firstStart()]
  // Each run of initdb gives another one.
  expect(one.id).toBe(other.id)
  expect(one).toMatchObject({ log: '1MB', tables: 0 })
})

it('a first start leaves a folder with a database alone', async () => {
  const { folder } = await firstStart()
  expect(await blankFor(folder)).toBeUndefined()
})
