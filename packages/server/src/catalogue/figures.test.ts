import { describe, expect, it, test } from 'vitest'
import { figureEvents, refusesFigures, shownBody } from './figures.ts'
import { bodySchemas, isProduced } from './payloads.ts'
import type { Scope } from './scopes.ts'

const reader = (...scopes: Scope[]) => ({ scopes: new Set<Scope>(scopes) })
const without = reader('webhooks:read', 'webhooks:write')
const figures = { results: { units: 9 }, alarm: { lift: 0.1 } }

describe.each(figureEvents)('%s', (event) => {
  const body = { event, flag: { id: 'f' }, ...figures }

  it('has its figures for callers with results:read only', () => {
    expect(shownBody(body, reader('results:read'))).toEqual(body)
    expect(shownBody(body, reader('admin:*'))).toEqual(body)
    const shown = Object.keys(shownBody(body, without))
    expect(shown).toHaveLength(Object.keys(body).length - 1)
    expect(shown).toEqual(expect.arrayContaining(['event', 'flag']))
  })

  it('cannot be subscribed to without results:read', () => {
    expect(refusesFigures(['flag.created', event], reader('results:read'))).toBeUndefined()
    expect(refusesFigures(['flag.created', event], without)).toMatchObject({ refusal: 'validation_failed' })
  })
})

test('other events are shown as they are, and can be subscribed to', () => {
  const body = { event: 'flag.srm_failed', ...figures }
  expect(shownBody(body, without)).toBe(body)
  expect([refusesFigures(['flag.srm_failed'], without), refusesFigures(undefined, without)]).toEqual([
    undefined,
    undefined,
  ])
})

test('every event whose body has results is listed', () => {
  const telling = Object.entries(bodySchemas).flatMap(([name, schema]) => ('results' in schema.shape ? [name] : []))
  expect(figureEvents).toEqual(expect.arrayContaining(telling))
  for (const name of figureEvents) expect(isProduced(name as never)).toBe(true)
})
