import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { type Caller, startCaller } from '../../src/platform/outbound/testing/calling.ts'
import { type Authority, type Certificate, makeAuthority } from '../../src/platform/outbound/testing/certificates.ts'
import type { Vendor, VendorRequest } from './ticket-vendors.ts'

/** A vendor behind HTTPS on this machine. */
export interface VendorServer {
  port: number
  requests: VendorRequest[]
  close(): Promise<void>
}

export interface VendorServerOptions extends Certificate {
  /** The address that the vendor has in the world, such as `https://api.github.com`. */
  origin: string
  /** The beginning of the paths here, which the vendor does not have. */
  under?: string
  /** Runs before the vendor gets a request and before its answer leaves. If it returns false, the connection ends. */
  passes?: (moment: 'ARRIVED' | 'DONE', request: VendorRequest) => boolean | Promise<boolean>
}

export async function startVendor(
  vendor: Vendor,
  { origin, under = '', passes = () => true, ...certificate }: VendorServerOptions,
): Promise<VendorServer> {
  const requests: VendorRequest[] = []
  const server = createServer(certificate, async (incoming, outgoing) => {
    const request = await read(incoming)
    requests.push(request)
    if (!(await passes('ARRIVED', request))) return void outgoing.destroy()
    const { status, headers, body } = vendor.answer(request)
    if (!(await passes('DONE', request))) return void outgoing.destroy()
    outgoing.writeHead(status, headers).end(body)
  })
  const read = async (incoming: IncomingMessage): Promise<VendorRequest> => ({
    method: incoming.method!,
    url: new URL(incoming.url!.slice(under.length), origin),
    headers: incoming.headers as VendorRequest['headers'],
    body: await text(incoming),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A host of the world that is this machine, and a process of the outbound connections that trusts its certificate. */
export interface VendorSite {
  certificate: Certificate
  caller: Caller
  /** Lets the outbound connections reach a vendor at the host. */
  openTo(server: VendorServer): Promise<void>
}

/** The same for all tests of a file. Call it at the top of the file. */
export function vendorSite(host: string): VendorSite {
  const site = {
    openTo: ({ port }) => site.caller.open({ names: { [host]: [['127.0.0.1']] }, allowedHosts: `${host}:${port}` }),
  } as VendorSite
  let authority: Authority
  beforeAll(async () => {
    authority = await makeAuthority()
    site.certificate = await authority.issue([host])
    site.caller = startCaller(authority.caPath)
  })
  afterAll(async () => {
    await site.caller.end()
    await authority.remove()
  })
  return site
}
