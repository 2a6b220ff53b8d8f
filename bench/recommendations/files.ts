import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Interactions, type Lists, listsOf, numbered, type Rows, type Sessions } from '@svc/recommend'

/** The files that a person puts into the folder. None of them is in this repository. */
export const files = {
  movies: ['ml-100k/u.data'],
  gowalla: ['gowalla/train.txt', 'gowalla/test.txt'],
  yelp: ['yelp2018/train.txt', 'yelp2018/test.txt'],
  books: ['amazon-book/train.txt', 'amazon-book/test.txt'],
  serenade: ['serenade/train.txt', 'serenade/test.txt'],
} as const

export const isThere = (folder: string, of: keyof typeof files): boolean =>
  files[of].every((file) => existsSync(join(folder, file)))

const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')

/** MovieLens-100K: `user item rating seconds`, with tabs. Each rating counts as a view. */
export function readMovies(folder: string): { interactions: Interactions; unitCount: number; productCount: number } {
  const ratings = linesOf(join(folder, files.movies[0])).map((line) => line.split('\t'))
  const [units, products] = [0, 1].map((column) => numbered(ratings.map((rating) => rating[column]!)))
  return {
    interactions: {
      units: Uint32Array.from(ratings, ([unit]) => units!.numberOf(unit!)!),
      products: Uint32Array.from(ratings, ([, product]) => products!.numberOf(product!)!),
      at: Float64Array.from(ratings, ([, , , seconds]) => Number(seconds) * 1000),
      weights: new Float32Array(ratings.length).fill(1),
    },
    unitCount: units!.ids.length,
    productCount: products!.ids.length,
  }
}

/** A split of NGCF and LightGCN: a line a visitor, `visitor product product …`. It has no times. */
export function readSplit(folder: string, of: 'gowalla' | 'yelp' | 'books'): { train: Rows; test: Lists } {
  const [train, test] = files[of].map((file) =>
    linesOf(join(folder, file)).map((line) => line.trim().split(' ').map(Number)),
  ) as [number[][], number[][]]
  const all = [...train, ...test]
  const unitCount = 1 + all.reduce((most, [unit]) => Math.max(most, unit!), 0)
  const productCount = 1 + all.reduce((most, [, ...products]) => products.reduce((a, b) => Math.max(a, b), most), 0)
  const byUnit = (lines: number[][]): Lists => {
    const lists: number[][] = Array.from({ length: unitCount }, () => [])
    for (const [unit, ...products] of lines) lists[unit!] = [...new Set(products)].sort((one, other) => one - other)
    return listsOf(lists)
  }
  return { train: { ...byUnit(train), productCount }, test: byUnit(test) }
}

/** Serenade's example: `SessionId ItemId Time` with tabs and a header. Sessions for tests keep repeated products. */
export function readSerenade(folder: string): { train: Sessions; test: number[][] } {
  const [train, test] = files.serenade.map((file) => sessionsIn(join(folder, file))) as [string[][], string[][]]
  const { ids, numberOf } = numbered([...train, ...test].flat())
  const inNumbers = (sessions: string[][]) => sessions.map((session) => session.map((id) => numberOf(id)!))
  const distinct = inNumbers(train).map((session) => [...new Set(session)])
  return { train: { ...listsOf(distinct), productCount: ids.length }, test: inNumbers(test) }
}

/** The products of each session in the order of their times, the session that ended first first. */
function sessionsIn(path: string): string[][] {
  const bySession = Map.groupBy(
    linesOf(path)
      .slice(1)
      .map((line) => line.split('\t') as [string, string, string]),
    ([session]) => session,
  )
  return [...bySession.values()]
    .map((clicks) =>
      clicks.map(([, item, time]) => ({ item, time: Number(time) })).sort((one, other) => one.time - other.time),
    )
    .sort((one, other) => one.at(-1)!.time - other.at(-1)!.time)
    .map((clicks) => clicks.map(({ item }) => item))
}
