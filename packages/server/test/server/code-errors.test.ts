import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codedExperiment, ruleNameOf, sendErrors } from '../../testing/code-errors.ts'
import { succeed } from '../../testing/flags.ts'
import { joinTestService, startTestService, type TestService } from '../../testing/service.ts'

let nodes: [TestService, TestService]

beforeAll(async () => {
  const first = await startTestService()
  nodes = [first, await joinTestService(first)]
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close()
})

test('visitors who meet an error at two nodes count once, and it is reported once', async () => {
  const [one, other] = nodes
  const experiment = await codedExperiment(one)
  const ruleId = await ruleNameOf(one, experiment)
  const [shared, ...own] = experiment.visitors('price', 3)
  await expect.poll(async () => (await sendErrors(other, experiment, [{ unit: own[1], ruleId }])).body.accepted).toBe(1)
  await sendErrors(
    one,
    experiment,
    [shared, own[0]].map((unit) => ({ unit, ruleId })),
  )
  await sendErrors(other, experiment, [{ unit: shared, ruleId }])
  await Promise.all(nodes.map((node) => node.codeErrors.flush()))
  await Promise.all(nodes.map((node) => node.codeErrors.judge()))
  expect(await succeed(other, 'GET', `${experiment.path}/errors`)).toMatchObject([{ visitors: 3, count: 4 }])
  const { rows } = await sql<{ alarm: object }>`
    select payload -> 'alarm' as alarm from events
    where name = 'experiment.code_error_detected' and payload #>> '{experiment,id}' = ${experiment.id}`.execute(one.db)
  expect(rows).toMatchObject([{ alarm: { visitors: 3, paused: false } }])
})

test('of two nodes that flood, an experiment keeps 200 errors together', async () => {
  const [one, other] = nodes
  const experiment = await codedExperiment(one)
  const ruleId = await ruleNameOf(one, experiment)
  const [unit] = experiment.visitors('price', 1)
  const messages = (prefix: string) =>
    Array.from({ length: 150 }, (_, each) => ({
      ...{ unit, ruleId },
      message: `${prefix} ${String.fromCharCode(97 + (each % 26), 97 + Math.floor(each / 26))}`,
    }))
  await expect.poll(async () => (await sendErrors(other, experiment, messages('other'))).body.accepted).toBe(150)
  await sendErrors(one, experiment, messages('one'))
  await Promise.all(nodes.map((node) => node.codeErrors.flush()))
  expect(await succeed(one, 'GET', `${experiment.path}/errors`)).toHaveLength(200)
})
