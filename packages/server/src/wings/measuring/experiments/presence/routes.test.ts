import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { editorToken, newSite, type TestSite } from '../../../../../testing/editors.ts'
import { succeed } from '../../../../../testing/flags.ts'
import { newPerson, type TestPerson } from '../../../../../testing/people.ts'
import { joinTestService, startTestService, type TestService } from '../../../../../testing/service.ts'
import { openStream, type TestStream } from '../../../../../testing/streams.ts'

let service: TestService
let url: string
let orgId: string
let site: TestSite
let ada: TestPerson
let grace: TestPerson
const open: TestStream[] = []

beforeAll(async () => {
  service = await startTestService()
  url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  orgId = (await succeed(service, 'GET', '/api/v1/organization')).id
  site = await newSite(service)
  ada = await newPerson(service, { role: 'EDITOR' })
  grace = await newPerson(service, { role: 'EDITOR' })
})
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})
afterAll(() => service.close())

const here = { variationKey: 'variation-1', place: 'FORM' }
const say = (person: TestPerson, body: object = here, on = site) =>
  person.inSession('POST', `${on.dashboard}/presence`, body)
const shown = ({ id, name }: TestPerson, place = 'FORM') => ({
  ...{ userId: id, name, variationKey: 'variation-1', place, since: expect.stringMatching(/Z$/) },
})

/** The next message about presence of this experiment. */
async function nextPresence(stream: TestStream, { experimentId }: TestSite) {
  for (;;) {
    const block = await stream.next()
    if (block === null) return null
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)))
    if (fields.event !== 'presence') continue
    const data = JSON.parse(fields.data!)
    if (data.experimentId === experimentId) return data
  }
}

/** Waits until the stream has begun. */
async function listen({ cookie }: TestPerson) {
  const stream = await openStream(`${url}/api/dashboard/stream?orgId=${orgId}`, { cookie })
  open.push(stream)
  while (!(await stream.next())?.includes('event: ready'));
  return stream
}

describe('somebody who says where they edit', () => {
  test('hears who else does, from the form and from the editor', async () => {
    expect((await say(ada)).body.data).toEqual({ people: [] })
    expect((await say(grace)).body.data).toEqual({ people: [shown(ada)] })
    const token = await editorToken(service, grace, site)
    const inEditor = { ...here, place: 'EDITOR' }
    const answer = await service.call(token, 'POST', `${site.dashboard}/presence`, inEditor)
    expect(answer.body.data).toEqual({ people: [shown(ada)] })
    expect((await say(ada)).body.data.people).toEqual([shown(grace, 'EDITOR'), shown(grace)])
    await service.call(token, 'POST', `${site.dashboard}/presence`, { ...inEditor, leaving: true })
    expect((await say(ada)).body.data.people).toEqual([shown(grace)])
  })

  test('may change experiments, and no token of a program can', async () => {
    expect((await say(await newPerson(service))).status).toBe(403)
    expect((await service.call(ada.token, 'POST', `${site.dashboard}/presence`, here)).status).toBe(401)
  })

  test('is heard on other nodes', async () => {
    // The embedded database has one node.
    if (service.database.kind === 'embedded') return
    const other = await joinTestService(service)
    try {
      const own = await newSite(service)
      await say(ada, here, own)
      const heard = async () =>
        (
          await other.call(null, 'POST', `${own.dashboard}/presence`, here, {
            ...{ cookie: grace.cookie, 'sec-fetch-site': 'same-origin' },
          })
        ).body.data.people
      await expect.poll(heard).toEqual([shown(ada)])
    } finally {
      await other.close()
    }
  })
})

describe('a stream of the dashboard', () => {
  test('tells readers of experiments who edits, also those who come later', async () => {
    const own = await newSite(service)
    const viewer = await newPerson(service)
    const first = await listen(viewer)
    await say(ada, here, own)
    const { projectId, experimentId } = { projectId: own.project.id, experimentId: own.experimentId }
    expect(await nextPresence(first, own)).toEqual({ projectId, experimentId, people: [shown(ada)] })
    expect(await nextPresence(await listen(viewer), own)).toEqual({ projectId, experimentId, people: [shown(ada)] })
    await say(ada, { ...here, leaving: true }, own)
    expect(await nextPresence(first, own)).toEqual({ projectId, experimentId, people: [] })
  })

  test('tells nothing of projects that its person does not see', async () => {
    const [hidden, seen] = [await newSite(service), await newSite(service)]
    const stream = await listen(await newPerson(service, { projectIds: [seen.project.id] }))
    await say(ada, here, hidden)
    await say(ada, here, seen)
    for (;;) {
      const block = await stream.next()
      expect(block).not.toContain(hidden.experimentId)
      if (block?.includes(seen.experimentId) && block.includes('presence')) break
    }
  })
})
