import type { FastifyInstance } from 'fastify'
import type { Authenticators } from '../../http/credentials.ts'
import type { Platform } from '../../open-platform.ts'
import { canSucceedLater, isUnavailable } from '../../platform/db/index.ts'
import type { Wing } from '../../wing.ts'
import type { Flags } from '../flags/index.ts'
import { findKeys } from '../serving/datafile/index.ts'
import type { Serving } from '../serving/index.ts'
import {
  type ArrivalNotes,
  arrivalNotes,
  arrivalRoutes,
  arrivalSweep,
  arrivalsIn,
  keepArrivals,
} from './arrivals/index.ts'
import { calculatorRoutes } from './calculators/index.ts'
import { clickHouseStore, observeClickHouse } from './clickhouse/index.ts'
import { type CodeErrors, codeErrorSweeps, codeErrors } from './code-errors/index.ts'
import { erasing, erasureRoutes } from './erasure/index.ts'
import {
  type AddressNotes,
  addressesIn,
  addressNotes,
  addressSweeps,
  databaseStore,
  type EventQuota,
  type EventStore,
  eventQuota,
  eventRoutes,
  eventSweeps,
  freeShareOfEvents,
  type Gathering,
  gatheringInto,
  ingestKeys,
  keepAddresses,
  keepNames,
  type MeasuredEvents,
  type NewEvent,
  type NewOrder,
  observeIngestion,
  observeQuota,
  shareUsage,
  usageIn,
  usageSweep,
  withinQuota,
} from './events/index.ts'
import { exclusionGroupRoutes } from './exclusion-groups/index.ts'
import {
  editorAuthenticator,
  experimentRoutes,
  findEditorFrame,
  type PresenceOnNode,
  presenceOnNode,
  serveWebLinks,
  webLinkSweep,
} from './experiments/index.ts'
import { holdoutRoutes } from './holdouts/index.ts'
import { metricRoutes } from './metrics/index.ts'
import { exposures, ofrepRoutes } from './ofrep/index.ts'
import { orderRoutes, orderSweeps, recounting, storeOrders, withOrders } from './orders/index.ts'
import { resultRoutes, type SnapshotWorker, snapshotWorker } from './results/index.ts'
import { keepSeen, type SeenNotes, seenIn, seenNotes, seenRoutes, seenSweep } from './seen/index.ts'
import { observeWatching, type Watcher, watcher } from './watching/index.ts'

export interface Measuring extends Wing {
  /** Finds the session of the visual editor's token. */
  authenticate: Pick<Authenticators, 'editor'>
  /** The origin whose pages can have the frame of a session of the visual editor. */
  editorOrigin: (which: { id: string; sdkKey: string }) => Promise<string | undefined>
  /** Who edits experiments now. */
  presence: PresenceOnNode
  /** Where exposures and tracked events are. */
  events: MeasuredEvents
  quota: EventQuota
  /** Which events arrived. */
  arrivals: ArrivalNotes
  /** Some visitors with their attributes. */
  seen: SeenNotes
  /** From which networks visitors came. */
  addresses: AddressNotes
  snapshots: SnapshotWorker
  /** What settings have left to do with orders. */
  recounts: ReturnType<typeof recounting>
  watching: Watcher
  /** Errors of the code of variations. */
  codeErrors: CodeErrors
}

export function openMeasuring(
  platform: Platform,
  { change, scriptIn, engines, ...serving }: Pick<Serving, 'store' | 'usage' | 'change' | 'scriptIn' | 'engines'>,
  { switching }: Pick<Flags, 'switching'>,
): Measuring {
  const { db, database, config, baseUrl, now, registry, log, authorOf, onError, signers, jobs } = platform
  const observeWatch = observeWatching(registry, log, db, now)
  const errors = codeErrors({ db, switching, authorOf, now, observe: observeWatch, dataFiles: serving.store }, onError)
  platform.sweeps.push(...codeErrorSweeps)
  const ingestion = openIngestion(platform, { ...serving, takeError: errors.take })
  const { events, quota, arrivals, seen, addresses } = ingestion
  const watching = watcher({ db, switching, authorOf, now, observe: observeWatch }, onError)
  const { judge } = watching
  const snapshots = snapshotWorker(
    {
      ...{ db, events, now, judge, eventsKeptForMs: config.SVC_EVENT_RETENTION, pace: { share: 1 } },
      // A server does other work meanwhile. In the embedded database everything waits for a statement.
      ...(database.kind === 'server' && { unitsCountedAtOnce: 2_000_000 }),
    },
    onError,
  )
  const erasure = { db, events, snapshots, jobs, authorOf, signer: signers.erasures, baseUrl }
  jobs.add(erasing(erasure))
  platform.sweeps.push(webLinkSweep)
  const presence = presenceOnNode(platform)
  const recounts = recounting({ db, events, now }, onError)
  return {
    authenticate: { editor: editorAuthenticator(db, now) },
    editorOrigin: (which) => findEditorFrame(db, which, now()),
    presence,
    events,
    quota,
    ...{ arrivals, seen, addresses, snapshots, recounts, watching },
    codeErrors: errors,
    async start() {
      await ingestion.start()
      await presence.start()
    },
    work() {
      snapshots.start()
      recounts.start()
      watching.start()
      errors.start()
    },
    async stop() {
      presence.stop()
      await ingestion.stop()
      await snapshots.stop()
      await recounts.stop()
      await watching.stop()
      await errors.stop()
    },
    routes(route) {
      metricRoutes(route, platform)
      arrivalRoutes(route, platform)
      seenRoutes(route, platform)
      exclusionGroupRoutes(route, platform)
      holdoutRoutes(route, platform)
      experimentRoutes(route, { ...platform, change, switching, scriptIn, snapshots, presence })
      resultRoutes(route, { db, now, snapshots })
      calculatorRoutes(route)
      erasureRoutes(route, erasure)
      orderRoutes(route, platform)
    },
    serve(app) {
      ingestion.serve(app)
      const { openRoom } = platform
      const previews = { dataFiles: serving.store, engines, signer: signers.previews }
      serveWebLinks(app, { db, now, baseUrl, openRoom, isUnavailable, ...previews })
    },
  }
}

/** Takes exposures and tracked events in, and evaluates for OFREP, which causes exposures. */
function openIngestion(
  platform: Platform,
  {
    store: dataFiles,
    usage,
    takeError,
  }: Pick<Serving, 'store' | 'usage'> & Pick<Parameters<typeof eventRoutes>[1], 'takeError'>,
) {
  const { db, database, config, baseUrl, now, sweeps, registry, log, background, openRoom, onError, signers } = platform
  const events = withOrders(openStore(platform), db)
  const names = keepNames(db, dataFiles, now)
  const observe = observeIngestion(registry, log, () => gathered.waiting() + orders.waiting())
  const quota = openQuota(platform)
  const usageShared = shareUsage(quota, onError)
  const limits = { quota, room: openRoom('eventsWaiting'), isFull: platform.storage.isFull }
  const writing = { kind: database.kind, observe, now }
  const arrivals = arrivalNotes({ room: openRoom('arrivals'), add: arrivalsIn(db) })
  const arrivalsKept = keepArrivals(arrivals, onError)
  const seen = seenNotes({ room: openRoom('seenVisitors'), add: seenIn(db) })
  const seenKept = keepSeen(seen, onError)
  const append = async (news: readonly NewEvent[], receivedAt: Date) => {
    const isNew = await events.append(news, receivedAt)
    arrivals.note(news, isNew, receivedAt)
    seen.note(news, receivedAt)
    return isNew
  }
  const gathered: Gathering<NewEvent> = withinQuota(gatheringInto(append, { what: 'events', ...writing }), limits)
  const storing = (news: readonly NewOrder[], receivedAt: Date) => storeOrders({ db, events }, news, receivedAt)
  const orders: Gathering<NewOrder> = withinQuota(gatheringInto(storing, { what: 'orders', ...writing }), limits)
  const evaluated = exposures({
    names,
    gathered,
    now,
    openRoom,
    takes: (envId) => quota.refuses(envId) === undefined,
    onKeyless(envId) {
      observe.rejected('ingest_key_required')
      usage.missedIngestKey(envId)
    },
    onDropped: () => observe.full(gathered.waiting()),
  })
  const addresses = addressNotes({ signer: signers.addresses, room: openRoom('addresses'), add: addressesIn(db) })
  const addressesKept = keepAddresses(addresses, onError)
  sweeps.push(...eventSweeps(events, config.SVC_EVENT_RETENTION, now), usageSweep, arrivalSweep, seenSweep)
  sweeps.push(...addressSweeps(config.SVC_EVENT_RETENTION), ...orderSweeps(config.SVC_EVENT_RETENTION))
  const keys = ingestKeys({ dataFiles, usage, load: (envId) => findKeys(db, envId) })
  const shared = { dataFiles, usage, ingestKeys: keys, background, now, openRoom, isUnavailable: canSucceedLater }
  return {
    events,
    quota,
    arrivals,
    seen,
    addresses,
    async start() {
      await usageShared.start()
      addressesKept.start()
      arrivalsKept.start()
      seenKept.start()
    },
    async stop() {
      await evaluated.stop()
      await usageShared.stop()
      await addressesKept.stop()
      await arrivalsKept.stop()
      await seenKept.stop()
    },
    serve(app: FastifyInstance) {
      const requestsPerMinute = config.SVC_RATE_LIMIT_EVENTS
      eventRoutes(app, { ...shared, names, gathered, orders, quota, addresses, takeError, observe, requestsPerMinute })
      const evaluationsPerMinute = config.SVC_RATE_LIMIT_OFREP
      ofrepRoutes(app, { ...shared, exposures: evaluated, seen, baseUrl, evaluationsPerMinute })
    },
  }
}

function openStore({ db, database, clickHouse, registry }: Platform): EventStore {
  if (!clickHouse) return databaseStore(database)
  observeClickHouse(registry, clickHouse)
  return clickHouseStore(clickHouse, db)
}

function openQuota({ db, config, clickHouse, now, registry }: Platform): EventQuota {
  const quota = eventQuota({
    eventsPerDay: config.SVC_EVENTS_PER_DAY,
    bytesPerDay: config.SVC_EVENT_BYTES_PER_DAY,
    diskReserve: config.SVC_EVENT_DISK_RESERVE,
    readFree: freeShareOfEvents(db, config, Boolean(clickHouse)),
    now,
    shared: usageIn(db),
  })
  observeQuota(registry, quota)
  return quota
}
