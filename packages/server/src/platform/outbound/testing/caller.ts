import { type Outbound, openOutbound, type Resolve } from '../index.ts'
import type { CallerOptions, Command, DownloadReport, Reply } from './calling.ts'

// This runs in its own process: Node reads NODE_EXTRA_CA_CERTS only at its start, and the product has no other way to
// trust an authority.
let outbound: Outbound | undefined

process.on('message', async (command: Command) => {
  const reply: Reply = { id: command.id, value: await obey(command) }
  process.send!(reply)
})

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'open') outbound = openOutbound(withResolver(command.options))
  if (command.name === 'check') return await outbound!.checkUrl(command.url)
  if (command.name === 'post') return await post(command)
  if (command.name === 'request') return await request(command)
  if (command.name === 'download') return await download(command)
  if (command.name === 'stop') return stopping.abort(new Error('stopped by the caller'))
  if (command.name === 'posts') return await manyPosts(command.urls)
  if (command.name === 'close') return await outbound!.close()
  return undefined
}

const post = ({ url }: Extract<Command, { name: 'post' }>) => outbound!.post(url, headers, body)

const request = ({ request: { body: text, ...rest } }: Extract<Command, { name: 'request' }>) =>
  outbound!.request({ ...rest, body: text === null ? null : Buffer.from(text) })

const headers = { 'Content-Type': 'application/json', 'X-Svc-Event': 'webhook.test', 'User-Agent': 'Svc-Webhooks/1.0' }
const body = Buffer.from('{"text":"grüße"}')
const sampleMs = 5
const beginningCharacters = 2_048
let stopping = new AbortController()

async function manyPosts(urls: string[]) {
  const end = growth()
  const attempts = await Promise.all(urls.map((url) => outbound!.post(url, headers, body)))
  return { attempts, grownBytes: end() }
}

async function download({ url, options }: Extract<Command, { name: 'download' }>): Promise<DownloadReport> {
  const { turns = 0, throwsAfter = Infinity, ...rest } = options
  stopping = new AbortController()
  const seen = { beginning: '', pieces: 0, most: 0, bytes: 0, now: 0 }
  const end = growth()
  const onChunk = (chunk: Buffer) => {
    seen.bytes += chunk.length
    if (seen.beginning.length < beginningCharacters) seen.beginning += chunk.toString('latin1')
    seen.pieces += 1
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    const done = () => {
      seen.now -= 1
      if (seen.bytes > throwsAfter) throw new Error('the caller has enough')
    }
    return turns === 0 ? done() : loops(turns).then(done)
  }
  const limits = { maxBytes: 1 << 30, idleMs: 5_000 }
  const none = { status: null, headers: {}, url, bytes: seen.bytes, error: null, isTransient: false }
  const found = await outbound!
    .download(url, { ...limits, ...rest, onChunk, signal: stopping.signal })
    .then((result) => ({ ...result, thrown: null }))
    .catch((error: Error) => ({ ...none, thrown: error.message }))
  const { beginning, pieces, most } = seen
  return { ...found, beginning: beginning.slice(0, beginningCharacters), pieces, most, grownBytes: end() }
}

async function loops(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Begins to measure by how much the process grows. */
function growth(): () => number {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, sampleMs)
  return () => {
    clearInterval(sampling)
    return most - before
  }
}

function withResolver({ names, ...options }: CallerOptions) {
  const asked = new Map<string, number>()
  const resolve: Resolve = async (host) => {
    const count = asked.get(host) ?? 0
    asked.set(host, count + 1)
    const lists = names[host] ?? []
    const list = lists[Math.min(count, lists.length - 1)]
    if (list === undefined) throw new Error('no such name')
    if (list === 'never') return await new Promise<never>(() => {})
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { ...options, resolve }
}
