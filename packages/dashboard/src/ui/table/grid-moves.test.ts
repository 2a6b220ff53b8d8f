import { describe, expect, it } from 'vitest'
import { gridMove, switched, through } from './grid-moves.ts'

const stroke = (key: string, shiftKey = false) => ({ key, shiftKey })

describe('keys on the fifth of 30 rows', () => {
  it.each([
    ['j', { kind: 'go', to: 5, extends: false }],
    ['ArrowDown', { kind: 'go', to: 5, extends: false }],
    ['k', { kind: 'go', to: 3, extends: false }],
    ['ArrowUp', { kind: 'go', to: 3, extends: false }],
    ['PageDown', { kind: 'go', to: 14, extends: false }],
    ['PageUp', { kind: 'go', to: 0, extends: false }],
    ['Home', { kind: 'go', to: 0, extends: false }],
    ['End', { kind: 'go', to: 29, extends: false }],
    ['x', { kind: 'select' }],
    ['Enter', { kind: 'open' }],
    ['ArrowRight', { kind: 'into' }],
    ['Escape', { kind: 'clear' }],
    ['p', undefined],
  ])('%s', (key, expected) => {
    expect(gridMove(stroke(key), 4, 30)).toEqual(expected)
  })

  it('with Shift they select on the way', () => {
    expect(gridMove(stroke('J', true), 4, 30)).toEqual({ kind: 'go', to: 5, extends: true })
    expect(gridMove(stroke('X', true), 4, 30)).toEqual({ kind: 'select-to' })
  })

  it('stop at both ends', () => {
    expect(gridMove(stroke('k'), 0, 30)).toMatchObject({ to: 0 })
    expect(gridMove(stroke('j'), 29, 30)).toMatchObject({ to: 29 })
  })
})

describe('a selection', () => {
  it('takes and leaves a row', () => {
    expect(switched(new Set(['a']), 'b')).toEqual(new Set(['a', 'b']))
    expect(switched(new Set(['a']), 'a')).toEqual(new Set())
  })

  it.each([
    [1, 3, ['b', 'c', 'd']],
    [3, 1, ['b', 'c', 'd']],
    [-1, 1, ['a', 'b']],
    [2, 2, ['c']],
  ])('from %d to %d contains %j', (from, to, expected) => {
    expect([...through(new Set(), ['a', 'b', 'c', 'd'], from, to)]).toEqual(expected)
  })
})
