import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../testing/processes/port.ts'
import { type Caller, startCaller } from './testing/calling.ts'
import { type Authority, makeAuthority } from './testing/certificates.ts'
import { type ReceiverOptions, startReceiver } from './testing/receiver.ts'

const host = 'hook.example.test'
/** For peers that never answer. The others get more: the first handshake on a busy machine takes long. */
const shortMs = 500
const patientMs = 5_000

let authority: Authority
let stranger: Authority
let caller: Caller

beforeAll(async () => {
  authority = await makeAuthority()
  stranger = await makeAuthority()
  caller = startCaller(authority.caPath)
})

afterAll(async () => {
  await caller.end()
  await authority.remove()
  await stranger.remove()
})

async function attemptAt(port: number, timeoutMs = patientMs) {
  await caller.open({ names: { [host]: [['127.0.0.1']] }, allowedHosts: `${host}:${port}`, timeoutMs })
  return await caller.post(`https://${host}:${port}/ok`)
}

describe('a receiver', () => {
  it.each<{ what: string; options: () => Promise<ReceiverOptions>; error: string }>([
    {
      what: 'its certificate has expired',
      options: () => authority.issue([host], -1),
      error: 'The certificate of the endpoint has expired',
    },
    {
      what: 'its certificate is self-signed',
      options: () => authority.issueSelfSigned(host),
      error: 'The certificate of the endpoint is self-signed',
    },
    {
      what: 'its certificate is for another host',
      options: () => authority.issue(['other.example.test']),
      error: 'The certificate of the endpoint is for another host',
    },
    {
      what: 'its certificate is from an unknown authority',
      options: () => stranger.issue([host]),
      error: 'The certificate of the endpoint is not from a trusted authority',
    },
    {
      what: 'it supports TLS 1.1 at most',
      options: async () => ({
        ...(await authority.issue([host])),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL@SECLEVEL=0',
      }),
      error: 'The endpoint does not speak TLS 1.2 or newer',
    },
  ])('gets no request when $what', async ({ options, error }) => {
    const receiver = await startReceiver(await options())
    expect(await attemptAt(receiver.port)).toMatchObject({ status: null, error, charged: true })
    expect(receiver.requests).toEqual([])
    await receiver.close()
  })

  it.each([
    {
      what: 'it does not speak TLS',
      act: (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
      error: /does not speak TLS/,
    },
    { what: 'it never completes the handshake', act: () => {}, limitMs: shortMs, error: /did not answer within/ },
    { what: 'it closes the connection', act: (socket: Socket) => socket.end(), error: /closed the connection/ },
    {
      what: 'it resets the connection',
      act: (socket: Socket) => socket.resetAndDestroy(),
      error: /closed the connection/,
    },
  ])('is reported with the reason when $what', async ({ act, limitMs, error }) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}))
      socket.once('data', () => act(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const attempt = await attemptAt((server.address() as AddressInfo).port, limitMs)
    expect(attempt).toMatchObject({ status: null, charged: true, error: expect.stringMatching(error) })
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('is reported when it does not listen', async () => {
    expect(await attemptAt(await freePort())).toMatchObject({
      status: null,
      error: 'The endpoint refused the connection',
    })
  })
})
