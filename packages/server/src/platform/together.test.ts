import { describe, expect, test } from 'vitest'
import { alone, answeredTogether, shared, together } from './together.ts'

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

test('items that arrive during a run are all handled by the next run', async () => {
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

test('subjects do not delay each other', async () => {
  const { add, runs, nextRun } = recorded()
  const both = [nextRun(), nextRun()]
  add('one', 'a')
  add('other', 'b')
  await Promise.all(both)
  expect(runs.map(({ subject }) => subject)).toEqual(['one', 'other'])
})

test('a failed run rejects its own items, and the next run continues', async () => {
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

describe('answers', () => {
  const away = new Error('away')
  const isAway = (error: unknown) => error === away

  type Answer = (items: readonly string[]) => readonly (string | typeof alone)[]

  /** The first item holds its run until the others have arrived. */
  async function askedFor(answer: Answer, ...items: string[]) {
    const runs: string[][] = []
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const add = answeredTogether<string, string>(async (_subject, given) => {
      runs.push([...given])
      begun.resolve()
      await goOn.promise
      return answer(given)
    }, isAway)
    const held = add('env', 'first')
    await begun.promise
    const all = Promise.allSettled([held, ...items.map((item) => add('env', item))])
    goOn.resolve()
    const answers = (await all).map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
    return { answers: answers.slice(1), runs: runs.slice(1) }
  }

  test('belong to their items', async () => {
    const { answers, runs } = await askedFor((items) => items.map((item) => `${item}!`), 'a', 'b')
    expect(answers).toEqual(['a!', 'b!'])
    expect(runs).toEqual([['a', 'b']])
  })

  test('to items that must be alone come from their own run directly afterwards', async () => {
    const answer = (items: readonly string[]) => items.map((item) => (item === 'b' && items.length > 1 ? alone : item))
    const { answers, runs } = await askedFor(answer, 'a', 'b', 'c')
    expect(answers).toEqual(['a', 'b', 'c'])
    expect(runs).toEqual([['a', 'b', 'c'], ['b']])
  })

  test('to other items arrive although one item fails', async () => {
    const broken = new Error('broken')
    const answer = (items: readonly string[]) => {
      if (items.includes('b')) throw broken
      return items
    }
    const { answers, runs } = await askedFor(answer, 'a', 'b')
    expect(answers).toEqual(['a', broken])
    expect(runs).toEqual([['a', 'b'], ['a'], ['b']])
  })

  test('share an error that would affect each item, without a retry', async () => {
    const answer = (items: readonly string[]) => {
      if (items.includes('b')) throw away
      return items
    }
    const { answers, runs } = await askedFor(answer, 'a', 'b')
    expect(answers).toEqual([away, away])
    expect(runs).toEqual([['a', 'b']])
  })

  test('come from runs of at most fifty items', async () => {
    const items = Array.from({ length: 60 }, (_, index) => String(index))
    const { answers, runs } = await askedFor((given) => given, ...items)
    expect(answers).toEqual(items)
    expect(runs.map(({ length }) => length)).toEqual([50, 10])
  })
})

describe('shared work', () => {
  /** Work that ends when the test says so. */
  function held() {
    const share = shared<string>()
    const begun: PromiseWithResolvers<string>[] = []
    const ask = (subject: string) =>
      share(subject, () => {
        const work = Promise.withResolvers<string>()
        begun.push(work)
        return work.promise
      })
    return { ask, begun }
  }

  test('answers all who ask for the same while it is under way, and a later request starts it again', async () => {
    const { ask, begun } = held()
    const both = [ask('index'), ask('index')]
    expect(begun).toHaveLength(1)
    begun[0]!.resolve('first')
    expect(await Promise.all(both)).toEqual(['first', 'first'])
    const later = ask('index')
    expect(begun).toHaveLength(2)
    begun[1]!.resolve('second')
    expect(await later).toBe('second')
  })

  test('is not shared between subjects', async () => {
    const { ask, begun } = held()
    const both = [ask('one'), ask('other')]
    begun[1]!.resolve('of the other')
    begun[0]!.resolve('of the one')
    expect(await Promise.all(both)).toEqual(['of the one', 'of the other'])
  })

  test('rejects all who wait if it fails, and the next request tries again', async () => {
    const { ask, begun } = held()
    const both = Promise.allSettled([ask('index'), ask('index')])
    begun[0]!.reject(new Error('away'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = ask('index')
    begun[1]!.resolve('back')
    expect(await next).toBe('back')
  })
})
