import { afterEach, describe, expect, it, vi } from 'vitest'
import { platform } from './platform.page.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page in this process: what it hears, and what its listener is told. */
function pageThatIs(visibilityState: string) {
  const page = new EventTarget()
  const told: boolean[] = []
  vi.stubGlobal('document', { visibilityState })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const stop = platform.onVisibility((isHidden) => told.push(isHidden))
  const hears = (type: string, more: object = {}) => page.dispatchEvent(Object.assign(new Event(type), more))
  return { hears, told, stop }
}

describe('a page', () => {
  it.each([
    ['visibilitychange', {}, 'hidden', [true]],
    ['visibilitychange', {}, 'visible', [false]],
    ['online', {}, 'visible', [false]],
    ['pageshow', { persisted: true }, 'visible', [false]],
    ['pageshow', { persisted: false }, 'visible', []],
    ['pageshow', { persisted: false }, 'hidden', []],
    ['resize', {}, 'visible', []],
  ])('that hears %s %j while it is %s tells %j', (type, more, state, expected) => {
    const { hears, told } = pageThatIs(state)
    hears(type, more)
    expect(told).toEqual(expected)
  })

  it('tells nothing after the end', () => {
    const { hears, told, stop } = pageThatIs('visible')
    stop()
    hears('online')
    expect(told).toEqual([])
  })
})
