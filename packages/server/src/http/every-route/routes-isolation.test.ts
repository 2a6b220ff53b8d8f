import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparableError } from '../../../testing/comparable-error.ts'
import { isFull } from '../../../testing/full.ts'
import { idsOn, oneOfEach } from '../../../testing/resources.ts'
import type { TestService } from '../../../testing/service.ts'
import { startWebhookTest } from '../../../testing/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Operation {
  method: Method
  path: string
  /** Names in the path, in order: projectId, flagId… */
  names: string[]
}

let service: TestService
let operations: Operation[]
/**
 * The ids for every name in a path, in three places: a project, a second project of the same organization, and one of a
 * different organization.
 */
let mine: Record<string, string>
let neighbour: Record<string, string>
let foreign: Record<string, string>

beforeAll(async () => {
  service = (await startWebhookTest()).service
  mine = await oneOfEach(service)
  neighbour = await oneOfEach(service)
  foreign = await oneOfEach(service, service.people.stranger)
  const { body } = await service.call(null, 'GET', '/openapi.json')
  operations = Object.entries(body.paths as Record<string, Record<string, { security: object[] }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        // An SDK key opens one environment. It names no other.
        .filter(([, { security }]) => !security.some((each) => 'sdkKey' in each))
        .map(([method]) => ({
          method: method.toUpperCase() as Method,
          path,
          names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        })),
  )
})
afterAll(() => service.close())

const unknownIds = () => new Proxy({}, { get: () => crypto.randomUUID() }) as Record<string, string>

async function answerOf({ method, path }: Operation, who: string, ids: Record<string, string>) {
  const named: Record<string, string> = {}
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    named[name] = ids[name] ?? crypto.randomUUID()
    return named[name]
  })
  const answer = await service.call(who, method, url)
  return { status: answer.status, error: comparableError(answer, named) }
}

/** A page opens for every link, and says by itself that one is unknown. */
const opensPage = '/api/dashboard/unsubscribe/{link}'

const withIds = () =>
  operations.filter(({ method, path, names }) => names.length > 0 && `${method} ${path}` !== `GET ${opensPage}`)

test('the document lists the tested routes', () => {
  expect(withIds().length).toBeGreaterThan(20)
})

test('every route answers for resources of others as for unknown ids', async () => {
  for (const operation of withIds()) {
    const label = `${operation.method} ${operation.path}`
    const theirs = await answerOf(operation, service.people.stranger, idsOn(operation.path, mine))
    const nobodys = await answerOf(operation, service.people.stranger, unknownIds())
    expect(theirs, label).toEqual(nobodys)
    expect([theirs.status, theirs.error.code], label).toEqual([404, 'not_found'])
  }
})

test("every route answers for a foreign child in one's own project as for an unknown child", async () => {
  // The key of a variation is no id: another experiment can have the same one.
  for (const operation of withIds().filter(({ names }) => names.length > 1))
    for (const name of operation.names.slice(1).filter((each) => each !== 'variationKey')) {
      const own = idsOn(operation.path, mine)
      const label = `${operation.method} ${operation.path} with the ${name} of`
      const nobodys = await answerOf(operation, service.people.admin, { ...own, [name]: crypto.randomUUID() })
      for (const [whose, other] of Object.entries({ foreign, neighbour })) {
        const theirs = await answerOf(operation, service.people.admin, {
          ...own,
          [name]: idsOn(operation.path, other)[name]!,
        })
        expect(theirs, `${label} ${whose}`).toEqual(nobodys)
        expect(theirs.status, `${label} ${whose}`).toBe(404)
      }
    }
})

test('an invalid id gets the same answer', async () => {
  const odds = ['x', '%20', '00', '-1', "'", '%F0%9F%98%80', 'x'.repeat(150)]
  // One function reads the ids of all routes. A full run sends each to each of them.
  for (const [place, operation] of withIds().entries())
    for (const odd of isFull ? odds : [odds[place % odds.length]!]) {
      const last = operation.names.at(-1)!
      const { status, error } = await answerOf(operation, service.people.admin, {
        ...idsOn(operation.path, mine),
        [last]: odd,
      })
      expect([status, error.code], `${operation.method} ${operation.path} ${odd}`).toEqual([404, 'not_found'])
    }
})

test('nothing has changed', async () => {
  for (const [who, ids] of [
    [service.people.admin, mine],
    [service.people.admin, neighbour],
    [service.people.stranger, foreign],
  ] as const)
    for (const operation of withIds().filter(
      ({ method, names }) => method === 'GET' && names.every((name) => ids[name]),
    ))
      expect((await answerOf(operation, who, idsOn(operation.path, ids))).status, operation.path).toBe(200)
})
