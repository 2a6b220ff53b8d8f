import { expect, it } from 'vitest'
import { readBody } from './body.ts'

function streamed(chunks: Uint8Array<ArrayBuffer>[]): Response {
  const start = (controller: ReadableStreamDefaultController) => {
    for (const chunk of chunks) controller.enqueue(chunk)
    controller.close()
  }
  return new Response(new ReadableStream({ start }))
}

it('joins a character that is split between two chunks', async () => {
  const bytes = new TextEncoder().encode('naïve 😀')
  expect(await readBody(streamed([...bytes].map((byte) => Uint8Array.of(byte))), 100)).toBe('naïve 😀')
})

it('reads up to the limit and not a byte more', async () => {
  expect(await readBody(new Response('12345'), 5)).toBe('12345')
  await expect(readBody(new Response('123456'), 5)).rejects.toThrow('the response has more than 5 bytes')
})

it('reads a missing body as an empty string', async () => {
  expect(await readBody(new Response(null), 5)).toBe('')
})
