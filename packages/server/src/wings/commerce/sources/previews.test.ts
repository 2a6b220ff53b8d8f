import { expect, it } from 'vitest'
import { TooBusy } from '../../../turns.ts'
import { previews } from './previews.ts'

const never = new AbortController().signal
const shortMs = 20
const longMs = 60_000

async function* silent(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {})
}
async function* stalled(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,')
  await new Promise(() => {})
}
async function* whole(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,')
  yield Buffer.from('title')
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield* []
  throw new Error('nothing came')
}

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const nameOf = (error: Error) => error.name

it('a file comes whole, and what is wrong with it reaches its reader', async () => {
  const preview = previews()
  expect(await preview('p', never, whole, text)).toBe('id,title')
  await expect(preview('p', never, broken, text)).rejects.toThrow('nothing came')
})

it('files that do not begin keep nobody waiting', async () => {
  const preview = previews({ wholeMs: longMs, turnMs: longMs })
  const gone = new AbortController()
  const waiting = Promise.allSettled(['a', 'a', 'b', 'b'].map((id) => preview(id, gone.signal, silent, text)))
  expect(await preview('a', never, whole, text)).toBe('id,title')
  gone.abort(new Error('the caller left'))
  expect((await waiting).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
})

it('files that stall lose their turns, and say why', async () => {
  const preview = previews({ wholeMs: longMs, turnMs: shortMs })
  const stuck = ['a', 'b', 'c', 'd'].map((id) => preview(id, never, stalled, text).catch(nameOf))
  expect(await preview('e', never, whole, text)).toBe('id,title')
  expect(await Promise.all(stuck)).toEqual(Array(4).fill('TimeoutError'))
})

it('a file that never begins ends too', async () => {
  const preview = previews({ wholeMs: shortMs, turnMs: longMs })
  expect(await preview('a', never, silent, text).catch(nameOf)).toBe('TimeoutError')
})

it('the signal that a download gets ends with the preview', async () => {
  let signal = never
  const begin = (given: AbortSignal) => {
    signal = given
    return whole()
  }
  await previews()('a', never, begin, async () => 'enough')
  expect(signal.aborted).toBe(true)
})

it('one project can have 4 files on their way, and all have 20', async () => {
  const preview = previews({ wholeMs: longMs, turnMs: longMs })
  const gone = new AbortController()
  const ids = 'aaaabbbbccccddddeeee'.split('')
  const waiting = Promise.allSettled(ids.slice(0, 16).map((id) => preview(id, gone.signal, silent, text)))
  await expect(preview('a', never, whole, text)).rejects.toThrow(TooBusy)
  const last = Promise.allSettled(ids.slice(16).map((id) => preview(id, gone.signal, silent, text)))
  await expect(preview('f', never, whole, text)).rejects.toThrow(TooBusy)
  gone.abort()
  await Promise.all([waiting, last])
  expect(await preview('a', never, whole, text)).toBe('id,title')
})
