import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Issue, invalid, isRefusal, type Refusal, refuse } from '../catalogue/refusals.ts'
import { namesOf, roundedNumber, shapeOf, wouldBecome } from '../exact-json.ts'
import { inTurn, orTooBusy } from '../turns.ts'
import { Refused, refusesEncoding } from './errors.ts'

export const maxBodyBytes = 1024 * 1024
const maxDepth = 32
const maxKeys = 10_000
const maxStringLength = 65_536

/** A route with larger limits for bodies, which are held in memory. */
export interface HeldUpload {
  maxBytes: number
  maxItems: number
  /** Turns a CSV file into the equivalent JSON body. If it is left out, only JSON is read. */
  csv?: (text: string) => object | Refusal
}

/** A route that takes a file of any size while it comes. A request without a body has none. */
export interface StreamedUpload {
  stream: true
  maxBytes: number
  mediaTypes: readonly string[]
  /**
   * How long the next bytes can take. While the route reads the file, this is the limit in place of that of the whole
   * request. Without it, the file must come in the time that every request has.
   */
  idleMs?: number
  /** The body can have `Content-Encoding: gzip`. The route unpacks it. */
  packed?: true
}

export type Upload = HeldUpload | StreamedUpload

export const isStreamed = (upload: Upload | undefined): upload is StreamedUpload =>
  upload !== undefined && 'stream' in upload

/** The bytes of a file. They can be read once, and stop being read when the answer is sent. */
export type StreamedBody = AsyncIterable<Uint8Array>

/** Hands a file over without reading it. What the route leaves of it is thrown away after the answer. */
export function streamUploads(app: FastifyInstance, upload: StreamedUpload): void {
  const { maxBytes, mediaTypes, idleMs, packed } = upload
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...mediaTypes], (request, payload, done) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN)
    const isPacked = packed && request.headers['content-encoding']?.trim().toLowerCase() === 'gzip'
    const refusal =
      (isPacked ? undefined : refusesEncoding(request)) ?? (length > maxBytes ? tooLarge(maxBytes) : undefined)
    if (refusal) return done(new Refused(refusal))
    const pieces = limited(payload as unknown as Readable, maxBytes, idleMs)
    done(null, length === 0 ? undefined : idleMs === undefined ? pieces : patiently(request.raw.socket, pieces))
  })
  app.addHook('onResponse', async ({ raw }: FastifyRequest) => {
    raw.resume()
    underWay.delete(raw.socket)
    // Node no longer watches a request that was once late.
    if (idleMs !== undefined && !raw.complete) setTimeout(() => raw.complete || raw.destroy(), idleMs).unref()
  })
}

const underWay = new WeakSet<Socket>()

/** Whether a route reads a file from this connection, which can take longer than other requests. */
export const isReceiving = (socket: Socket): boolean => underWay.has(socket)

async function* patiently(socket: Socket, pieces: StreamedBody): StreamedBody {
  underWay.add(socket)
  try {
    yield* pieces
  } finally {
    underWay.delete(socket)
  }
}

const tooLarge = (maxBytes: number): Refusal =>
  refuse('payload_too_large', `The body is larger than ${maxBytes / 2 ** 20} MiB.`)

async function* limited(payload: Readable, maxBytes: number, idleMs?: number): StreamedBody {
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  let bytes = 0
  try {
    for (;;) {
      const { value: chunk, done } = await (idleMs === undefined ? pieces.next() : within(idleMs, pieces.next()))
      if (done) return
      bytes += chunk.length
      if (bytes > maxBytes) throw new Refused(tooLarge(maxBytes))
      yield chunk
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(refuse('validation_failed', 'The body ended before all of it had arrived.'))
  }
}

const permittedForMs = 10_000

/**
 * A file, while its sender may send it: a file can take hours, and a token can be revoked meanwhile. A service that is too
 * busy to look does so at the next piece. The time counts from the call on, when the sender has just been permitted: a file
 * can wait for long before it is read. If the clock is set back, the right is looked at once more.
 *
 * @param refuses why the sender may not go on
 */
export function whilePermitted(
  body: StreamedBody | undefined,
  refuses: () => Promise<Refusal | undefined>,
  now: () => Date,
): StreamedBody | undefined {
  let seen = now().getTime()
  async function* permitted(pieces: StreamedBody): StreamedBody {
    for await (const piece of pieces) {
      const at = now().getTime()
      if (at < seen || at >= seen + permittedForMs) {
        const refusal = await refuses()
        if (refusal && refusal.refusal !== 'unavailable') throw new Refused(refusal)
        if (!refusal) seen = now().getTime()
      }
      yield piece
    }
  }
  return body && permitted(body)
}

async function within<Piece>(idleMs: number, piece: Promise<Piece>): Promise<Piece> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const nothing = refuse('validation_failed', `Nothing of the body arrived for ${idleMs / 1000} s.`)
    timer = setTimeout(() => reject(new Refused(nothing)), idleMs)
  })
  try {
    return await Promise.race([piece, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reading and checking a large body takes a while, in which nobody else is answered. Between two of them, everybody else
 * has a turn. The bodies that wait are in memory.
 */
const readUpload = inTurn({ atOnce: 1, waitingAtMost: 50, patienceMs: 10_000 })

/** Uploads can be CSV as well as JSON, if the route says how to read it. */
export function readUploads(app: FastifyInstance, { maxItems, csv }: HeldUpload): void {
  app.removeAllContentTypeParsers()
  const read = (type: RegExp, readBody: BodyReader) =>
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      const reading = readUpload(async () => {
        // The framework checks the body in the same turn of the process.
        answerTo(done)(readBody(request, bytes as Buffer))
        await setImmediate()
      })
      void orTooBusy('Too many large bodies are being read.', reading).then((refusal) => {
        if (refusal) done(new Refused(refusal))
      }, done)
    })
  read(jsonType, readsJson(maxItems))
  if (!csv) return
  read(/^text\/csv\s*(?:;|$)/i, (_request, bytes) => {
    const text = decoded(bytes)
    const body = text === undefined ? invalid({ path: [], message: 'The body must be UTF-8 text.' }) : csv(text)
    return isRefusal(body) ? { refusal: body } : { value: body }
  })
}

/** Takes a body of any type and does not read it. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined))
}

/** Except for uploads, the API reads only JSON in UTF-8. An empty body counts as no body. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(jsonType, { parseAs: 'buffer' }, (request, bytes, done) =>
    answerTo(done)(readsJson(maxKeys)(request, bytes as Buffer)),
  )
}

const jsonType = /^application\/json\s*(?:;|$)/i

type Body = ReturnType<typeof parseBody>
type BodyReader = (request: FastifyRequest, bytes: Buffer) => Body

const readsJson =
  (maxItems: number): BodyReader =>
  (request, bytes) => {
    const refusal = refusesEncoding(request)
    return refusal ? { refusal } : exactly(bytes, parseBody(bytes, maxItems))
  }

const answerTo = (done: (error: Error | null, body?: unknown) => void) => (body: Body) =>
  'refusal' in body ? done(new Refused(body.refusal)) : done(null, body.value)

export function parseBody(bytes: Uint8Array, maxItems = maxKeys): { value: unknown } | { refusal: Refusal } {
  if (bytes.length === 0) return { value: undefined }
  let names: number
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const shape = shapeOf(text)
    names = shape.names
    // Creating so many names, lists or levels would block all other requests.
    if (names > maxItems || shape.commas >= maxItems) return { refusal: invalid(tooMany(maxItems)) }
    if (shape.depth > maxDepth) return { refusal: invalid(tooDeep) }
    value = JSON.parse(text)
  } catch {
    return { refusal: invalid({ path: [], message: 'The body must be well-formed JSON in UTF-8.' }) }
  }
  const issue = firstExcess(value, maxItems) ?? repeatedName(names, value)
  return issue ? { refusal: invalid(issue) } : { value }
}

/** Somebody who writes a number means that number. A context of an SDK can have longer ones: they are read as doubles. */
function exactly(bytes: Uint8Array, body: ReturnType<typeof parseBody>): ReturnType<typeof parseBody> {
  const rounded = 'value' in body && body.value !== undefined && roundedNumber(new TextDecoder().decode(bytes))
  if (!rounded) return body
  return { refusal: invalid({ path: rounded.path, message: `must be a number that fits: ${wouldBecome(rounded)}` }) }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Limits the size of the value for later code, and refuses values that cannot be stored exactly. */
export function firstExcess(value: unknown, maxItems = maxKeys): Issue | undefined {
  let keys = 0
  const textFault = (text: string): string | undefined => {
    if (text.length > maxStringLength) return `Must have at most ${maxStringLength} characters.`
    if (text.includes('\0')) return 'Must not contain the NUL character.'
    if (!text.isWellFormed()) return 'Must not contain an unpaired surrogate.'
    return undefined
  }
  const walk = (node: unknown, path: PropertyKey[]): Issue | undefined => {
    if (typeof node === 'string') {
      const message = textFault(node)
      return message ? { path, message } : undefined
    }
    // JSON has no largest number. 1e400 would be read as Infinity and stored as null.
    if (typeof node === 'number' && !Number.isFinite(node))
      return { path, message: 'Must be a smaller number: this one is too large to store.' }
    if (typeof node !== 'object' || node === null) return undefined
    if (path.length >= maxDepth) return tooDeep
    const isArray = Array.isArray(node)
    if (isArray && node.length > maxItems) return tooMany(maxItems)
    for (const [key, child] of Object.entries(node)) {
      keys += 1
      if (keys > maxItems) return tooMany(maxItems)
      if (key === '__proto__') return { path: [...path, key], message: 'This name is not allowed.' }
      const message = isArray ? undefined : textFault(key)
      if (message) return { path, message }
      const issue = walk(child, [...path, isArray ? Number(key) : key])
      if (issue) return issue
    }
    return undefined
  }
  return walk(value, [])
}

const tooDeep: Issue = { path: [], message: `The body must not be nested more than ${maxDepth} levels deep.` }

const tooMany = (maxItems: number): Issue => ({
  path: [],
  message: `The body must have at most ${maxItems} fields and list items.`,
})

/**
 * If an object has the same name twice, JSON.parse keeps the last value, but a proxy that checked the body could have
 * used the first.
 */
function repeatedName(names: number, value: unknown): Issue | undefined {
  return names > namesOf(value)
    ? { path: [], message: 'An object in the body has the same field name twice.' }
    : undefined
}
