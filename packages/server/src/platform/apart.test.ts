import { expect, test } from 'vitest'
import { eachApart } from './apart.ts'
import { unavailable } from './db/errors.ts'

const away = unavailable('away')

async function doneOf(faults: Record<string, Error>) {
  const done: string[] = []
  const fault = await eachApart(['a', 'b', 'c'], async (name) => {
    if (faults[name]) throw faults[name]
    done.push(name)
  }).catch((error: unknown) => error)
  return { done, fault }
}

test('work that fails for one is done for the others, and the fault is told', async () => {
  const broken = new Error('broken')
  expect(await doneOf({ a: broken })).toEqual({ done: ['b', 'c'], fault: broken })
  expect(await doneOf({ a: broken, b: new Error('other') })).toMatchObject({
    done: ['c'],
    fault: { message: '2 of 3 have failed.', errors: [broken, { message: 'other' }] },
  })
  expect(await doneOf({})).toEqual({ done: ['a', 'b', 'c'], fault: undefined })
})

test('a database that is away is told before other faults, because then the work is repeated', async () =>
  expect(await doneOf({ a: new Error('broken'), b: away })).toEqual({ done: ['c'], fault: away }))
