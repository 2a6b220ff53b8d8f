import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../testing/databases/database.ts'

const node = new URL('../../../../testing/databases/migrate.ts', import.meta.url).pathname

it('migrations are applied once when three nodes start together', async () => {
  const { address, remove } = await createTestDatabase('blank')
  const folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
  await writeFile(join(folder, '0001-first.sql'), 'create table one (id int); select pg_sleep(0.5)')
  await writeFile(join(folder, '0002-second.sql'), 'create table two (id int)')
  const start = () => promisify(execFile)(process.execPath, [node, address.url!, folder])
  const answers = (await Promise.all([start(), start(), start()])).map(({ stdout }) => JSON.parse(stdout).applied)
  expect(answers.sort((one, other) => other.length - one.length)).toEqual([
    ['0001-first.sql', '0002-second.sql'],
    [],
    [],
  ])
  await rm(folder, { recursive: true })
  await remove()
})
