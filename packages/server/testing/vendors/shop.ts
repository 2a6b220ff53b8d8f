import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type Outbound, openOutbound } from '../../src/platform/outbound/index.ts'
import { makeAuthority } from '../../src/platform/outbound/testing/certificates.ts'
import { trust } from './trusted.ts'

const testHost = 'shop.example.test'
const portionBytes = 65_536

/** How the shop answers. */
type Manner =
  | 'WHOLE'
  /** The connection ends in the middle of the file. */
  | 'CUT'
  | 'BUSY'
  /** The first half comes, and then nothing. */
  | 'SILENT'

/** A shop with a feed, behind a real HTTPS server. */
export interface Shop {
  url: string
  outbound: Outbound
  /** The settings of a process that fetches from this shop. */
  settings: Record<string, string>
  /** The requests so far: what they asked with, and the status of the answer. */
  requests: { headers: Record<string, string | string[] | undefined>; status: number }[]
  /** Puts a file in the place of the last one, or what each path has, such as what another server has there. */
  serve(
    content: string | ((path: string) => string | Promise<string>),
    manner?: Manner,
    headers?: Record<string, string>,
  ): void
  close(): Promise<void>
}

/**
 * @param host one that a process can look up, if it is a process that fetches
 * @param others more hosts that the service may call, as `SVC_WEBHOOK_ALLOWED_HOSTS` has them
 */
export async function openShop({
  host = testHost,
  others = [],
}: {
  host?: string
  others?: readonly string[]
} = {}): Promise<Shop> {
  const authority = await makeAuthority()
  const distrust = await trust(authority)
  let feed = {
    bodyAt: async (_path: string) => Buffer.alloc(0),
    manner: 'WHOLE' as Manner,
    headers: {} as Record<string, string>,
  }
  const requests: Shop['requests'] = []
  const server = createServer(await authority.issue([host]), async (request, response) => {
    const { bodyAt, manner, headers } = feed
    const body = await bodyAt(request.url!)
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    const status = manner === 'BUSY' ? 503 : isKnown ? 304 : 200
    requests.push({ headers: request.headers, status })
    response.writeHead(status, { ...headers, ...(status === 200 && { 'content-length': body.length }) })
    if (status !== 200) response.end()
    else if (manner === 'WHOLE') Readable.from(portionsOf(body)).pipe(response)
    else
      response.write(body.subarray(0, body.length / 2), () => {
        if (manner === 'CUT') response.destroy()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outbound = openOutbound({
    allowedHosts: [`${host}:${port}`, ...others].join(','),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  return {
    url: `https://${host}:${port}/feed`,
    ...{ outbound, requests },
    settings: { NODE_EXTRA_CA_CERTS: authority.caPath, SVC_WEBHOOK_ALLOWED_HOSTS: `${host}:${port}` },
    serve(content, manner = 'WHOLE', headers = {}) {
      const whole = typeof content === 'string' ? Buffer.from(content) : content
      const bodyAt = async (path: string) => (typeof whole === 'function' ? Buffer.from(await whole(path)) : whole)
      feed = { bodyAt, manner, headers }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await outbound.close()
      distrust()
      await authority.remove()
    },
  }
}

/** Encrypted at once, a large file would stop the process for half a second, and with it what the test measures. */
function* portionsOf(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += portionBytes) yield body.subarray(from, from + portionBytes)
}

/** An ETag that changes with the content, as web servers make them. */
export const etagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`

export interface Offer {
  id: string
  price?: string
  title?: string
  /** The product. Default: the id. */
  group?: string
  link?: string
  deleted?: boolean
}

/** A file with a line for each item, the first one on line 2. */
export const csvOf = (offers: readonly Offer[]): string =>
  [
    'id,item_group_id,title,link,price,deleted',
    ...offers.map(({ id, group = id, title = `Item ${id}`, price = '10.00 EUR', link, deleted = false }) =>
      [id, group, title, link ?? `https://shop.example/${id}`, price, deleted].join(','),
    ),
  ].join('\n')

export const offers = (count: number, of: Partial<Offer> = {}, from = 0): Offer[] =>
  Array.from({ length: count }, (_, at) => ({ id: `SKU-${from + at}`, ...of }))
