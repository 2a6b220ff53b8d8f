import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { releasedPackages } from './released.ts'
import { root } from './service.ts'

const execute = promisify(execFile)
let folder: string
let packed: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-publish-'))
  packed = await releasedPackages(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('publint finds nothing in any package', async () => {
  expect(packed).toHaveLength(4)
  for (const file of packed) await execute(join(root, 'node_modules/.bin/publint'), ['run', '--strict', file])
})

it('npm would publish every package as it is, to a registry without any of them', async () => {
  const asked: string[] = []
  const registry = createServer(({ method }, response) => {
    asked.push(method!)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  try {
    await once(registry, 'listening')
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
    const options = ['--dry-run', '--json', '--access', 'public', '--registry', address]
    const published = []
    for (const file of packed)
      published.push(...Object.keys(JSON.parse((await execute('npm', ['publish', ...options, file])).stdout)))
    expect(published.sort()).toEqual(['@svc/cli', '@svc/client', '@svc/sdk', '@svc/server'])
    expect(packed.every((file) => file.endsWith(`-${version}.tgz`))).toBe(true)
    // A dry run only looks.
    expect(new Set(asked)).toEqual(new Set(['GET']))
  } finally {
    registry.close()
  }
})
