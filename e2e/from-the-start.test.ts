import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

/** What a service would keep of the tests. */
let kept: string[]
let tries = 0
let isInTest = false
const happened: string[] = []
const hook = (what: string) => () => void happened.push(what)

beforeAll(() => {
  kept = []
  happened.push('start of the file')
})
afterAll(hook('end of the file'))

describe('a test before', () => {
  beforeAll(hook('start of the part before'))
  afterAll(hook('end of the part before'))
  beforeEach(() => {
    isInTest = true
  })
  afterEach(() => {
    isInTest = false
  })

  it('leaves something', () => {
    expect(isInTest).toBe(true)
    kept.push('left')
    happened.push('the test before')
  })
})

describe('a second try', () => {
  beforeAll(hook('start of the part'))
  afterAll(hook('end of the part'))

  it('meets what the tests before it leave, and nothing of the first', { repeats: 1 }, () => {
    expect(isInTest).toBe(false)
    kept.push('added')
    expect(kept).toEqual(['left', 'added'])
    const upToHere = [
      ...['start of the file', 'start of the part before', 'the test before', 'end of the part before'],
      'start of the part',
    ]
    const again = ['end of the part', 'end of the file', ...upToHere]
    expect(happened).toEqual([...upToHere, ...(tries > 0 ? again : [])])
    tries += 1
  })
})
