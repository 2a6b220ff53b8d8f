import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { booleanFlag } from '../packages/server/testing/boolean-flag.ts'
import { freePort } from '../packages/server/testing/processes/port.ts'
import { type OpenService, openService, root } from './service.ts'
import { openSilentPort } from './silent-port.ts'

const execute = promisify(execFile)
const metricsToken = 'metrics-token-of-this-test'
// Reached only if nginx does not start.
const startLimitMs = 60_000
let service: OpenService
let sdkKey: string

beforeAll(async () => {
  service = await openService({ SVC_METRICS_TOKEN: metricsToken, SVC_TRUST_PROXY: 'loopback' })
  await service.call('POST', '/api/v1/projects', { name: 'Shop' })
  const [environment] = await service.call('GET', '/api/v1/projects/shop/environments')
  sdkKey = environment.sdkKey
})
afterAll(() => service?.stop())

describe.each([
  { name: 'deploy/compose/nginx.conf', isSecure: false, gone: 'answers nothing' },
  { name: 'deploy/proxies/nginx.conf', isSecure: true, gone: 'answers nothing' },
  { name: 'deploy/proxies/nginx.conf', isSecure: true, gone: 'refuses' },
])('$name, in front of a node that runs and one that $gone', ({ name, isSecure, gone }) => {
  let folder: string
  let port: number
  let nginx: ReturnType<typeof spawn>
  let printed = ''
  let silent: Awaited<ReturnType<typeof openSilentPort>> | undefined

  /** Calls through nginx, as a client that trusts its certificate. */
  const curl = async (path: string, ...options: string[]) => {
    const host = `flags.example.com:${port}`
    const place = ['--resolve', `${host}:127.0.0.1`, '--cacert', join(folder, 'fullchain.pem')]
    const address = `${isSecure ? 'https' : 'http'}://${host}${path}`
    return (await execute('curl', ['--silent', '--show-error', '--fail', '--http2', ...place, ...options, address]))
      .stdout
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-nginx-'))
    port = await freePort()
    const plainPort = await freePort()
    if (gone === 'answers nothing') silent = await openSilentPort()
    const deadPort = silent?.port ?? (await freePort())
    const subject = ['-subj', '/CN=flags.example.com', '-addext', 'subjectAltName=DNS:flags.example.com']
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
    await execute('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject])
    const given = await readFile(join(root, name), 'utf8')
    const nodes = `server 127.0.0.1:${deadPort} max_fails=1 fail_timeout=5s;\n  server ${service.url.slice('http://'.length)}`
    const site = given
      .replace(/server (svc-1|127\.0\.0\.1):4000/, nodes)
      .replace(/ {2}server svc-2.*\n/, '')
      .replaceAll('/etc/ssl/flags.example.com', folder)
      .replaceAll('[::]:', '[::1]:')
      .replace(/listen (\S+:)?443/g, (_, address = '') => `listen ${address}${port}`)
      .replace(/listen (\S+:)?80;/g, (_, address = '') => `listen ${address}${plainPort};`)
      .replace('listen 8080', `listen ${port}`)
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    )
    await writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
       events {} http { access_log off; ${kinds.join(' ')} ${site} }`,
    )
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
    nginx.stderr!.on('data', (chunk) => {
      printed += chunk
    })
    const readiness = () => curl('/readyz').catch((error) => Promise.reject(new Error(`${error} ${printed}`)))
    await vi.waitFor(readiness, startLimitMs)
  })
  afterAll(async () => {
    if (nginx && nginx.exitCode === null) {
      const exited = once(nginx, 'exit')
      nginx.kill('SIGQUIT')
      await exited
    }
    silent?.close()
    await rm(folder, { recursive: true })
  })

  it('answers every read, although a node is down', async () => {
    for (let call = 0; call < 10; call += 1)
      expect(await curl(`/api/sdk/v1/datafile/${sdkKey}.json`, '--max-time', '10')).toContain('"flags"')
  })

  it('passes the events of a stream on as they arrive', async () => {
    const stream = execFile('curl', [
      ...['--silent', '--no-buffer', '--http2', '--resolve', `flags.example.com:${port}:127.0.0.1`],
      ...['--cacert', join(folder, 'fullchain.pem')],
      `${isSecure ? 'https' : 'http'}://flags.example.com:${port}/api/sdk/v1/stream/${sdkKey}`,
    ])
    let seen = ''
    stream.stdout!.on('data', (chunk) => {
      seen += chunk
    })
    try {
      await expect.poll(() => seen).toContain('data:')
      const before = seen.length
      const key = `flag-${port}`
      await service.call('POST', '/api/v1/projects/shop/flags', booleanFlag(key))
      await service.call('POST', `/api/v1/projects/shop/flags/${key}/envs/production/run`)
      await expect.poll(() => seen.length).toBeGreaterThan(before)
    } finally {
      stream.kill()
    }
  })

  it('names the client, whatever address the client claims', async () => {
    await curl(
      '/api/v1/projects/shop/flags',
      ...['--header', `Authorization: Bearer ${service.token}`, '--header', 'Content-Type: application/json'],
      ...['--header', 'X-Forwarded-For: 203.0.113.9', '--data', JSON.stringify(booleanFlag(`from-${port}`))],
    )
    const [entry] = await service.call('GET', '/api/v1/audit?limit=1')
    expect(JSON.stringify(entry)).toContain('127.0.0.1')
    expect(JSON.stringify(entry)).not.toContain('203.0.113.9')
  })
})

it('the dashboard of Grafana and the alerts use metrics that the service has', async () => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text()
  const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!]))
  const has = (name: string) => {
    const base = name.replace(/_(bucket|count|sum)$/, '')
    return kinds.has(name) || kinds.get(base) === 'histogram'
  }
  const used = (path: string) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:svc|process|nodejs)_[a-z0-9_]+(?=\{)/g)].map(
      ([name]) => name,
    )
  for (const path of ['deploy/monitoring/grafana.json', 'deploy/monitoring/alerts.yaml']) {
    const names = new Set(used(path))
    expect(names.size).toBeGreaterThan(8)
    // Only nodes with ClickHouse have this one.
    expect([...names].filter((name) => name !== 'svc_clickhouse_up' && !has(name))).toEqual([])
  }
})
