import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abTest, addRule, newFlag, succeed } from '../../testing/flags.ts'
import {
  createProject,
  joinTestService,
  startTestService,
  type TestProject,
  type TestService,
} from '../../testing/service.ts'

let nodes: [TestService, TestService]
let project: TestProject

beforeAll(async () => {
  const first = await startTestService()
  nodes = [first, await joinTestService(first)]
  project = await createProject(first)
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close()
})

const event = (more: object = {}) => ({
  type: 'track',
  id: randomUUID(),
  ts: Date.now(),
  unit: 'u-17',
  eventKey: 'order_paid',
  ...more,
})
const send = (node: TestService, events: unknown[]) =>
  node.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: project.production.sdkKey, events })

test('the same events at two nodes at once count once', async () => {
  const events = Array.from({ length: 300 }, () => event())
  const answers = await Promise.all(
    [0, 1, 0, 1].map((place, turn) => send(nodes[place]!, turn < 2 ? events : events.toReversed())),
  )
  const sum = (field: 'accepted' | 'duplicates') => answers.reduce((sum, { body }) => sum + body[field], 0)
  expect([sum('accepted'), sum('duplicates')]).toEqual([300, 900])
  const { rows } = await sql`
    select from tracked_events where id = any(${events.map(({ id }) => id)}::uuid[])`.execute(nodes[0].db)
  expect(rows).toHaveLength(300)
})

test('a rule that starts at one node counts at the other', async () => {
  const [one, other] = nodes
  await send(other, [event({ type: 'exposure', ruleId: '1', variationKey: 'on' })])
  const flag = await newFlag(one, project, { key: 'fresh' })
  const { shortId } = await addRule(one, flag.production, abTest('Fresh'))
  await succeed(one, 'POST', `${flag.production}/run`)
  const shown = () => event({ type: 'exposure', ruleId: String(shortId), variationKey: 'on' })
  expect((await send(other, [shown()])).body).toMatchObject({ accepted: 1, rejected: [] })
  expect((await send(one, [shown()])).body).toMatchObject({ accepted: 1, rejected: [] })
})
