import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/databases/database.ts'
import { startTestService } from '../../testing/service.ts'
import { openBrowser } from '../../testing/sessions.ts'

test('three nodes that start at once print a link each, and one of them creates the owner', async () => {
  const { address, remove } = await createTestDatabase()
  const links: string[] = []
  const log = pino({}, { write: (line) => void links.push(...(/sign-up#([\w-]{43})/.exec(line)?.slice(1) ?? [])) })
  const settings = { SVC_BOOTSTRAP_FILE: '', SVC_SECRET_KEY: 'A'.repeat(43) }
  const nodes = await Promise.all([1, 2, 3].map(() => startTestService({ address, settings, log })))
  expect(new Set(links).size).toBe(3)
  for (const link of links)
    expect(await openBrowser(nodes[0]!).call('POST', '/api/dashboard/links/check', { link })).toMatchObject({
      status: 200,
    })

  const tries = links.flatMap((link) => nodes.map((node) => ({ link, node })))
  const answers = await Promise.all(
    tries.map(({ link, node }, number) =>
      openBrowser(node).call('POST', '/api/dashboard/sign-up', {
        link,
        organizationName: 'Harbour',
        name: 'Olive',
        email: `olive-${number}@harbour.test`,
        password: 'violet lantern over 42 harbours',
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 404)).toHaveLength(tries.length - 1)
  for (const node of nodes) await node.close()
  await remove()
})
