import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { startProcess } from '../../testing/processes/process.ts'

test('a second process on the same data folder is refused with the pid of the first, which keeps running', async () => {
  const { address, remove } = await createTestDatabase()
  const first = await startProcess({ SVC_DATA_DIR: address.dataDir })
  await expect(startProcess({ SVC_DATA_DIR: address.dataDir })).rejects.toThrow(/in use by another process/)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  expect(await first.stop()).toBe(0)

  const second = await startProcess({ SVC_DATA_DIR: address.dataDir })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  expect(await second.stop()).toBe(0)
  await remove()
})
