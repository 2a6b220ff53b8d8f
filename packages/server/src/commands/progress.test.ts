import { expect, test } from 'vitest'
import { withProgress } from './progress.ts'

function scene(isTTY: boolean) {
  let shown = ''
  let turn: (() => void) | undefined
  const timers = {
    start: (each: () => void, everyMs: number) => {
      turn = each
      return everyMs
    },
    stop: () => {
      turn = undefined
    },
  }
  const write = (text: string) => {
    shown += text
    return true
  }
  return {
    stderr: { isTTY, write } as NodeJS.WriteStream,
    timers,
    turn: () => turn?.(),
    isRunning: () => turn !== undefined,
    shown: () => shown,
  }
}

const erase = '\r\u001b[K'

test('on a terminal, one line shows the current step and then goes away', async () => {
  const { stderr, timers, turn, isRunning, shown } = scene(true)
  const done = await withProgress(
    async ({ step, say }) => {
      turn()
      step('Reading flags (0.1 MB)')
      step('Reading rules (0.2 MB)')
      turn()
      say('A line that stays.')
      step('x'.repeat(200))
      turn()
      return 'done'
    },
    stderr,
    timers,
  )
  expect([done, isRunning()]).toEqual(['done', false])
  expect(shown().split(erase)).toEqual([
    '',
    '⠋ Reading flags (0.1 MB)',
    '⠙ Reading rules (0.2 MB)',
    'A line that stays.\n',
    `⠹ ${'x'.repeat(76)}`,
    '',
  ])
})

test('the line goes away after a failure too', async () => {
  const { stderr, timers, isRunning, shown } = scene(true)
  const work = withProgress(
    async ({ step }) => {
      step('Loading flags')
      throw new Error('lost')
    },
    stderr,
    timers,
  )
  await expect(work).rejects.toThrow('lost')
  expect([isRunning(), shown()]).toEqual([false, `${erase}⠋ Loading flags${erase}`])
})

test('the line is only shown on a terminal', async () => {
  const { stderr, timers, shown, isRunning } = scene(false)
  await withProgress(async ({ step }) => step('Loading flags'), stderr, timers)
  expect([shown(), isRunning()]).toEqual(['', false])
})
