import type { FastifyInstance } from 'fastify'
import { notFound, refuse } from '../catalogue/refusals.ts'
import { type ErrorContext, sendRefusal } from './errors.ts'

/** Answers 404 for an unknown address, and 405 with `Allow` for a known address with a different method. */
export function answerUnknownRoutes(app: FastifyInstance, context: ErrorContext): void {
  const methodsByPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPattern.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    methodsByPattern.set(url, known)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = new Set<string>()
    for (const { pattern, methods } of methodsByPattern.values())
      if (pattern.test(path)) for (const method of methods) allowed.add(method)
    if (allowed.size === 0) return sendRefusal(reply, context, notFound('Address'))
    const allow = [...allowed].sort().join(', ')
    return sendRefusal(
      reply,
      context,
      refuse('method_not_allowed', `${request.method} is not allowed at this address. Use ${allow}.`, {
        allowed: [...allowed].sort(),
      }),
      { allow },
    )
  })
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) =>
      part === '*'
        ? '.*'
        : part.replace(/:\w+|[.*+?^${}()|[\]\\]/g, (each) => (each.startsWith(':') ? '[^/]+' : `\\${each}`)),
    )
    .join('/')
  return new RegExp(`^${source}$`)
}
