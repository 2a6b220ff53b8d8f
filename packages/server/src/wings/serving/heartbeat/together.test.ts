import { expect, test } from 'vitest'
import { together } from './together.ts'

function recorded() {
  const runs: { subject: string; items: readonly string[]; finish: PromiseWithResolvers<void> }[] = []
  const begun: (() => void)[] = []
  const add = together<string>((subject, items) => {
    const finish = Promise.withResolvers<void>()
    runs.push({ subject, items, finish })
    begun.shift()?.()
    return finish.promise
  })
  const nextRun = () => new Promise<void>((resolve) => begun.push(resolve))
  return { add, runs, nextRun }
}

test('what comes while a run is under way is done by the next one, all of it', async () => {
  const { add, runs, nextRun } = recorded()
  const first = nextRun()
  const a = add('env', 'a')
  await first
  const second = nextRun()
  const others = [add('env', 'b'), add('env', 'c')]
  expect(runs.map(({ items }) => items)).toEqual([['a']])
  runs[0]!.finish.resolve()
  await a
  await second
  expect(runs[1]!.items).toEqual(['b', 'c'])
  runs[1]!.finish.resolve()
  await Promise.all(others)
})

test('subjects do not hold each other up', async () => {
  const { add, runs, nextRun } = recorded()
  const both = [nextRun(), nextRun()]
  add('one', 'a')
  add('other', 'b')
  await Promise.all(both)
  expect(runs.map(({ subject }) => subject)).toEqual(['one', 'other'])
})

test('a run that fails tells those that were in it, and the next one goes on', async () => {
  const { add, runs, nextRun } = recorded()
  const first = nextRun()
  const failing = add('env', 'a')
  await first
  const second = nextRun()
  const next = add('env', 'b')
  runs[0]!.finish.reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await second
  runs[1]!.finish.resolve()
  await next
})
