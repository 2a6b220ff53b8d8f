import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** One case: the method answers `expected` to `input`; numbers within `tolerance`, which is 0 where it is left out. */
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
 * Reads a file of cases. Where it declares under `methods` how many it has of each method, it has to hold as many.
 *
 * @throws Error with one line of explanation when it cannot be read or is not of the format
 */
export function readCases(file: string): Case[] {
  const document = parse(file)
  if (!isObject(document) || document.version !== formatVersion || !Array.isArray(document.cases)) {
    throw new Error(`${file}: not a file of cases: wants "version": ${formatVersion} and a list "cases"`)
  }
  const wrong = document.cases.findIndex((item) => !isCase(item))
  if (wrong >= 0) {
    throw new Error(`${file}: case at index ${wrong} is malformed: wants id, name, method, input and expected`)
  }
  if (document.cases.length === 0) throw new Error(`${file}: holds no cases`)
  if (document.methods !== undefined && !isDeepStrictEqual(document.methods, countsOf(document.cases))) {
    throw new Error(`${file}: has other cases than its "methods" declares: part of it is missing`)
  }
  return document.cases
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
