import type { FastifyInstance } from 'fastify'
import { type Issue, invalid, type Refusal } from '../refusals.ts'
import { Refused } from './errors.ts'

export const maxBodyBytes = 1024 * 1024
const maxDepth = 32
const maxKeys = 10_000
const maxStringLength = 65_536

/** JSON in UTF-8 is the only body this API reads; an empty one counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json\s*(?:;|$)/i, { parseAs: 'buffer' }, (_request, bytes, done) => {
    const body = parseBody(bytes as Buffer)
    if ('refusal' in body) done(new Refused(body.refusal))
    else done(null, body.value)
  })
}

export function parseBody(bytes: Uint8Array): { value: unknown } | { refusal: Refusal } {
  if (bytes.length === 0) return { value: undefined }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return { refusal: invalid({ path: [], message: 'The body is not well-formed JSON in UTF-8.' }) }
  }
  const issue = firstExcess(value)
  return issue ? { refusal: invalid(issue) } : { value }
}

/** Bounds what later code has to walk, and keeps out what cannot be stored as it was sent. */
export function firstExcess(value: unknown): Issue | undefined {
  let keys = 0
  const textFault = (text: string): string | undefined => {
    if (text.length > maxStringLength) return `Text may have up to ${maxStringLength} characters.`
    if (text.includes('\0')) return 'Text may not contain NUL.'
    if (!text.isWellFormed()) return 'Text may not contain half a surrogate pair.'
    return undefined
  }
  const walk = (node: unknown, path: PropertyKey[]): Issue | undefined => {
    if (typeof node === 'string') {
      const message = textFault(node)
      return message ? { path, message } : undefined
    }
    // JSON has no largest number: 1e400 would be read as Infinity and stored as null.
    if (typeof node === 'number' && !Number.isFinite(node)) return { path, message: 'This number is too large.' }
    if (typeof node !== 'object' || node === null) return undefined
    if (path.length >= maxDepth) return { path: [], message: `The body is nested deeper than ${maxDepth} levels.` }
    const isArray = Array.isArray(node)
    for (const [key, child] of Object.entries(node)) {
      keys += 1
      if (keys > maxKeys) return { path: [], message: `The body has more than ${maxKeys} fields and list items.` }
      if (key === '__proto__') return { path: [...path, key], message: 'This name is not allowed.' }
      const message = isArray ? undefined : textFault(key)
      if (message) return { path, message }
      const issue = walk(child, [...path, isArray ? Number(key) : key])
      if (issue) return issue
    }
    return undefined
  }
  return walk(value, [])
}
