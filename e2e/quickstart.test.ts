import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '../scripts/code-blocks.ts'
import { type RunningService, root, startService } from './service.ts'
import { openShell, type Shell } from './shell.ts'
import { shown } from './shown.ts'

const blocks = codeBlocks(readFileSync(`${root}docs/quickstart.md`, 'utf8'))
let service: RunningService
let shell: Shell

beforeAll(async () => {
  service = await startService()
  shell = openShell({ SVC_BASE_URL: service.url, SVC_DATA_DIR: service.dataDir })
})

afterAll(async () => {
  shell?.close()
  await service?.stop()
})

it('every command of the quickstart does what the page says', async () => {
  let running: Awaited<ReturnType<Shell['run']>> | undefined
  for (const { language, text, line } of blocks) {
    const where = `docs/quickstart.md:${line}`
    if (language === 'sh') running = await shell.run(text)
    else if (!running) throw new Error(`${where}: an output before any command`)
    else if (language === 'json') expect(answerIn(running.printed()), where).toEqual(shown(JSON.parse(text)))
    else await seesLines(running, text, where)
  }
  expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(10)
})

it('the service serves the same OpenAPI document as docs/openapi.json', async () => {
  const { servers, ...described } = (await (await fetch(`${service.url}/openapi.json`)).json()) as Record<
    string,
    unknown
  >
  const { servers: _printed, ...printed } = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8'))
  expect(described).toEqual(printed)
  expect(servers).toEqual([{ url: service.url }])
})

/** The API answer in the output: one line of JSON. */
function answerIn(printed: string): unknown {
  const line = printed.split('\n').find((each) => each.startsWith('{'))
  if (!line) throw new Error(`no answer in: ${printed}`)
  return JSON.parse(line)
}

/** Waits for lines that can still come. `…` marks text that the page leaves out. */
async function seesLines(running: Awaited<ReturnType<Shell['run']>>, text: string, where: string): Promise<void> {
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [beginning = ''] = line.split('…')
    await running.until(beginning)
    expect(running.printed().split('\n'), where).toContainEqual(shown(line))
  }
}
