import { type Outbound, openOutbound, type Resolve } from '../index.ts'
import type { CallerOptions, Command, Reply } from './calling.ts'

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

async function manyPosts(urls: string[]) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, sampleMs)
  const attempts = await Promise.all(urls.map((url) => outbound!.post(url, headers, body)))
  clearInterval(sampling)
  return { attempts, grownBytes: most - before }
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
