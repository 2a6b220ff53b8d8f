import { expect, it } from 'vitest'
import { progressOn } from './progress.ts'

/** A stream, and timers that pass when the test says so. */
function scene(erases: boolean, isQuiet = false) {
  let shown = ''
  let turn: () => void = () => undefined
  const timers = {
    start: (each: () => void, everyMs: number) => {
      turn = each
      return everyMs
    },
    stop: () => {
      turn = () => undefined
    },
  }
  const write = (text: string) => {
    shown += text
    return true
  }
  const stderr = { write } as NodeJS.WriteStream
  const { promise, resolve } = Promise.withResolvers<string>()
  const done = progressOn(stderr, { isQuiet, erases }, timers)(promise)
  const turns = (count: number) => {
    for (let at = 0; at < count; at++) turn()
  }
  return { turns, done, resolve, shown: () => shown }
}

it('where a line can be erased, the sign appears after half a second and goes away again', async () => {
  const { turns, done, resolve, shown } = scene(true)
  turns(4)
  expect(shown()).toBe('')
  turns(11)
  expect(shown()).toContain('Waiting for the service (1 s)')
  resolve('answer')
  expect(await done).toBe('answer')
  expect(shown().endsWith('\r\u001b[K')).toBe(true)
  const before = shown()
  turns(3)
  expect(shown()).toBe(before)
})

it('nothing appears for what is fast', async () => {
  const { done, resolve, shown } = scene(true)
  resolve('answer')
  await done
  expect(shown()).toBe('')
})

it('elsewhere a line appears every ten seconds', async () => {
  const { turns, done, resolve, shown } = scene(false)
  turns(2)
  resolve('answer')
  await done
  expect(shown()).toBe('Still waiting for the service (10 s).\nStill waiting for the service (20 s).\n')
})

it('with --quiet and --json no progress is shown', async () => {
  const { turns, done, resolve, shown } = scene(true, true)
  turns(20)
  resolve('answer')
  await done
  expect(shown()).toBe('')
})
