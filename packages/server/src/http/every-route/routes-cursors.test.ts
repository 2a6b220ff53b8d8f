import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFlag,
  createProject,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/service.ts'

let service: TestService
let project: TestProject
let other: TestProject
let admin: string

beforeAll(async () => {
  service = await startTestService()
  admin = service.people.admin
  project = await createProject(service)
  other = await createProject(service)
  for (const key of ['a', 'b', 'c', 'd', 'e']) await createFlag(service, project, key)
  for (const key of ['x', 'y']) await createFlag(service, other, key)
  for (const name of ['Three', 'Four', 'Five'])
    await service.call(admin, 'POST', `${project.path}/environments`, { name })
})
afterAll(() => service.close())

const list = async (path: string, who = admin, headers = {}) => {
  const { status, body } = await service.call(who, 'GET', path, undefined, headers)
  return { status, ...body }
}

/** Reads every item of a list, page by page. */
async function walk(path: string, limit: number) {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data, page } = await list(`${path}?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    expect(page.hasMore).toBe(page.nextCursor !== null)
    pages.push(data.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  }
  return pages
}

test.each([1, 2, 3, 5, 100])('pages of %i contain every item once and in order', async (limit) => {
  for (const name of ['flags', 'environments']) {
    const pages = await walk(`${project.path}/${name}`, limit)
    const ids = pages.flat()
    expect(pages.map((page) => page.length).slice(0, -1)).toEqual(Array(Math.ceil(5 / limit) - 1).fill(limit))
    expect([ids.length, new Set(ids).size]).toEqual([5, 5])
    const oldestFirst = ids.toSorted()
    expect(ids).toEqual(name === 'flags' ? oldestFirst.toReversed() : oldestFirst)
  }
})

test('items created between two pages do not move others', async () => {
  const first = await list('/api/v1/projects?limit=1')
  await createProject(service)
  const second = await list(`/api/v1/projects?limit=1&cursor=${first.page.nextCursor}`)
  expect(second.data[0].id < first.data[0].id).toBe(true)
})

test('a cursor does not work for a different kind, project, organization or filter', async () => {
  const { page } = await list(`${project.path}/flags?limit=1&status=DRAFT`)
  const cursor = `cursor=${page.nextCursor}`
  const answers = [
    await list(`${project.path}/flags?${cursor}&status=DRAFT`),
    await list(`${project.path}/flags?${cursor}`),
    await list(`${project.path}/flags?${cursor}&status=DRAFT&type=BOOLEAN`),
    await list(`${project.path}/environments?${cursor}`),
    await list(`${other.path}/flags?${cursor}&status=DRAFT`),
    await list(`/api/v1/projects?${cursor}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400])
  for (const { error } of answers.slice(1)) expect(error.details.issues).toMatchObject([{ path: ['cursor'] }])
})

test('a cursor does not work in a different organization', async () => {
  const { page } = await list('/api/v1/projects?limit=1', service.people.consultant, { 'svc-org-id': '1' })
  const path = `/api/v1/projects?cursor=${page.nextCursor}`
  const statuses = []
  for (const id of ['1', '2']) statuses.push((await list(path, service.people.consultant, { 'svc-org-id': id })).status)
  expect(statuses).toEqual([200, 400])
})

test('a cursor works for every caller with access to the list, and with a different limit', async () => {
  const { page } = await list('/api/v1/projects?limit=1')
  expect((await list(`/api/v1/projects?limit=7&cursor=${page.nextCursor}`, service.people.projectsRead)).status).toBe(
    200,
  )
})

test('a cursor with changes is refused', async () => {
  const { page } = await list('/api/v1/projects?limit=1')
  const good = String(page.nextCursor)
  const flipped = (at: number) => good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1)
  const forged = Buffer.from(project.id).toString('base64url')
  for (const cursor of [
    flipped(0),
    flipped(good.length - 1),
    flipped(20),
    `${good}A`,
    good.slice(1),
    forged,
    project.id,
  ])
    expect((await list(`/api/v1/projects?cursor=${encodeURIComponent(cursor)}`)).status, cursor).toBe(400)
})
