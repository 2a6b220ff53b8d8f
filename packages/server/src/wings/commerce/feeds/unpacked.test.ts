import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readFeed } from './read-feed.ts'
import { unpacked } from './unpacked.ts'

const kilobyte = 1024
const limits = { maxReceivedBytes: 256 * kilobyte, maxUnpackedBytes: 1024 * kilobyte }
const bomb = gzipSync(Buffer.alloc(64 * 1024 * kilobyte))
const packed = (times: number, bytes: Buffer = Buffer.from('a')) =>
  Array.from({ length: times }).reduce<Buffer>((file) => gzipSync(file), bytes)

/** A file of chunks that notes whether it was closed. */
function fileOf(bytes: Uint8Array) {
  const seen = { isClosed: false }
  async function* chunks() {
    try {
      for (let at = 0; at < bytes.length; at += 16 * kilobyte) yield bytes.subarray(at, at + 16 * kilobyte)
    } finally {
      seen.isClosed = true
    }
  }
  return { seen, chunks: chunks() }
}

async function read(bytes: AsyncIterable<Uint8Array>, most = Number.POSITIVE_INFINITY): Promise<string> {
  try {
    let length = 0
    for await (const chunk of unpacked(bytes, limits)) {
      length += chunk.length
      if (length >= most) return 'left'
    }
    return 'whole'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the source is closed, and the reader told why,', () => {
  it.each([
    ['of a file that grows too large', bomb, 'The unpacked file is larger than 1,048,576 bytes.'],
    ['of one that grows too large in its second layer', gzipSync(bomb), /^The unpacked file is larger than/],
    ['of one that is packed too often', packed(3), 'The file is packed more than twice.'],
    ['of one that is too large', Buffer.alloc(300 * kilobyte, 'x'), /^The file is larger than/],
    ['of broken gzip data', Buffer.concat([packed(1).subarray(0, 12), Buffer.alloc(40 * kilobyte, 'x')]), /is broken/],
  ])('%s', async (_what, bytes, words) => {
    const { seen, chunks } = fileOf(bytes)
    expect(await read(chunks)).toMatch(words)
    await expect.poll(() => seen.isClosed).toBe(true)
  })

  it.each([0, 1, 2])('when its reader leaves a file that is packed %i times', async (times) => {
    const { seen, chunks } = fileOf(packed(times, randomBytes(200 * kilobyte)))
    expect(await read(chunks, 4)).toBe('left')
    await expect.poll(() => seen.isClosed).toBe(true)
  })

  it('also while it waits for bytes that never come', async () => {
    const stream = new PassThrough()
    stream.write(bomb)
    expect(await read(stream)).toMatch(/^The unpacked file is larger than/)
    if (!stream.closed) await once(stream, 'close')
  })

  it('of a feed whose format nobody knows', async () => {
    const { seen, chunks } = fileOf(Buffer.from('<html><body>'))
    const source = { format: 'AUTO', url: null, encoding: 'utf-8' } as Parameters<typeof readFeed>[0]
    await expect(readFeed(source, chunks).next()).rejects.toThrow('web page')
    expect(seen.isClosed).toBe(true)
  })
})

it.each([0, 1, 2])('a file that is packed %i times comes whole', async (times) => {
  expect(await read(Readable.from([packed(times)]))).toBe('whole')
})
