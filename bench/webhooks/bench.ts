import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { makeAuthority } from '../../packages/server/src/platform/outbound/testing/certificates.ts'
import { startCluster } from '../../packages/server/testing/postgres.ts'
import type { ContenderName } from './contender.ts'

const rounds = 3
const deliveries = 10_000

const contenders: { name: ContenderName; text: string; durable: boolean }[] = [
  { name: 'undici', text: 'undici Pool, kept HTTPS connections, no queue (limit of sending)', durable: false },
  {
    name: 'claims',
    text: 'batched SKIP LOCKED claim and completion on PostgreSQL, nothing sent (limit of the queue)',
    durable: true,
  },
  { name: 'graphile-worker', text: 'graphile-worker on PostgreSQL, sending by the same undici Pool', durable: true },
  { name: 'svc-server', text: 'Svc on PostgreSQL', durable: true },
  { name: 'svc-embedded', text: 'Svc on its embedded database', durable: true },
]

interface Measured {
  perSecond: number
  perCpuSecond: number
}

/** 1 KB signed deliveries to 20 endpoints of one real HTTPS receiver, 64 at a time; each contender alone in a process. */
export async function run(): Promise<void> {
  const authority = await makeAuthority()
  const cluster = await startCluster()
  const certificate = await authority.issue(['localhost'])
  const receiver = spawn(process.execPath, [pathOf('receiver.ts')], {
    env: { ...process.env, BENCH_KEY: certificate.key, BENCH_CERT: certificate.cert },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = await once(receiver.stdout!.setEncoding('utf8'), 'data')
    const results = new Map<ContenderName, Measured[]>(contenders.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const { name } of contenders)
        results
          .get(name)
          ?.push(await measure(name, { port: String(port).trim(), cluster: cluster.url, ca: authority.caPath }))
    print(results)
  } finally {
    receiver.kill()
    await cluster.stop()
    await authority.remove()
  }
}

async function measure(name: ContenderName, to: { port: string; cluster: string; ca: string }): Promise<Measured> {
  const child = spawn(process.execPath, [pathOf('contender.ts'), name, String(deliveries), to.port, to.cluster], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: to.ca },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  const { seconds, cpuSeconds } = JSON.parse(text) as { seconds: number; cpuSeconds: number }
  return { perSecond: deliveries / seconds, perCpuSecond: deliveries / cpuSeconds }
}

function print(results: Map<ContenderName, Measured[]>): void {
  const median = (name: ContenderName, of: keyof Measured) => {
    const values = (results.get(name) ?? []).map((each) => each[of]).sort((one, other) => one - other)
    return values[Math.floor(values.length / 2)] ?? Number.NaN
  }
  const peer = median('graphile-worker', 'perSecond')
  console.log(
    `\nWebhooks: ${deliveries} deliveries, 1 KB, ${cpus().length} cores shared with database and receiver, Node ${process.version}, median of ${rounds}`,
  )
  console.log(
    '| deliveries a second | a CPU second of the sender | ratio to graphile-worker | what |\n|---|---|---|---|',
  )
  for (const { name, text } of contenders) {
    const perSecond = median(name, 'perSecond')
    const cells = [perSecond.toFixed(0), median(name, 'perCpuSecond').toFixed(0), (perSecond / peer).toFixed(2), text]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
