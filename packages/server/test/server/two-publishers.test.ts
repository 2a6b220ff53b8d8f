import { createHash } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addRule, delivery, newFlag, stringFlag, succeed } from '../../testing/flags.ts'
import { createProject, joinTestService, startTestService, type TestService } from '../../testing/service.ts'

const pollMs = 10

test('two nodes that change one environment concurrently make each revision once and end with the same bytes', async () => {
  const one = await startTestService()
  const other = await joinTestService(one)
  const nodes = [one, other]
  const project = await createProject(one)
  const url = `/api/sdk/v1/datafile/${project.production.sdkKey}.json`
  const file = (node: TestService) => node.call(null, 'GET', url)
  await Promise.all(nodes.map(file))

  const lane = async (number: number) => {
    const node = nodes[number % 2]!
    const flag = await newFlag(node, project, stringFlag(`flag-${number}`, 'off', 'on'))
    await addRule(node, flag.production, delivery('Rule'))
    for (const verb of ['run', 'pause', 'run']) await succeed(node, 'POST', `${flag.production}/${verb}`)
    await succeed(node, 'PATCH', flag.path, { name: 'No change of bytes' })
  }
  await Promise.all(Array.from({ length: 12 }, (_, number) => lane(number)))

  const revisions = await succeed(
    one,
    'GET',
    `${project.path}/environments/${project.production.id}/revisions?limit=100`,
  )
  const expected = 12 * 4
  expect(revisions.map(({ revision }: { revision: number }) => revision)).toEqual(
    Array.from({ length: expected + 1 }, (_, index) => expected - index),
  )
  for (const node of nodes) {
    // Ask again until it has the revision, because the other node learns of a commit from a notice.
    while ((await file(node)).body.revision < expected) await later(pollMs)
    const { text, headers } = await file(node)
    expect(`"sha256-${createHash('sha256').update(text).digest('hex')}"`).toBe(headers.etag)
    expect(headers.etag).toBe(revisions[0].etag)
  }
  await other.close()
  await one.close()
})
