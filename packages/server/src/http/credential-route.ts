import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Caller, type Credential, chooseOrganizationIfAny } from './credentials.ts'
import { type EntryContext, entryOf } from './entry.ts'
import { accepted } from './errors.ts'
import { type Described, openApiOperation, refusesHeaders } from './openapi/operation.ts'

export interface CredentialCall {
  credential: Credential
  /** The credential in the organization of this request. Null if there are several and the request selects none. */
  caller: Caller | null
}

export interface CredentialRouteDefinition<Data extends z.ZodType> extends Described {
  method: 'GET'
  url: string
  data: Data
  handle: (call: CredentialCall) => { data: z.input<Data> }
}

/** Registers a route about the credential itself. It works without a scope and an organization. */
export type CredentialRoute = <Data extends z.ZodType>(definition: CredentialRouteDefinition<Data>) => void

export function credentialRoutes({ app, ...context }: EntryContext & { app: FastifyInstance }): CredentialRoute {
  const entry = entryOf(context, { sessionsOnly: false, family: 'general' })
  return (route) => {
    app.route({
      method: route.method,
      url: route.url,
      schema: openApiOperation({ ...route, organization: 'optional' }),
      config: { countOther: entry.countOther },
      onRequest: async (request, reply) => {
        const { credential, chosen } = await entry.enter(request, reply, chooseOrganizationIfAny)
        accepted(refusesHeaders(route, request.headers))
        request.own = { credential, caller: chosen }
      },
      handler: async ({ own }) => route.handle(own),
    })
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `credentialRoutes` and read only by its handler. */
    own: CredentialCall
  }
}
