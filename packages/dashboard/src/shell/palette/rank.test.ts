import { describe, expect, it } from 'vitest'
import { grouped, offered, ranked } from './rank.ts'
import { readings } from './synonyms.ts'

const entry = (id: string, ...texts: string[]) => ({ id, texts, isAction: false })
const action = (id: string, ...texts: string[]) => ({ id, texts, isAction: true })

const entries = [
  action('pause', 'pause'),
  entry('hello', 'hello world', 'hello', '4'),
  entry('checkout', 'one-page checkout', 'one-page-checkout', 'checkout', '12'),
  entry('price', 'price test', 'price-test', 'experiment'),
  entry('shop', 'webshop colors', 'colors', '0198f2c6-7d5e-7000-8000-000000000000'),
]

const found = (typed: string, recent: string[] = []) => ranked(entries, typed, recent).map(({ id }) => id)

describe('the palette finds', () => {
  it.each([
    ['hello', ['hello']],
    ['HELLO ', ['hello']],
    ['12', ['checkout']],
    ['page', ['checkout']],
    ['test price', ['price']],
    ['shop', ['shop']],
    ['0198F2C6-7d5e-7000-8000-000000000000', ['shop']],
    ['p', ['pause', 'price', 'checkout', 'shop']],
    ['>p', ['pause']],
    ['> ', ['pause']],
    ['nothing', []],
    ['test nothing', []],
    ['.*', []],
  ])('with %j: %j', (typed, expected) => {
    expect(found(typed)).toEqual(expected)
  })
})

it('recent entries come first, latest first, but not before a much better match', () => {
  expect(found('', ['price', 'hello'])).toEqual(['price', 'hello', 'pause', 'checkout', 'shop'])
  expect(found('p', ['price'])).toEqual(['price', 'pause', 'checkout', 'shop'])
  expect(found('p', ['shop'])).toEqual(['pause', 'price', 'shop', 'checkout'])
})

it('the palette finds entries by tags too, after those with a matching name', () => {
  const tagged = [{ ...entry('stock', 'stock warnings'), tags: ['checkout'] }, ...entries]
  expect(ranked(tagged, 'check', []).map(({ id }) => id)).toEqual(['checkout', 'stock'])
})

describe('actions are offered', () => {
  interface Found {
    id: string
    label: string
    texts: string[]
    isAction: boolean
    actions?: () => Found[]
  }
  const act = (label: string): Found => ({ id: label, label, texts: [label.toLowerCase()], isAction: true })
  const flag = (name: string, ...verbs: string[]): Found => ({
    id: name,
    label: name,
    texts: [name],
    isAction: false,
    actions: () => verbs.map((verb) => act(`${verb} ${name}`)),
  })
  const things = [act('Dark colors'), flag('checkout', 'Pause', 'Publish'), flag('check list', 'Run', 'Publish')]
  const labels = (typed: string) => offered(things, typed, []).map(({ label }) => label)

  it.each([
    ['checkout', ['checkout', 'Pause checkout', 'Publish checkout']],
    ['pause check', ['Pause checkout']],
    ['pu che', ['Publish checkout', 'Publish check list']],
    ['> run list', ['Run check list']],
    ['run checkout', []],
    ['dark colors', ['Dark colors']],
    ['p check', []],
  ])('with %j: %j', (typed, expected) => {
    expect(labels(typed)).toEqual(expected)
  })

  it.each([
    ['checkout', ['checkout', 'Pause checkout', 'Publish checkout']],
    ['pause check', ['Pause checkout']],
  ])('once, if the page offers one too: %j', (typed, expected) => {
    const ofPage = { ...act('Pause checkout'), id: 'key p' }
    expect(offered([ofPage, ...things], typed, []).map(({ label }) => label)).toEqual(expected)
  })
})

it('the palette shows at most 50', () => {
  const many = Array.from({ length: 5_000 }, (_, number) => entry(`flag-${number}`, `flag ${number}`))
  expect(ranked(many, 'flag', [])).toHaveLength(50)
})

describe('other words mean the verbs of the dashboard', () => {
  it.each([
    ['kill checkout', 'pause checkout'],
    ['turn off checkout', 'pause checkout'],
    ['> Turn on x', '> run x'],
    ['new metric', 'create metric'],
    ['dark theme', 'dark'],
    ['killer', undefined],
    ['turn', undefined],
  ])('%j is also %j', (typed, meant) => {
    expect(readings(typed)).toEqual(meant === undefined ? [typed] : [typed, meant])
  })

  it('"kill check" finds the pause of the checkout, after what has these words itself', () => {
    const pause = { ...action('pause checkout', 'pause checkout'), label: 'Pause checkout' }
    const all = [
      { ...entry('checkout', 'checkout'), label: 'Checkout', actions: () => [pause] },
      { ...entry('guide', 'how to kill check runs'), label: 'How to kill check runs' },
    ]
    expect(offered(all, 'kill check', []).map(({ id }) => id)).toEqual(['guide', 'pause checkout'])
  })
})

it('without a query, entries are in groups: the recent ones first, then a few of each kind, numbered through', () => {
  const all = [
    ...Array.from({ length: 9 }, (_, at) => ({ ...entry(`flag-${at}`, 'flag'), kind: 'Flag' })),
    { ...entry('ada', 'ada'), kind: 'Person' },
  ]
  const groups = grouped(all, '', ['ada'])
  expect(groups.map(({ heading, entries }) => [heading, entries.map(({ place }) => place)])).toEqual([
    ['Recent', [0]],
    ['Flags', [1, 2, 3, 4, 5, 6]],
  ])
  expect(grouped(all.slice(0, 9), '>', [])[0]!.entries).toHaveLength(9)
  expect(grouped(all, 'a', ['ada'])).toHaveLength(1)
})
