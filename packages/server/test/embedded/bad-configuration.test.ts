import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../testing/processes/port.ts'
import { programOf } from '../../testing/processes/program.ts'
import { surroundings } from '../../testing/processes/surroundings.ts'

const main = programOf('main')
const password = 'hunter2-hunter2'
const key = 'A'.repeat(43)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-configuration-'))
  await writeFile(join(folder, 'broken.json'), `{"organizations": [{ "secret": "${password}"`)
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ organisations: [], organizations: [{ name: 7 }] }))
})
afterAll(() => rm(folder, { recursive: true }))

async function start(settings: Record<string, string>) {
  const begun = performance.now()
  const child = spawn(process.execPath, [main], {
    env: {
      ...surroundings(),
      SVC_PORT: String(await freePort()),
      SVC_DATA_DIR: join(folder, 'data'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  console.info(`D4 ended after ${Math.round(performance.now() - begun)} ms`)
  return { out, lines: err.trimEnd().split('\n'), code }
}

const database = `postgres://svc:${password}@127.0.0.1:1/svc`

test.each<[string, () => Record<string, string>, RegExp[]]>([
  [
    'wrong, unknown and missing settings',
    () => ({ SVC_PORT: 'http', SVC_ROLE: 'boss', SVC_PORTS: '1', SVC_DATABASE_URL: database }),
    [/SVC_PORT must/, /SVC_ROLE must/, /SVC_PORTS is not a setting/, /SVC_SECRET_KEY is required/],
  ],
  ['an invalid key', () => ({ SVC_SECRET_KEY: password }), [/SVC_SECRET_KEY must/]],
  [
    'an invalid mail server',
    () => ({ SVC_SMTP_URL: `https://me:${password}@mail.test` }),
    [/SVC_SMTP_URL must/, /SVC_MAIL_FROM is required/],
  ],
  [
    'invalid providers',
    () => ({ SVC_OIDC_PROVIDERS: JSON.stringify([{ id: 'acme', clientSecret: password }]) }),
    [/SVC_OIDC_PROVIDERS is not valid/],
  ],
  [
    'an unreachable database',
    () => ({ SVC_DATABASE_URL: database, SVC_SECRET_KEY: key }),
    [/^svc: PostgreSQL at 127\.0\.0\.1:1\/svc: connect ECONNREFUSED/],
  ],
  [
    'a missing provisioning file',
    () => ({ SVC_BOOTSTRAP_FILE: join(folder, 'none.json') }),
    [/SVC_BOOTSTRAP_FILE: .*none/],
  ],
  ['a broken provisioning file', () => ({ SVC_BOOTSTRAP_FILE: join(folder, 'broken.json') }), [/SVC_BOOTSTRAP_FILE:/]],
  [
    'a provisioning file with wrong fields',
    () => ({ SVC_BOOTSTRAP_FILE: join(folder, 'wrong.json') }),
    [/SVC_BOOTSTRAP_FILE: .*name/, /SVC_BOOTSTRAP_FILE: .*organisations/],
  ],
])('D4 %s: exits with 1 and prints one line per fault without secrets', async (_what, settings, faults) => {
  const { out, lines, code } = await start(settings())
  expect([code, out]).toEqual([1, ''])
  for (const line of lines) expect(line).toMatch(/^svc: /)
  for (const fault of faults)
    expect(
      lines.filter((line) => fault.test(line)),
      lines.join('\n'),
    ).toHaveLength(1)
  expect(lines.join()).not.toContain(password)
})
