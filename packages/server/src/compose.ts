import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApi } from './api.ts'
import type { Config } from './config.ts'
import { answersAhead } from './http/ahead.ts'
import { answered } from './http/answered.ts'
import { serveBrowserSdk } from './http/browser-sdk.ts'
import { serveDashboard } from './http/dashboard.ts'
import { serveDocs } from './http/docs.ts'
import { drainable } from './http/drain.ts'
import { serveHealth } from './http/health.ts'
import { serveOpenApi } from './http/openapi.ts'
import { openPlatform, type Platform, type World } from './open-platform.ts'
import { type Database, isUnavailable } from './platform/db/index.ts'
import type { Wing } from './wing.ts'
import { readGiven, setUp } from './wings/setup/index.ts'
import { openWings, type Wings } from './wings.ts'

// Of the 15 seconds that a node has to end in.
const attemptsEndMs = 12_000

export interface Service {
  app: FastifyInstance
  database: Database
  baseUrl: string
  deliveries: Wings['telling']['deliveries']
  schedules: Wings['flags']['schedules']
  /** Says that the node is going away, ends what is in flight, and closes the database. */
  close(): Promise<void>
}

/** Opens the platform and the wings on it. What is opened is closed again when a later step fails. */
export async function compose(config: Config, log: Logger, world: Partial<World> = {}): Promise<Service> {
  const given = await readGiven(config, world.now?.())
  const platform = await openPlatform(config, log, world)
  try {
    const wings = await openWings(platform)
    await setUp(platform, given)
    return await assemble(platform, wings)
  } catch (error) {
    await platform.close()
    throw error
  }
}

async function assemble(platform: Platform, wings: Wings): Promise<Service> {
  const { database, baseUrl, registry, outbound } = platform
  const answers = answered(registry)
  const answerAhead = answersAhead(wings.serving.ahead, { answered: answers, baseUrl })
  const app = await buildApi(platform, wings, { answerAhead })
  serveHealth(app, { baseUrl, isUnavailable, registry, answered: answers, ping: () => database.ping() })
  const drain = drainable(app.server)
  await serveBrowserSdk(app)
  await serveDashboard(app)
  await serveDocs(app)
  serveOpenApi(app)
  await app.ready()
  const inOrder: Wing[] = Object.values(wings)
  for (const wing of inOrder) await wing.start?.()

  return {
    app,
    database,
    baseUrl,
    deliveries: wings.telling.deliveries,
    schedules: wings.flags.schedules,
    async close() {
      answers.drain()
      const limit = setTimeout(() => outbound.close(), attemptsEndMs)
      // Together: each may wait for as long as an attempt takes.
      await Promise.all([...inOrder.map((wing) => wing.leave?.()), drain()])
      clearTimeout(limit)
      await app.close()
      for (const wing of inOrder.toReversed()) await wing.stop?.()
      await platform.close()
    },
  }
}
