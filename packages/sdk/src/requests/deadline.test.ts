import { expect, it } from 'vitest'
import { manualPlatform } from '../../test/platform.ts'
import { withDeadline } from './deadline.ts'

const forever = () => new Promise<never>(() => {})

it('returns the answer and leaves no timer behind', async () => {
  const time = manualPlatform()
  const open = new Set<AbortController>()
  expect(await withDeadline(async () => 7, 100, open, time.platform)).toBe(7)
  expect([open.size, time.pending().length]).toEqual([0, 0])
})

it('throws what the request throws', async () => {
  const failing = async () => {
    throw new Error('refused')
  }
  await expect(withDeadline(failing, 100, new Set(), manualPlatform().platform)).rejects.toThrow('refused')
})

it('times out when the request ignores its signal, and does not keep the process alive', async () => {
  const time = manualPlatform()
  const answer = withDeadline(forever, 100, new Set(), time.platform)
  expect(time.pending()[0]?.referenced).toBe(false)
  time.advance(100)
  await expect(answer).rejects.toThrow('no response within 100 ms')
})

it('throws when its controller is aborted', async () => {
  const open = new Set<AbortController>()
  const answer = withDeadline(forever, 100, open, manualPlatform().platform)
  for (const controller of open) controller.abort()
  await expect(answer).rejects.toThrow('abort')
})
