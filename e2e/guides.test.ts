import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type OpenService, openService, root } from './service.ts'
import { openShell } from './shell.ts'
import { openSvcDoor, type SvcDoor } from './svc-door.ts'

let service: OpenService
let door: SvcDoor
let folder: string

beforeAll(async () => {
  service = await openService()
  door = await openSvcDoor()
  folder = await mkdtemp(join(tmpdir(), 'svc-guides-'))
})
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await rm(folder, { recursive: true, force: true })
})

const guides = [
  { name: 'rollout', blocks: 6 },
  { name: 'kill-switch', blocks: 4 },
  { name: 'testing-in-production', blocks: 3 },
  { name: 'testing', blocks: 2 },
  { name: 'ci', blocks: 3 },
  { name: 'sdk-keys', blocks: 4 },
  { name: 'ingest-keys', blocks: 4 },
  { name: 'erasure', blocks: 2 },
  { name: 'catalog', blocks: 6 },
  { name: 'catalog-sources', blocks: 4 },
  { name: 'orders', blocks: 4 },
  { name: 'recommendation-models', blocks: 2 },
  { name: 'recommendations', blocks: 3 },
  { name: 'web-experiments', blocks: 15 },
  { name: 'troubleshooting', blocks: 2, before: 'svc flag create new-search' },
]

it.each(guides)('the commands of the guide $name do what it says', async ({ name, blocks, before }) => {
  const project = name
  await service.call('POST', '/api/v1/projects', { name, key: project })
  const [{ sdkKey }] = await service.call('GET', `/api/v1/projects/${project}/environments`)
  const shell = openShell({
    SVC_URL: service.url,
    SVC_TOKEN: service.token,
    SVC_PROJECT: project,
    SVC_ENV: 'production',
    SVC_SDK_KEY: sdkKey as string,
    XDG_CONFIG_HOME: folder,
    ...door.env,
  })
  try {
    await shell.run(`cd '${folder}'`)
    if (before) await shell.run(before)
    const commands = codeBlocks(await readFile(join(root, `docs/${name}.md`), 'utf8')).filter(
      ({ language }) => language === 'sh',
    )
    expect(commands).toHaveLength(blocks)
    // The service fetches from there, and a test must not leave this machine.
    for (const { text } of commands) await shell.run(text.replaceAll('//example.com/', '//localhost:9/'))
  } finally {
    shell.close()
  }
})
