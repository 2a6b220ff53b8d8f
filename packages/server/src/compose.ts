import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApi } from './api.ts'
import type { Config } from './config.ts'
import type { Ground } from './ground.ts'
import { answersAhead } from './http/ahead.ts'
import { answered } from './http/answered.ts'
import { drainable } from './http/drain.ts'
import { serveBrowserSdk } from './http/files/browser-sdk.ts'
import { serveDashboard } from './http/files/dashboard.ts'
import { serveDocs } from './http/files/docs.ts'
import { serveEditor } from './http/files/editor.ts'
import { servePackages } from './http/files/packages.ts'
import { serveWebBridge } from './http/files/web-bridge.ts'
import { serveHealth } from './http/health.ts'
import { serveMetrics, serveMetricsAlone } from './http/metrics.ts'
import { serveOpenApi } from './http/openapi/openapi.ts'
import { traceAhead } from './http/traces.ts'
import { openPlatform, type Platform, type World } from './open-platform.ts'
import { openOperatorSocket } from './operator-socket.ts'
import { type Database, isUnavailable } from './platform/db/index.ts'
import { endAllLeases } from './platform/due-rows.ts'
import { inScope } from './platform/tracing/index.ts'
import { secretKeyOf } from './secret-key.ts'
import type { Wing } from './wing.ts'
import { type FirstSteps, logFirstSteps, readGiven, setUp } from './wings/setup/index.ts'
import { openWings, type Wings } from './wings.ts'

// A node has 15 seconds to stop. This is part of them.
const attemptsEndMs = 12_000

export { logFirstSteps }

export interface Service {
  app: FastifyInstance
  database: Database
  baseUrl: string
  deliveries: Wings['telling']['deliveries']
  schedules: Wings['flags']['schedules']
  snapshots: Wings['measuring']['snapshots']
  recounts: Wings['measuring']['recounts']
  watching: Wings['measuring']['watching']
  codeErrors: Wings['measuring']['codeErrors']
  arrivals: Wings['measuring']['arrivals']
  seen: Wings['measuring']['seen']
  addresses: Wings['measuring']['addresses']
  jobs: Platform['jobs']
  retention: Platform['retention']
  auditHeads: Wings['record']['auditHeads']
  workers: Platform['workers']
  /** Marks the node as leaving, finishes requests in flight, and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the platform, then the wings. If a later step fails, everything that is open is closed again.
 *
 * @param ground the checked ports, key and files of the program; without it, nothing listens
 */
export async function compose(
  config: Config,
  log: Logger,
  world: Partial<World> & { tellFirstSteps?: (steps: FirstSteps) => void } = {},
  ground?: Ground,
): Promise<Service> {
  const { tellFirstSteps = (steps) => logFirstSteps(log, steps) } = world
  const given = ground ? ground.given : await readGiven(config, world.now?.())
  const platform = await openPlatform(config, log, world, secretKeyOf)
  try {
    const wings = await openWings(platform)
    tellFirstSteps(await setUp(platform, given))
    return await assemble(platform, wings, ground)
  } catch (error) {
    await platform.close()
    throw error
  }
}

async function assemble(platform: Platform, wings: Wings, ground: Ground | undefined): Promise<Service> {
  const { config, database, storage, clickHouse, baseUrl, registry, outbound, tracing } = platform
  const answers = answered(registry)
  const { answersCalls, works } = partsOf(config)
  const trace = tracing ? traceAhead(tracing, baseUrl) : undefined
  const answerAhead = answersCalls
    ? answersAhead(wings.serving.ahead, { answered: answers, baseUrl, trace })
    : undefined
  const app = await buildApi(platform, answersCalls ? wings : undefined, {
    answerAhead,
    port: ground?.port,
    isStorageFull: storage.isFull,
  })
  const errors = { baseUrl, isUnavailable, isStorageFull: storage.isFull }
  const { requireRoom } = storage
  const clickHouseAnswers = clickHouse ? () => clickHouse.answers() : undefined
  serveHealth(app, { ...errors, answered: answers, ping: () => database.ping(), clickHouseAnswers, requireRoom })
  if (config.SVC_METRICS_TOKEN) serveMetrics(app, { ...errors, registry, token: config.SVC_METRICS_TOKEN })
  const drain = drainable(app.server)
  if (answersCalls) await serveFiles(app, wings)
  await app.ready()
  const inOrder: Wing[] = Object.values(wings)
  await inScope(tracing, undefined, async () => {
    if (database.kind === 'embedded') await endAllLeases(database.db)
    for (const wing of inOrder) await wing.start?.()
    if (works) for (const wing of inOrder) await wing.work?.()
  })
  ground?.port.open()
  if (ground?.metricsPort) serveMetricsAlone(ground.metricsPort, registry, baseUrl)
  if (works) platform.retention.start()
  const socket =
    ground && database.copyFiles ? await openOperatorSocket(database, config.SVC_DATA_DIR, platform.log) : undefined
  if (works) platform.workers.announce()
  else platform.workers.watch()

  return {
    app,
    database,
    baseUrl,
    deliveries: wings.telling.deliveries,
    schedules: wings.flags.schedules,
    snapshots: wings.measuring.snapshots,
    recounts: wings.measuring.recounts,
    watching: wings.measuring.watching,
    codeErrors: wings.measuring.codeErrors,
    arrivals: wings.measuring.arrivals,
    seen: wings.measuring.seen,
    addresses: wings.measuring.addresses,
    jobs: platform.jobs,
    retention: platform.retention,
    auditHeads: wings.record.auditHeads,
    workers: platform.workers,
    async close() {
      answers.drain()
      await socket?.close()
      const limit = setTimeout(() => outbound.close(), attemptsEndMs)
      // In parallel, because each can take as long as an attempt.
      await Promise.all([...inOrder.map((wing) => wing.leave?.()), drain()])
      clearTimeout(limit)
      await app.close()
      ground?.metricsPort?.server.close().closeAllConnections()
      for (const wing of inOrder.toReversed()) await wing.stop?.()
      await platform.close()
    },
  }
}

/** What pages and people load besides the answers of the API. */
async function serveFiles(app: Service['app'], wings: Wings): Promise<void> {
  await serveBrowserSdk(app)
  await serveWebBridge(app)
  await servePackages(app)
  await serveDashboard(app)
  await serveEditor(app, wings.measuring.editorOrigin)
  await serveDocs(app)
  serveOpenApi(app)
}

/** What a node does, by its role. A worker answers only for its health and metrics. */
const partsOf = ({ SVC_ROLE: role }: Config) => ({ answersCalls: role !== 'worker', works: role !== 'api' })
