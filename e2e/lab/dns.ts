import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

const port = 53
const [typeA, typeCname, typeAaaa] = [1, 5, 28]
const headerBytes = 12
const [answered, serverFailure, noSuchName] = [0x8180, 0x8182, 0x8183]
const ttlSeconds = 0

/**
 * The answer to one look-up of a name: addresses of both families, a different name, a failure, or no answer. With
 * `ipv4Only`, the query for IPv6 addresses gets no answer.
 */
export type DnsAnswer = string[] | { cname: string } | { ipv4Only: string[] } | 'failure' | 'silence'

/** Answers the first, second … look-up of a name from its list, then repeats the last answer. */
export interface Dns {
  names: Record<string, DnsAnswer[]>
  /** The number of look-ups of a name. */
  lookups(name: string): number
  close(): void
}

export async function startDns(names: Record<string, DnsAnswer[]>, host = '127.0.0.1'): Promise<Dns> {
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => respond(query, from))
  socket.bind(port, host)
  await once(socket, 'listening')

  function respond(query: Buffer, { port: toPort, address }: RemoteInfo): void {
    const { name, type, end } = readQuestion(query)
    const key = `${name} ${type}`
    const count = asked.get(key) ?? 0
    asked.set(key, count + 1)
    const list = names[name]
    const answer = list?.[Math.min(count, list.length - 1)]
    if (answer === 'silence' || (isPlainObject(answer) && 'ipv4Only' in answer && type === typeAaaa)) return
    const records = recordsFor(answer, type, names)
    const code = answer === undefined ? noSuchName : answer === 'failure' ? serverFailure : answered
    socket.send(
      Buffer.concat([header(query, code, records.length), query.subarray(headerBytes, end), ...records]),
      toPort,
      address,
    )
  }

  return { names, lookups: (name) => asked.get(`${name} ${typeA}`) ?? 0, close: () => socket.close() }
}

const isPlainObject = (answer: DnsAnswer | undefined): answer is Exclude<DnsAnswer, string | string[]> =>
  typeof answer === 'object' && !Array.isArray(answer)

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function header(query: Buffer, flags: number, answers: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  query.copy(bytes, 0, 0, 2)
  bytes.writeUInt16BE(flags, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(answers, 6)
  return bytes
}

// A pointer to the name in the question.
const askedName = Buffer.from([0xc0, headerBytes])

function recordsFor(
  answer: DnsAnswer | undefined,
  type: number,
  names: Dns['names'],
  owner: Buffer = askedName,
): Buffer[] {
  if (Array.isArray(answer)) return addressRecords(owner, answer, type)
  if (!isPlainObject(answer)) return []
  if ('ipv4Only' in answer) return addressRecords(owner, answer.ipv4Only, type)
  const target = encodeName(answer.cname)
  return [record(owner, typeCname, target), ...recordsFor(names[answer.cname]?.[0], type, names, target)]
}

const addressRecords = (owner: Buffer, addresses: string[], type: number): Buffer[] =>
  addresses
    .filter((address) => (isIPv6(address) ? typeAaaa : typeA) === type)
    .map((address) => record(owner, type, isIPv6(address) ? encodeSix(address) : encodeFour(address)))

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt32BE(ttlSeconds, 4)
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fields, data])
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

const encodeFour = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function encodeSix(address: string): Buffer {
  // The URL parser converts an embedded IPv4 address to hexadecimal.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [left, right].map((part) => part.split(':').filter(Boolean))
  const groups = [...first!, ...Array(8 - first!.length - last!.length).fill('0'), ...last!]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}
