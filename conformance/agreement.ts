import type { Tolerance } from './vectors.ts'

/**
 * Whether an answer matches what a case expects: numbers within the tolerance, strings, booleans and null equal, lists and
 * objects part by part. Extra keys in the answer are ignored, and an omitted key counts as null.
 */
export function agrees(got: unknown, expected: unknown, tolerance: Tolerance): boolean {
  if (typeof expected === 'number') return typeof got === 'number' && isNear(got, expected, tolerance)
  if (expected === null) return got === null || got === undefined
  if (typeof expected !== 'object') return got === expected
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(expected)) return false
  if (Array.isArray(expected) && (got as unknown[]).length !== expected.length) return false
  const answer = new Map(Object.entries(got))
  return Object.entries(expected).every(([key, part]) => agrees(answer.get(key), part, tolerance))
}

function isNear(got: number, expected: number, { rel = 0, abs = 0 }: Tolerance): boolean {
  return Math.abs(got - expected) <= Math.max(abs, rel * Math.abs(expected))
}
