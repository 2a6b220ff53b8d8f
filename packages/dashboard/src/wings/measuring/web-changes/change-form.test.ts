import { describe, expect, it } from 'vitest'
import type { WebChange } from '../../../ui/changes/web-change-sentence.ts'
import { changeOf, inputOf, newChange, newChangeId, repeatedProperties, valuesOf } from './change-form.ts'

const shared = { id: 'c1', page: 'pricing', selector: 'h1', was: null }
const changes: WebChange[] = [
  { ...shared, type: 'TEXT', value: 'From € 9', was: 'Our plans' },
  { ...shared, type: 'HTML', value: '<b>New</b>', page: null },
  { ...shared, type: 'ATTRIBUTE', name: 'href', value: '/b' },
  { ...shared, type: 'ATTRIBUTE', name: 'title', value: null },
  { ...shared, type: 'IMAGE', value: '/b.webp', alt: null },
  { ...shared, type: 'IMAGE', value: '/b.webp', alt: '' },
  { ...shared, type: 'CLASS', add: ['a'], remove: ['b'] },
  { ...shared, type: 'STYLE', value: { color: 'red', '--space': '1rem' } },
  { ...shared, type: 'HIDE', keepSpace: true },
  { ...shared, type: 'INSERT', value: '<p>New</p>', position: 'LAST' },
  { ...shared, type: 'MOVE', to: '.hero', position: 'BEFORE' },
]

describe('the form of a change', () => {
  it.each(changes)('gives back what it began with: $type', (change) => {
    expect(changeOf(valuesOf(change), 'c1')).toEqual(change)
  })

  it('sends what each type needs, and nothing of another type', () => {
    const typed = { ...newChange, selector: ' h1 ', value: 'New', to: '.hero', add: ['a'] }
    expect(changeOf({ ...typed, type: 'TEXT' }, 'c2')).toEqual({
      ...{ id: 'c2', type: 'TEXT', page: null, selector: 'h1', value: 'New', was: null },
    })
    expect(changeOf({ ...typed, type: 'HIDE' }, 'c2')).toEqual({
      ...{ id: 'c2', type: 'HIDE', page: null, selector: 'h1', keepSpace: false, was: null },
    })
  })

  it('leaves out empty rows of a style, and refuses a property twice', () => {
    const style = [
      { property: ' color', value: 'red ' },
      { property: '', value: '' },
      { property: 'color', value: 'blue' },
    ]
    expect(repeatedProperties({ ...newChange, type: 'STYLE', style })).toEqual({
      'style.2.property': 'This property is there already.',
    })
    expect(changeOf({ ...newChange, type: 'STYLE', style: style.slice(0, 2) }, 'c2')).toMatchObject({
      value: { color: 'red' },
    })
  })

  it('shows a fault at its input, and faults of other changes above the form', () => {
    const style = [{ property: 'color', value: 'red;' }]
    const ofStyle = { ...newChange, type: 'STYLE' as const, style }
    expect(inputOf(['changes', 2, 'selector'], newChange, 2)).toBe('selector')
    expect(inputOf(['changes', 2, 'value', 'color'], ofStyle, 2)).toBe('style.0.value')
    expect(inputOf(['changes', 2, 'value'], ofStyle, 2)).toBe('style')
    expect(inputOf(['changes', 1, 'selector'], newChange, 2)).toBeUndefined()
    expect(inputOf(['css'], newChange, 2)).toBeUndefined()
  })

  it('makes ids that the service takes', () => {
    expect(newChangeId(() => '0123456789abcdef')).toBe('c-01234567')
  })
})
