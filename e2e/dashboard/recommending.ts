import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { shopViews } from '../../packages/server/src/wings/commerce/recommendations/models/testing/shop.ts'
import { prepare } from './calls.ts'

const project = '/api/v1/projects/1'
const maxEvents = 500

/** Sends what visitors of a generated shop have viewed in the last weeks to Production of the first project. */
export async function sendViews(url: string, seed = 1): Promise<void> {
  const environments = await prepare(url, 'GET', `${project}/environments`)
  const { sdkKey } = environments.find(({ key }: { key: string }) => key === 'production')
  const events = shopViews(Date.now(), { seed }).map(({ unit, eventKey, at, productId }) => ({
    ...{ type: 'track', id: randomUUID(), unit, eventKey, ts: at, properties: { productId } },
  }))
  for (let from = 0; from < events.length; from += maxEvents)
    await prepare(url, 'POST', '/api/sdk/v1/events', { sdkKey, events: events.slice(from, from + maxEvents) })
}

/** Until the job that this request asks for has ended. */
export async function jobOf(url: string, path: string): Promise<void> {
  const { id } = await prepare(url, 'POST', `${project}${path}`)
  const job = () => prepare(url, 'GET', `${project}/commerce/jobs/${id}`)
  await vi.waitUntil(async () => (await job()).endedAt !== null, { timeout: 30_000, interval: 200 })
}

/** A dataset with a version, and a model with two runs that learn from it. */
export async function fillModels(url: string): Promise<void> {
  await sendViews(url)
  const name = 'Behaviour'
  const schedule = { every: 'DAY', at: '02:45', timezone: 'Europe/Amsterdam' }
  const existing = await prepare(url, 'GET', `${project}/datasets`)
  if (!existing.some(({ key }: { key: string }) => key === 'behaviour'))
    await prepare(url, 'POST', `${project}/datasets`, { name, kind: 'INTERACTIONS', schedule })
  await jobOf(url, '/datasets/behaviour/versions')
  // A catalog without these products holds the version.
  const [version] = await prepare(url, 'GET', `${project}/datasets/behaviour/versions`)
  await prepare(url, 'POST', `${project}/datasets/behaviour/versions/${version.id}/activate`)
  await prepare(url, 'POST', `${project}/recommendations/models`, {
    ...{ name: 'Viewed', strategy: 'VIEWED_TOGETHER', datasetId: 'behaviour', schedule: { ...schedule, at: '03:45' } },
  })
  for (let run = 0; run < 2; run += 1) await jobOf(url, '/recommendations/models/viewed/runs')
}
