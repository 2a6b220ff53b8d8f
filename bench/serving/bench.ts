import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type Program, percentile, startProgram, startSvc } from '../program.ts'
import { load } from './load.ts'

const rounds = 3
const seconds = 5
const connections = 16
const targets = { '200 br': 60_000, '304': 70_000 }

type Kind = keyof typeof targets

interface Measured {
  perCpuSecond: number
  p99Ms: number
}

/** Measures the data file of 500 flags, compressed and not modified, and node:http with the same bytes. */
export async function run(): Promise<void> {
  const svc = await startSvc()
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const path = `/api/sdk/v1/datafile/${svc.sdkKey}.json`
  const { etag, body } = await compressed(svc.port, path)
  await writeFile(join(folder, 'body'), body)
  const env = { BENCH_BODY: join(folder, 'body'), BENCH_ETAG: etag }
  const prototype = await startProgram(new URL('prototype.ts', import.meta.url), env)
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n`
  const requests = { '200 br': `${head}\r\n`, '304': `${head}If-None-Match: ${etag}\r\n\r\n` }
  const contenders: [string, Program][] = [
    ['node:http, the same bytes (limit)', prototype],
    ['Svc', svc],
  ]
  console.log(
    `\nServing: a data file of 500 flags, ${body.length} bytes in Brotli, ${connections} kept connections, ${cpus().length} cores shared with the client, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} before, median of ${rounds} rounds of ${seconds} s. Targets: ${targets['200 br']} and ${targets['304']} per CPU second, p99 < 2 ms.`,
  )
  console.log('| answer | requests per CPU second | / limit | p99 ms | contender |\n|---|---|---|---|---|')
  for (const kind of Object.keys(targets) as Kind[]) {
    const results = new Map<string, Measured[]>(contenders.map(([name]) => [name, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [name, program] of contenders) results.get(name)!.push(await measure(program, requests[kind]))
    const [limit] = [...results.values()].map(perCpuSecond)
    for (const [name, measured] of results) {
      const p99 = median(measured.map(({ p99Ms }) => p99Ms)).toFixed(2)
      const rate = perCpuSecond(measured)
      console.log(`| ${kind} | ${rate.toFixed(0)} | ${(rate / limit!).toFixed(2)} | ${p99} | ${name} |`)
    }
  }
  await prototype.stop()
  await svc.stop()
  await rm(folder, { recursive: true })
}

const perCpuSecond = (measured: readonly Measured[]) => median(measured.map((each) => each.perCpuSecond))

async function measure(program: Program, request: string): Promise<Measured> {
  await load(program.port, request, connections, 1)
  const before = program.cpuSeconds()
  const { requests, ms } = await load(program.port, request, connections, seconds)
  return { perCpuSecond: requests / (program.cpuSeconds() - before), p99Ms: percentile(ms, 0.99) }
}

/** As it travels: `fetch` would decompress it. */
async function compressed(port: number, path: string): Promise<{ etag: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers: { 'accept-encoding': 'br' } }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ etag: String(response.headers.etag), body: Buffer.concat(chunks) })
    }).on('error', reject)
  })
}
