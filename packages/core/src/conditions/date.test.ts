import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from './date.ts'

describe('parseDate', () => {
  it('reads every date that JavaScript prints, to the millisecond', () => {
    const date = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, (moment) => {
        expect(parseDate(moment.toISOString())).toBe(moment.getTime())
      }),
    )
  })

  it.each([
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T10:00', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-20T10:00:00+01:30', Date.UTC(2026, 10, 20, 8, 30)],
    ['2026-11-20 10:00:00.123456+01', Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
    ['2026-11-20 10:00:00 +01:00', Date.UTC(2026, 10, 20, 9)],
    ['2026-11-20T10:00-0530', Date.UTC(2026, 10, 20, 15, 30)],
    ['2026-11-20T10:00:00.1239Z', Date.UTC(2026, 10, 20, 10, 0, 0, 123)],
    ['1795168800000', 1795168800000],
    [1795168800000, 1795168800000],
    [new Date(5), 5],
  ])('reads %j as %i', (value, moment) => {
    expect(parseDate(value)).toBe(moment)
  })

  it.each([
    ['2026-02-30'],
    ['2026-11-20T25:00'],
    ['2026-11-20 10:00:00 UTC'],
    ['soon'],
    [''],
    [Number.NaN],
    [new Date('soon')],
    [true],
    [null],
    [{}],
  ])('refuses %j', (value) => {
    expect(parseDate(value)).toBeUndefined()
  })
})
