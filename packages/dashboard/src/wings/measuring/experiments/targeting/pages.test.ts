import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../../ui/conditions/conditions.ts'
import {
  conditionsOf,
  inputOfPages,
  keyFor,
  newPage,
  type PageValues,
  pageFaults,
  pageFrom,
  pagesInBody,
  simpleOf,
  suggestedBy,
} from './pages.ts'

const path = (value: string, operator = 'equals') => ({ attribute: 'page.path', operator, value }) as Condition
const page = (conditions: Condition, more: Partial<PageValues> = {}): PageValues => ({
  ...{ key: 'pricing', name: 'Pricing', url: '', conditions },
  ...more,
})

describe('the simple form of a page', () => {
  it.each<[string, Condition]>([
    ['a line', path('/pricing')],
    ['lines of which all must hold', { all: [path('/pricing'), path('/p', 'startsWith')] }],
    ['lines of which any must hold', { any: [path('/pricing'), path('x', 'contains')] }],
    ['a parameter', { attribute: 'page.query.plan', operator: 'matches', value: '^pro' }],
    ['no line: every page', { all: [] }],
  ])('shows %s and keeps it as it is', (_what, conditions) => {
    expect(conditionsOf(simpleOf(conditions)!)).toEqual(conditions)
  })

  it.each<[string, Condition]>([
    ['a group inside', { all: [{ any: [path('/a')] }] }],
    ['a negation', { not: path('/a') }],
    ['other operators', path('/a', 'endsWith')],
    ['attributes of the visitor', { attribute: 'device', operator: 'equals', value: 'mobile' }],
    ['lists', { attribute: 'page.path', operator: 'in', value: ['/a'] }],
    ['any case', { attribute: 'page.path', operator: 'equals', value: '/a', caseSensitive: false }],
    ['no page at all', { any: [] }],
  ])('leaves %s to the builder', (_what, conditions) => {
    expect(simpleOf(conditions)).toBeUndefined()
  })
})

describe('what is missing on a page', () => {
  it.each<[string, PageValues, string[]]>([
    ['nothing', page(path('/pricing')), []],
    ['a name', page(path('/pricing'), { name: ' ' }), ['pages.pricing.name']],
    ['an address that is one', page(path('/pricing'), { url: 'shop.example' }), ['pages.pricing.url']],
    ['the value of a line', page({ all: [path('/a'), path('')] }), ['pages.pricing.row.1']],
    ['a parameter', page({ attribute: 'page.query.', operator: 'equals', value: 'x' }), ['pages.pricing.row.0']],
    [
      'a condition of the builder',
      page({ not: { attribute: '', operator: 'equals', value: 'x' } }),
      ['pages.pricing.conditions'],
    ],
  ])('%s', (_what, values, inputs) => {
    expect(Object.keys(pageFaults([values]))).toEqual(inputs)
  })

  it.each<[(string | number)[], Condition, string | undefined]>([
    [['pages', 0, 'name'], path('/a'), 'pages.pricing.name'],
    [['pages', 0, 'url'], path('/a'), 'pages.pricing.url'],
    [['pages', 0, 'conditions', 'value'], path('/a'), 'pages.pricing.row.0'],
    [['pages', 0, 'conditions', 'any', 1, 'value'], { any: [path('/a'), path('b')] }, 'pages.pricing.row.1'],
    [['pages', 0, 'conditions', 'not', 'value'], { not: path('a') }, 'pages.pricing.conditions'],
    [['pages', 1, 'name'], path('/a'), undefined],
    [['pages'], path('/a'), undefined],
    [['conditions'], path('/a'), undefined],
  ])('an issue at %j belongs to an input', (issue, conditions, input) => {
    expect(inputOfPages(issue, [page(conditions)])).toBe(input)
  })
})

it('a new page has a key of its own, and asks for a value', () => {
  const first = newPage([])
  expect(newPage([first]).key).not.toBe(first.key)
  expect(Object.keys(pageFaults([first]))).toEqual([`pages.${first.key}.row.0`])
  expect(keyFor('Pricing', [{ key: 'pricing' }, { key: 'pricing-2' }])).toBe('pricing-3')
  expect(keyFor('价格', [])).toBe('page')
})

it('an empty address is sent as none', () => {
  expect(pagesInBody([page(path('/a'), { name: ' A ' })])).toEqual([
    { key: 'pricing', name: 'A', url: null, conditions: path('/a') },
  ])
})

describe('an address', () => {
  const address = 'https://shop.example/our-plans/?utm_source=mail#top'

  it('is no condition until a person chooses one', () => {
    expect(pageFrom(address, 'later')).toBeUndefined()
    expect(suggestedBy('shop.example').map(({ suggestion }) => suggestion)).toEqual(['later'])
  })

  it.each([
    ['path', path('/our-plans')],
    ['page', { attribute: 'page.url', operator: 'equals', value: 'https://shop.example/our-plans' }],
    ['below', { any: [path('/our-plans'), path('/our-plans/', 'startsWith')] }],
    ['host', { attribute: 'page.host', operator: 'equals', value: 'shop.example' }],
  ] as const)('suggests %s', (chosen, conditions) => {
    expect(pageFrom(address, chosen)).toMatchObject({ url: address, conditions })
  })

  it.each([
    [address, 'Our plans', 'our-plans'],
    ['https://shop.example/', 'Start page', 'start-page'],
    ['https://shop.example/p/%C3%BCber_uns.html', 'Über uns', 'uber-uns'],
    ['https://shop.example/%E0%A4%A', '%E0%A4%A', 'e0-a4-a'],
  ])('%s gives the page its name', (given, name, key) => {
    expect(pageFrom(given, 'path')).toMatchObject({ name, key })
  })

  it('of a start page has nothing below it', () => {
    expect(suggestedBy('https://shop.example').map(({ suggestion }) => suggestion)).not.toContain('below')
    expect(pageFrom('https://shop.example', 'page')?.conditions).toMatchObject({ value: 'https://shop.example' })
  })
})
