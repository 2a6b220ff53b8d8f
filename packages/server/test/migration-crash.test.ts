import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { migrate, openDatabase } from '../src/platform/db/index.ts'
import { type Address, createTestDatabase } from '../testing/database.ts'
import { quiet } from '../testing/templates.ts'

const points = process.env.SVC_TEST_FULL === '1' ? 20 : 3
const node = new URL('../testing/migrate.ts', import.meta.url).pathname
const files = new URL('../migrations', import.meta.url).pathname

/** Answers how long the migration took, or undefined when it was killed in the middle of it. */
async function migrateInProcess({ url = '', dataDir }: Address, killAfterMs?: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [node, url, '', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  await once(child.stderr, 'data')
  const begun = performance.now()
  const finished = once(child.stdout, 'data').then(() => performance.now() - begun)
  const killed = killAfterMs === undefined ? finished : Promise.race([finished, pause(killAfterMs)])
  const took = await killed
  if (killAfterMs !== undefined) child.kill('SIGKILL')
  await exited
  return took ?? undefined
}

test(`D3 kill -9 at ${points} points of a migration: the next start completes it`, { timeout: 240_000 }, async () => {
  const names = (await readdir(files)).sort()
  const whole = await createTestDatabase('blank')
  const tookMs = (await migrateInProcess(whole.address))!
  await whole.remove()
  const outcomes: string[] = []
  for (let point = 0; point < points; point += 1) {
    const { address, remove } = await createTestDatabase('blank')
    await migrateInProcess(address, (tookMs * (point + 0.5)) / points)
    const database = await openDatabase({ ...address, log: quiet })
    const { applied } = await migrate(database)
    // All of it or nothing had been done.
    expect([[], names]).toContainEqual(applied)
    expect((await migrate(database)).applied).toEqual([])
    outcomes.push(applied.length > 0 ? 'done again' : 'was done')
    await database.close()
    await remove()
  }
  console.info(`D3 ${points} kills within ${Math.round(tookMs)} ms: ${outcomes.join(', ')}`)
  expect(outcomes).toContain('done again')
})
