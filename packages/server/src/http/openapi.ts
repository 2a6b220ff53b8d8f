import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { noBody } from './operation.ts'

const introduction = `Feature flags and A/B tests: manage them here, publish, and let the SDKs decide.

Every answer is \`{ "data": … }\`, lists also carry \`page\`; every error is the error object described at
[/docs/errors](/docs/errors). Ids are opaque; times are ISO 8601 in UTC; unknown fields and query parameters are refused.`

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
        },
      },
    },
    transform: (route) => jsonSchemaTransform(withoutEmptyBody(route)),
    transformObject: (document) => withoutUnusedInputs(jsonSchemaTransformObject(document)),
  })
}

/** The document marks every body as required, so an optional empty body is left out of it. */
function withoutEmptyBody(route: Parameters<typeof jsonSchemaTransform>[0]): typeof route {
  const { body, ...schema } = route.schema
  return body === noBody ? { ...route, schema } : route
}

/** The transform prints an input variant of every named schema. Most are never used. */
function withoutUnusedInputs(document: ReturnType<typeof jsonSchemaTransformObject>) {
  const { schemas = {} } = (document as { components?: { schemas?: Record<string, unknown> } }).components ?? {}
  const text = JSON.stringify(document)
  for (const name of Object.keys(schemas))
    if (name.endsWith('Input') && !text.includes(`"#/components/schemas/${name}"`)) delete schemas[name]
  return document
}

const dashboardPaths = '/api/dashboard/'

/** Leaves out the dashboard's own routes, which are not part of the contract and accept no tokens. */
export function publicPart(document: object): object {
  const { paths = {}, components = {} } = document as { paths?: object; components?: { schemas?: object } }
  const isPublic = ([path]: [string, unknown]) => !path.startsWith(dashboardPaths)
  const shown = Object.fromEntries(Object.entries(paths).filter(isPublic))
  return { ...document, paths: shown, components: { ...components, schemas: usedBy(shown, components.schemas ?? {}) } }
}

/** The named schemas that a part of a document refers to, directly or through others. */
function usedBy(part: object, schemas: object): object {
  const used = new Map<string, unknown>()
  const follow = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      const schema: unknown = Object.entries(schemas).find(([key]) => key === name)?.[1]
      used.set(name, schema)
      follow(schema)
    }
  }
  follow(part)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** The document at `/openapi.json`. */
export function serveOpenApi(app: FastifyInstance): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
    return publicPart(app.swagger())
  })
}
