import type { FastifyInstance } from 'fastify'
import type { CredentialRoute } from './http/credential-route.ts'
import type { PersonRoute } from './http/person-route.ts'
import type { Route } from './http/route.ts'

/**
 * What a wing provides. Opening a wing starts nothing: it only prepares what `start` begins, so that the API can be
 * described without a database.
 */
export interface Wing {
  /** Registers its routes under /api/v1 that work without an organization. */
  credentialRoutes?(route: CredentialRoute): void
  /** Registers its routes under /api/v1. */
  routes?(route: Route): void
  /** Registers its routes under /api/dashboard that concern a person. */
  personRoutes?(route: PersonRoute): void
  /** Registers routes at other addresses. */
  serve?(app: FastifyInstance): void
  /** Starts what every node needs. */
  start?(): Promise<void> | void
  /** Starts background work. Nodes that only answer requests (`SVC_ROLE=api`) do not call it. */
  work?(): Promise<void> | void
  /** Called when the node shuts down: ends waiting calls, and waits for work that takes as long as a call. */
  leave?(): Promise<void> | void
  /** Called after the last request: stops what `start` and `work` began. */
  stop?(): Promise<void> | void
}
