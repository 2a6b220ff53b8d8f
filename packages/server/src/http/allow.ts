import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { notFound, refuse } from '../catalogue/refusals.ts'
import { type ErrorContext, sendRefusal } from './errors.ts'

/** Answers 404 for an unknown address, and 405 with `Allow` for a known address with a different method. */
export function answerUnknownRoutes(app: FastifyInstance, context: ErrorContext): void {
  const methodsByPattern = new Map<
    string,
    { pattern: RegExp; methods: Set<string>; count: FastifyContextConfig['countOther'] }
  >()
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = methodsByPattern.get(url) ?? { pattern: patternOf(url), methods: new Set(), count: undefined }
    for (const each of [method].flat()) known.methods.add(each)
    known.count ??= config?.countOther
    methodsByPattern.set(url, known)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = new Set<string>()
    let count: FastifyContextConfig['countOther']
    for (const known of methodsByPattern.values())
      if (known.pattern.test(path)) {
        for (const method of known.methods) allowed.add(method)
        count ??= known.count
      }
    if (allowed.size === 0) return sendRefusal(reply, context, notFound('Address'))
    await count?.(request, reply)
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
