import { expect, it } from 'vitest'
import { sentSoFar } from './sent.ts'

async function lines(erases: boolean, size: number | null, isQuiet = false): Promise<string[]> {
  const written: string[] = []
  const stderr = { write: (text: string) => written.push(text) } as never
  let at = 0
  const shown = sentSoFar(stderr, { size, isQuiet, erases }, () => at)
  async function* pieces() {
    for (let count = 0; count < 3; count += 1) {
      at += 6_000
      yield new Uint8Array(500_000)
    }
  }
  let bytes = 0
  for await (const chunk of shown.counted(pieces())) bytes += chunk.length
  shown.end()
  expect(bytes).toBe(1_500_000)
  return written
}

it('tells every ten seconds how much was sent, and of how much if that is known', async () => {
  expect(await lines(false, 1_500_000)).toEqual(['Sent 1.0 of 1.5 MB.\n'])
  expect(await lines(false, null)).toEqual(['Sent 1.0 MB.\n'])
})

it('keeps to one line on a terminal, which goes away, and is silent if it shall be', async () => {
  const erase = '\r\u001b[K'
  expect(await lines(true, null)).toEqual([`${erase}Sent 0.5 MB`, `${erase}Sent 1.0 MB`, `${erase}Sent 1.5 MB`, erase])
  expect(await lines(true, null, true)).toEqual([])
})
