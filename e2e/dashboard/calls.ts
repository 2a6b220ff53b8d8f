import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { secrets } from '../../packages/server/testing/secrets.ts'
import { untilTaken } from '../turned-away.ts'
import { acmeToken } from './people.ts'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  body: any
}

/** Calls the API as a program, with a token for everything in Acme. */
export async function callAs(token: string, url: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = { status: response.status, body: await response.json() }
  secrets.note(token)
  secrets.noteBodies(body, answer.body)
  return answer
}

export async function prepare(url: string, method: string, path: string, body?: object) {
  const answer = await untilTaken(() => callAs(acmeToken, url, method, path, body))
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** Calls the API from the page, in the session of its user, for the organization with this id. */
export const callInPage = (page: Page, orgId: string, method: string, path: string, body?: object): Promise<Answer> =>
  page.evaluate(
    async ({ orgId, method, path, body }) => {
      const headers = { 'svc-org-id': orgId, ...(body && { 'content-type': 'application/json' }) }
      const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, body: await response.json() }
    },
    { orgId, method, path, body },
  )

/** A body for `POST …/flags`: Off before On, as the dashboard makes flags. */
export const offOn = (name: string, key: string) => ({
  name,
  key,
  type: 'BOOLEAN',
  variations: [
    { name: 'Off', key: 'off', value: 'false' },
    { name: 'On', key: 'on', value: 'true' },
  ],
  defaultVariationKey: 'off',
})

/** Tells the service, as an SDK does, that code has evaluated a flag in Production of the first project. */
export async function evaluate(url: string, flag: string): Promise<void> {
  const { sdkKey } = await prepare(url, 'GET', '/api/v1/projects/1/environments/production')
  const beat = { sdkKey, sdkType: 'node', sdkVersion: '1.0.0', instanceId: `for-${flag}`, revision: 1 }
  const body = JSON.stringify({ ...beat, evaluatedFlags: [flag] })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/api/sdk/heartbeat`, { method: 'POST', headers, body })
  expect(status).toBeLessThan(300)
  await expect
    .poll(async () => (await prepare(url, 'GET', `/api/v1/projects/1/flags/${flag}`)).environments)
    .toContainEqual(expect.objectContaining({ name: 'Production', lastEvaluatedAt: expect.any(String) }))
}
