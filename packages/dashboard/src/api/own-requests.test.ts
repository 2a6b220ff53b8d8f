import { expect, test } from 'vitest'
import { latestAnswerBy, ownAnswerAt, writeBegins, writeEnds } from './own-requests.ts'

test('a request of this tab is known by the id of its answer', async () => {
  writeBegins()
  writeEnds('mine')
  expect(await ownAnswerAt('mine')).toBeTypeOf('number')
  expect(await ownAnswerAt('theirs')).toBeUndefined()
  expect(await ownAnswerAt(null)).toBeUndefined()
})

test('a change that is announced before its answer waits for the writes that are under way', async () => {
  writeBegins()
  writeBegins()
  const [mine, theirs] = [ownAnswerAt('early'), ownAnswerAt('other')]
  writeEnds(null)
  writeEnds('early')
  expect([await mine, await theirs]).toEqual([expect.any(Number), undefined])
})

test('the latest 200 requests are remembered', async () => {
  for (let count = 0; count <= 200; count += 1) {
    writeBegins()
    writeEnds(`request ${count}`)
  }
  expect([await ownAnswerAt('request 0'), await ownAnswerAt('request 1')]).toEqual([undefined, expect.any(Number)])
})

test('the latest answer by a time is known', () => {
  const before = Date.now()
  writeBegins()
  writeEnds('latest')
  expect(latestAnswerBy(Date.now())).toBeGreaterThanOrEqual(before)
  expect(latestAnswerBy(0)).toBe(0)
})
