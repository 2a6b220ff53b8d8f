import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import { abTest } from '../packages/server/testing/flags.ts'
import { proportion } from '../packages/server/testing/metrics.ts'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type OpenService, openService, root } from './service.ts'
import { openShell } from './shell.ts'
import { openSvcDoor, type SvcDoor } from './svc-door.ts'

/** In place of hosts in the text, which a machine without a network cannot resolve. Nothing listens there. */
const receiver = 'localhost:9'
const metricsToken = 'a token that only Prometheus has'.replaceAll(' ', '-')

let service: OpenService
let door: SvcDoor
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-reference-'))
  service = await openService({ SVC_METRICS_TOKEN: metricsToken, SVC_WEBHOOK_ALLOWED_HOSTS: receiver })
  door = await openSvcDoor()
})
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await rm(folder, { recursive: true, force: true })
})

const commandsOf = async (page: string) =>
  codeBlocks(await readFile(join(root, 'docs', page), 'utf8')).filter(({ language }) => language === 'sh')

/** Pages with single commands: they presuppose a project with a flag, `checkout`, and an A/B test in production. */
const pages = [
  'api.md',
  'audit.md',
  'destinations.md',
  'events.md',
  'exclusion-groups.md',
  'experiments.md',
  'live.md',
  'metrics.md',
  'monitoring.md',
  'publishing.md',
  'schedules.md',
  'statistics.md',
  'webhooks.md',
]

it.each(pages)('the service accepts each command of docs/%s', async (page) => {
  const name = page.replace('.md', '')
  const project = `/api/v1/projects/${name}`
  await service.call('POST', '/api/v1/projects', { name, key: name })
  await service.call('POST', `${project}/flags`, booleanFlag('checkout'))
  await service.call('POST', `${project}/flags/checkout/envs/production/rules`, abTest('Test'))
  if (page === 'experiments.md') await service.call('POST', `${project}/metrics`, proportion('order_paid'))
  if (page === 'api.md') {
    await service.call('POST', `${project}/environments`, { name: 'Staging', key: 'staging' })
    await service.call('POST', `${project}/holdouts`, { name: 'Of the year', key: 'year', share: 500 })
  }
  const { sdkKey } = await service.call('GET', `${project}/environments/production`)
  const shell = openShell({
    SVC_URL: service.url,
    SVC_TOKEN: service.token,
    SVC_PROJECT: name,
    SVC_ENV: 'production',
    SVC_SDK_KEY: sdkKey,
    SVC_METRICS_TOKEN: metricsToken,
    ...door.env,
  })
  try {
    // Some commands write files.
    await shell.run(`cd '${folder}'`)
    // Without this, curl treats a refusal as a success.
    await shell.run('curl() { command curl --fail-with-body "$@"; }')
    const commands = await commandsOf(page)
    expect(commands).not.toEqual([])
    for (const { text } of commands) await shell.run(text.replace(/hooks\.(slack|example)\.com/, receiver))
  } finally {
    shell.close()
  }
})

/** Who runs the commands of the other pages. */
const runBy: Record<string, string> = {
  'catalog.md': 'guides.test.ts',
  'catalog-sources.md': 'guides.test.ts',
  'ci.md': 'guides.test.ts',
  'cli.md': 'cli.test.ts',
  'configuration-as-code.md': 'configuration.test.ts',
  'erasure.md': 'guides.test.ts',
  'example-shop.md': 'example-shop.test.ts',
  'ingest-keys.md': 'guides.test.ts',
  'kill-switch.md': 'guides.test.ts',
  'openfeature.md': 'ofrep.test.ts',
  'orders.md': 'guides.test.ts',
  'python.md': 'python.test.ts',
  'quickstart.md': 'quickstart.test.ts',
  'recommendation-models.md': 'guides.test.ts',
  'recommendations.md': 'guides.test.ts',
  'rollout.md': 'guides.test.ts',
  'sdk-keys.md': 'guides.test.ts',
  'stale-flags.md': 'typed-flags.test.ts',
  'testing-in-production.md': 'guides.test.ts',
  'testing.md': 'guides.test.ts',
  'troubleshooting.md': 'guides.test.ts',
  'typed-flags.md': 'typed-flags.test.ts',
  'web-experiments.md': 'guides.test.ts',
}
/** Their commands need what a test machine does not have: Docker, Kubernetes, systemd as the first process. */
const notRun = ['docker.md', 'kubernetes.md', 'systemd.md']

it('every page with commands is run by a test, or is known to need more than a test machine has', async () => {
  const all = (await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md'))
  const withCommands: string[] = []
  for (const page of all) if ((await commandsOf(page)).length > 0) withCommands.push(page)
  expect(withCommands.sort()).toEqual([...pages, ...Object.keys(runBy), ...notRun].sort())
  for (const [page, test] of Object.entries(runBy)) {
    const source = await readFile(join(root, 'e2e', test), 'utf8')
    const name = page.replace('.md', '')
    expect(source.includes(`docs/${page}`) || source.includes(`'${page}'`) || source.includes(`'${name}'`), page).toBe(
      true,
    )
  }
})
