import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** One case: `method` must answer `expected` to `input`, with numbers within `tolerance` (default: 0). */
export type Case = {
  id: string
  name: string
  method: string
  input: Record<string, unknown>
  expected: unknown
  tolerance?: Tolerance
  source?: string
}

/** A number passes when |got - expected| <= max(abs, rel * |expected|). */
export type Tolerance = { rel?: number; abs?: number }

const formatVersion = 1

/**
 * Reads a file of cases. If it declares the number of cases for each method under `methods`, the numbers must match. A
 * file that names under `generated` what computed it declares the numbers of its whole collection, and can hold a part.
 *
 * @throws Error with a one-line message if the file cannot be read or has the wrong format
 */
export function readCases(file: string): { cases: Case[]; declared: number } {
  const document = parse(file)
  if (!isObject(document) || document.version !== formatVersion || !Array.isArray(document.cases)) {
    throw new Error(`${file}: must have "version": ${formatVersion} and a list "cases"`)
  }
  const { cases, methods, generated } = document as { cases: Case[]; methods?: unknown; generated?: unknown }
  const wrong = cases.findIndex((item) => !isCase(item))
  if (wrong >= 0) {
    throw new Error(`${file}: the case at index ${wrong} must have id, name, method, input and expected`)
  }
  if (cases.length === 0) throw new Error(`${file}: has no cases`)
  if (methods === undefined) return { cases, declared: cases.length }
  const counts = countsOf(cases)
  const isPart = typeof generated === 'string' && isCounts(methods) && isWithin(counts, methods)
  if (isPart) return { cases, declared: Object.values(methods).reduce((sum, count) => sum + count, 0) }
  if (!isDeepStrictEqual(methods, counts)) {
    throw new Error(`${file}: the cases do not match the numbers under "methods": the file is incomplete`)
  }
  return { cases, declared: cases.length }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: cannot be read: ${reason.replaceAll(/\s+/g, ' ')}`)
  }
}

function countsOf(cases: Case[]): Record<string, number> {
  const groups = Map.groupBy(cases, ({ method }) => method)
  return Object.fromEntries([...groups].map(([method, { length }]) => [method, length]))
}

function isCounts(value: unknown): value is Record<string, number> {
  return isObject(value) && Object.values(value).every((count) => typeof count === 'number')
}

function isWithin(counts: Record<string, number>, declared: Record<string, number>): boolean {
  return Object.entries(counts).every(([method, count]) => count <= (declared[method] ?? 0))
}

function isCase(item: unknown): item is Case {
  if (!isObject(item) || !isObject(item.input) || !('expected' in item)) return false
  const texts = [item.id, item.name, item.method]
  return (
    texts.every((text) => typeof text === 'string') && (item.tolerance === undefined || isTolerance(item.tolerance))
  )
}

function isTolerance(value: unknown): value is Tolerance {
  return isObject(value) && [value.rel ?? 0, value.abs ?? 0].every((bound) => typeof bound === 'number' && bound >= 0)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
