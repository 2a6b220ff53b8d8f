import { createHash, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refused } from '../../../../../http/errors.ts'
import { JobFailure, type ReceivedFile, sendAgain } from '../../../../../platform/jobs/index.ts'
import type { Outbound } from '../../../../../platform/outbound/index.ts'
import { feedLimits, maxPageLength } from '../../../feeds/index.ts'
import { feedHeaders, idleMs } from '../../fetching.ts'
import { betweenPages, isEmptyPage, pageAddress } from './pages.ts'

/** A file that came whole. It has no name any more, and is gone when it is closed. */
export interface FetchedFile {
  sha256: string
  /** Null while it comes. */
  bytes: number | null
  /** Of the answer, by names in lower case. */
  headers: Readonly<Record<string, string>>
  content(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** A file that this node receives. Its hash is known once all of it was read, and it can be read once. */
export function receivedFile(file: ReceivedFile): FetchedFile {
  const hash = createHash('sha256')
  let sha256: string | undefined
  async function* content() {
    try {
      for await (const chunk of file) {
        hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      throw error instanceof Refused ? new JobFailure(`${error.message} ${sendAgain}`) : error
    }
    sha256 = hash.digest('hex')
  }
  return {
    get sha256() {
      if (sha256 === undefined) throw new Error('the file has not come to its end')
      return sha256
    },
    bytes: null,
    headers: {},
    content,
    close: async () => {},
  }
}

export interface Fetching {
  download: Outbound['download']
  url: string
  credentials: Record<string, string>
  /** What the last answer said about its file, to be asked whether it is the same. */
  known: { etag: string | null; lastModified: string | null } | null
  signal: AbortSignal
  /** Is told how many bytes have come. If it fails, so does the download. */
  progress(bytes: number): Promise<void>
}

/** A file that this node receives, stored as a fetched one is. */
export async function storedFile(file: ReceivedFile, progress: (bytes: number) => Promise<void>): Promise<FetchedFile> {
  const handle = await temporary()
  const received = receivedFile(file)
  let bytes = 0
  try {
    for await (const chunk of received.content()) {
      write(handle, chunk, bytes)
      bytes += chunk.length
      await progress(bytes)
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  return stored(handle, { sha256: received.sha256, bytes, headers: {} })
}

const stored = (handle: FileHandle, told: Pick<FetchedFile, 'sha256' | 'bytes' | 'headers'>): FetchedFile => ({
  ...told,
  content: () => contentOf(handle),
  close: () => handle.close(),
})

/** Bytes that are put aside on the disk, to be read once more in the same portions. */
export interface Spool {
  add(bytes: Uint8Array): void
  portions(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

export async function spool(): Promise<Spool> {
  const handle = await temporary()
  const lengths: number[] = []
  let end = 0
  return {
    add(bytes) {
      write(handle, bytes, end)
      lengths.push(bytes.length)
      end += bytes.length
    },
    async *portions() {
      let at = 0
      for (const length of lengths) {
        const { buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
        yield buffer
        at += length
      }
    },
    close: () => handle.close(),
  }
}

const pieceBytes = 256 * 1024

/** All bytes from the first one on. A stream would close the file when a reader leaves, and it can be read again. */
async function* contentOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Fetches all pages of a shop, until one is empty, into one file. It has no headers that are those of the whole. */
export async function fetchPages({ download, url, credentials, signal, progress }: Fetching): Promise<FetchedFile> {
  const handle = await temporary()
  const hash = createHash('sha256')
  let bytes = 0
  const add = (piece: Buffer) => {
    hash.update(piece)
    write(handle, piece, bytes)
    bytes += piece.length
    if (bytes > feedLimits.maxReceivedBytes) throw new JobFailure('The pages are larger than 1 GiB.')
  }
  try {
    let last: Buffer | undefined
    for (let page = 1; ; page += 1) {
      const content = await pageAt(download, pageAddress(url, page), { credentials, signal })
      if (last && isEmptyPage(content)) break
      if (last?.equals(content)) throw new JobFailure('The server answers each page with the same products.')
      if (last) add(betweenPages)
      add(content)
      last = content
      await progress(bytes)
      if (isEmptyPage(content)) break
    }
    return stored(handle, { sha256: hash.digest('hex'), bytes, headers: {} })
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function pageAt(
  download: Outbound['download'],
  url: string,
  { credentials, signal }: Pick<Fetching, 'credentials' | 'signal'>,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const result = await download(url, {
    // Packed pages could not be one file.
    headers: { ...feedHeaders, 'accept-encoding': 'identity' },
    ...{ credentials, maxBytes: maxPageLength, idleMs, signal },
    onChunk: (chunk) => void chunks.push(Buffer.from(chunk)),
  })
  if (result.error !== null) throw new JobFailure(`${result.error}.`, { isTransient: result.isTransient })
  return Buffer.concat(chunks)
}

/** Fetches the file of a source. Null: the server says that it is the known one. */
export async function fetchFile({
  download,
  url,
  credentials,
  known,
  signal,
  progress,
}: Fetching): Promise<FetchedFile | null> {
  const handle = await temporary()
  const hash = createHash('sha256')
  let bytes = 0
  let stopped: { cause: unknown } | undefined
  try {
    const result = await download(url, {
      headers: { ...feedHeaders, ...conditionsOf(known) },
      ...{ credentials, maxBytes: feedLimits.maxReceivedBytes, idleMs, signal },
      // A download that waits for the disk after each piece was measured to take a hundred times as long.
      onChunk(chunk) {
        if (stopped) throw stopped.cause
        hash.update(chunk)
        write(handle, chunk, bytes)
        bytes += chunk.length
        progress(bytes).catch((cause) => {
          stopped = { cause }
        })
      },
    })
    if (result.error !== null) throw new JobFailure(`${result.error}.`, { isTransient: result.isTransient })
    if (result.status === 304) {
      await handle.close()
      return null
    }
    return stored(handle, { sha256: hash.digest('hex'), bytes, headers: result.headers })
  } catch (error) {
    await handle.close()
    throw error
  }
}

const conditionsOf = (known: Fetching['known']): Record<string, string> => ({
  ...(known?.etag && { 'if-none-match': known.etag }),
  ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
})

async function temporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `svc-feed-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

function write({ fd }: FileHandle, chunk: Uint8Array, from: number): void {
  try {
    for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done, chunk.length - done, from + done)
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code))
    throw isFull ? new JobFailure('The file does not fit on the disk of the service.', { cause: error }) : error
  }
}
