import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDescription } from '../../../../../scripts/api-description.ts'
import { editorToken, newSite, type TestSite } from '../../../testing/editors.ts'
import { newPerson } from '../../../testing/people.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import type { TestService } from '../../../testing/service.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const { paths } = (await apiDescription()) as unknown as {
  paths: Record<string, Record<string, { security?: object[] }>>
}
/** Every route that requires a credential of ours. */
const routes = Object.entries(paths)
  .filter(([path]) => /^\/api\/(v1|dashboard)\//.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((each) => 'bearer' in each || 'session' in each))
      .map(([method]) => ({ method: method.toUpperCase() as Method, path })),
  )

const experiment = '/api/v1/projects/{projectId}/experiments/{experimentId}'
const ofPerson = '/api/dashboard/projects/{projectId}/experiments/{experimentId}'
const opened = [
  `GET ${experiment}`,
  `GET ${experiment}/variations/{variationKey}/hand-off`,
  `GET ${experiment}/variations/{variationKey}/changes`,
  `PUT ${experiment}/variations/{variationKey}/changes`,
  `GET ${experiment}/variations/{variationKey}/code`,
  `PUT ${experiment}/variations/{variationKey}/code`,
  `POST ${experiment}/try`,
  `GET ${experiment}/previews`,
  `POST ${experiment}/previews`,
  `DELETE ${experiment}/previews/{previewId}`,
  `DELETE ${ofPerson}/editor-sessions/{editorSessionId}`,
  `POST ${ofPerson}/editor-sessions/{editorSessionId}/code`,
  `POST ${ofPerson}/presence`,
]

let service: TestService
let site: TestSite
let token: string
let ids: Record<string, string>

beforeAll(async () => {
  service = (await startWebhookTest()).service
  site = await newSite(service)
  ids = { ...(await oneOfEach(service)), revision: '0' }
  token = await editorToken(service, await newPerson(service, { role: 'OWNER' }), site)
})
afterAll(() => service.close())

/** No route knows this field. A route that reads its body refuses it, so nothing changes. */
const unknownField = { 'unknown to all': true }

async function answerTo({ method, path }: { method: Method; path: string }, all: Record<string, string>) {
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => idsOn(path, all)[name] ?? crypto.randomUUID())
  const { status, body } = await service.call(token, method, url, method === 'GET' ? undefined : unknownField)
  return [status, body?.error?.code]
}

describe('the token of an editor, also that of an owner,', () => {
  test('is refused by every route that does not say that it opens to editors', async () => {
    expect(routes.length).toBeGreaterThan(150)
    const others = routes.filter(({ method, path }) => !opened.includes(`${method} ${path}`))
    expect(others.length).toBe(routes.length - opened.length)
    for (const route of others)
      expect(await answerTo(route, ids), `${route.method} ${route.path}`).toEqual([401, 'unauthorized'])
  })

  test.each(opened.map((each) => each.split(' ') as [Method, string]))(
    'opens %s %s for its own experiment, and finds no other one',
    async (method, path) => {
      const place = { projectId: site.project.id, experimentId: site.experimentId }
      const own = { ...ids, ...place, webProjectId: place.projectId, webExperimentId: place.experimentId }
      const [status] = await answerTo({ method, path }, own)
      // A session that is not there is not found, either.
      if (path.includes('{editorSessionId}')) expect(status).toBe(404)
      else expect(status).toBe(method === 'GET' ? 200 : 400)
      expect(await answerTo({ method, path }, ids)).toEqual([404, 'not_found'])
    },
  )
})
