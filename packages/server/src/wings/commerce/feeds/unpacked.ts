import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedFault } from './row.ts'

type Bytes = AsyncIterable<Uint8Array>

export interface UnpackLimits {
  maxReceivedBytes: number
  maxUnpackedBytes: number
}

export const feedLimits: UnpackLimits = { maxReceivedBytes: 2 ** 30, maxUnpackedBytes: 2 ** 31 }

const gzipMagic = [0x1f, 0x8b]
/** A file with the ending .gz that is sent with `content-encoding: gzip` is packed twice. */
const maxLayers = 2

/**
 * The bytes of a file that can be packed by gzip, as its first bytes show, whatever the headers say: servers send .gz
 * files without saying so, and announce gzip for files that they send as they are.
 */
export async function* unpacked(bytes: Bytes, limits: UnpackLimits = feedLimits): Bytes {
  const source = bytes[Symbol.asyncIterator]()
  let layer = limited(following([], source), limits.maxReceivedBytes, 'The file is larger than')
  try {
    for (let layers = 0; ; layers += 1) {
      const { beginning, rest } = await peeked(layer, gzipMagic.length)
      layer = rest
      if (!isPacked(beginning)) break
      if (layers === maxLayers) throw new FeedFault('The file is packed more than twice.')
      layer = limited(gunzipped(layer), limits.maxUnpackedBytes, 'The unpacked file is larger than')
    }
    yield* layer
  } finally {
    // By itself: a layer that nobody has begun to read does not close the one below it.
    closed(source)
    // An iterator that waits for bytes is closed when they come, which can be never. A stream ends at once.
    if (bytes instanceof Readable) bytes.destroy()
  }
}

const isPacked = (beginning: Uint8Array): boolean => gzipMagic.every((byte, at) => beginning[at] === byte)

/** Whether a file is packed. It can be a thousand times as large as its bytes are then. */
export async function isPackedFile(bytes: Bytes): Promise<boolean> {
  const { beginning, close } = await peeked(bytes, gzipMagic.length)
  close()
  return isPacked(beginning)
}

async function* limited(bytes: Bytes, maxBytes: number, fault: string): Bytes {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > maxBytes) throw new FeedFault(`${fault} ${maxBytes.toLocaleString('en')} bytes.`)
    yield chunk
  }
}

async function* gunzipped(bytes: Bytes): Bytes {
  const source = Readable.from(bytes, { objectMode: false })
  const gunzip = createGunzip()
  // An error of the source is not one of the packing: it ends the unpacking, and is thrown as it is.
  source.on('error', (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (code === 'Z_BUF_ERROR') throw new FeedFault('The file ends early: its gzip data is not complete.')
    if (code.startsWith('Z_')) throw new FeedFault('The gzip data of the file is broken.')
    throw error
  } finally {
    gunzip.destroy()
    source.destroy()
  }
}

/** What is left of the bytes is not needed. It is not awaited, because an iterator can wait for its next bytes. */
function closed(iterator: AsyncIterator<Uint8Array>): void {
  iterator.return?.().catch(() => {})
}

/** The first bytes, as many as there are, and all bytes from the beginning on. Whoever does not read them closes them. */
export async function peeked(
  bytes: Bytes,
  count: number,
): Promise<{ beginning: Buffer; rest: Bytes; close: () => void }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const { value, done } = await iterator.next()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const close = () => closed(iterator)
  return { beginning: Buffer.concat(chunks), rest: following(chunks, iterator), close }
}

async function* following(chunks: Uint8Array[], iterator: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield* chunks
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
