import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { completed, type OpenApiDocument, optionalBody, publicPart } from './document.ts'
import { noBody } from './operation.ts'
import { webhooks } from './webhook-operations.ts'

const introduction = `Feature flags and A/B tests: manage them here, publish, and let the SDKs decide.

Every answer is \`{ "data": … }\`, lists also carry \`page\`; every error is the error object described at
[/docs/errors](/docs/errors). An address that is called with a different method answers 405. Ids are opaque; times are ISO 8601 in UTC; unknown fields and query parameters are refused.`

/** Prints the OpenAPI document from the schemas that validate. Call it before the first route is registered. */
export async function describeApi(app: FastifyInstance, baseUrl: string, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Svc API',
        version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'A service token (`svc_svc_…`) or a personal token (`svc_pat_…`).',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-svc_session',
            description: 'The session cookie of a person who is signed in to the dashboard.',
          },
          sdkKey: { type: 'http', scheme: 'bearer', description: 'The SDK key of an environment. It is public.' },
          ingestKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An ingest key of the environment (`svc_ing_…`), with which servers send events. It is secret.',
          },
          sdkKeyHeader: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The SDK key of an environment, as a header.',
          },
        },
      },
    },
    transform: (route) => jsonSchemaTransform(withBodyAsRead(asDescribed(route))),
    transformObject(given) {
      const document = jsonSchemaTransformObject(given) as unknown as OpenApiDocument
      return completed({ ...document, webhooks: webhooks() }) as never
    },
  })
}

type Route = Parameters<typeof jsonSchemaTransform>[0]

/** A route that checks its requests by itself has its description beside its schema. */
function asDescribed(route: Route): Route {
  const { described } = (route as { route?: { config?: FastifyContextConfig } }).route?.config ?? {}
  return described ? { ...route, ...described } : route
}

/**
 * The framework marks every body as required. The schema that checks requests knows whether it is. A body that is
 * always empty is left out.
 */
function withBodyAsRead(route: Route): Route {
  const { body, ...schema } = route.schema
  if (body === noBody) return { ...route, schema }
  const canBeLeftOut = body !== undefined && (body as z.ZodType).safeParse(undefined).success
  const marked = { ...route.schema, ...(canBeLeftOut && { [optionalBody]: true }) }
  return { ...route, schema: marked }
}

/** The document at `/openapi.json`. */
export function serveOpenApi(app: FastifyInstance): void {
  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(publicPart(app.swagger() as unknown as OpenApiDocument))
    return reply
      .header('access-control-allow-origin', '*')
      .type('application/json; charset=utf-8')
      .serializer((json: string) => json)
      .send(text)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the document prints, for a route that checks its requests by itself. */
    described?: { url: string; schema: FastifySchema }
  }
}
