import type { FastifyInstance } from 'fastify'
import type { PersonRoute } from './http/person-route.ts'
import type { Route } from './http/route.ts'

/**
 * What a wing gives to the program. Opening a wing opens nothing else: it only makes what `start` begins, so that the
 * API can be described without a database.
 */
export interface Wing {
  /** Registers its routes under /api/v1. */
  routes?(route: Route): void
  /** Registers its routes under /api/dashboard that concern a person. */
  personRoutes?(route: PersonRoute): void
  /** Registers what has an address outside of both. */
  serve?(app: FastifyInstance): void
  /** Begins what every node needs. */
  start?(): Promise<void> | void
  /** Begins what runs by itself, once for all nodes: not on a node that only answers (`SVC_ROLE=api`). */
  work?(): Promise<void> | void
  /** The node is going away: ends calls that would wait, and waits for work that takes as long as a call. */
  leave?(): Promise<void> | void
  /** After the last call: ends what `start` and `work` began. */
  stop?(): Promise<void> | void
}
