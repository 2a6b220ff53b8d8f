import type { FindAnswer } from '../../http/ahead.ts'
import { readEngines } from '../../http/files/web-engine.ts'
import type { Platform } from '../../open-platform.ts'
import { canSucceedLater, isUnavailable } from '../../platform/db/index.ts'
import { openFilesMax } from '../../platform/open-files.ts'
import { systemActor } from '../../platform/outbox.ts'
import type { Wing } from '../../wing.ts'
import {
  currentFile,
  type DataFileStore,
  dataFileStore,
  dataFilesAhead,
  findDataFileByKey,
  keepDataFiles,
  type Publishing,
  publishing,
  renewDataFiles,
  type ScriptIn,
  serveDataFiles,
} from './datafile/index.ts'
import {
  type Confirmations,
  clientRoutes,
  confirmations,
  heartbeatRoutes,
  propagationRoutes,
  type Usage,
  usageNotes,
} from './heartbeat/index.ts'
import { dataFileStreams, mostStreams, serveStreams, streamLimits } from './stream/index.ts'
import { type Engines, serveWebFiles, webFiles, webFilesAhead } from './web/index.ts'

export interface Serving extends Wing {
  store: DataFileStore
  /** Changes data files, in the transaction of the change. */
  change: Publishing
  scriptIn: ScriptIn
  /** The engine of web experiments and its parts. */
  engines: Engines
  confirmations: Confirmations
  /** Notes which SDKs serve an environment, and which flags they evaluate. */
  usage: Usage
  /** Answers requests for data files and for what pages load before they reach the web framework. */
  ahead: FindAnswer
}

export function openServing({
  config,
  log,
  database,
  db,
  cursors,
  now,
  baseUrl,
  registry,
  openRoom,
  onError,
  authorOf,
}: Platform): Serving {
  const errors = { baseUrl, isUnavailable }
  const store = dataFileStore((sdkKey) => findDataFileByKey(db, sdkKey))
  const heard = confirmations(db, now)
  const usage = usageNotes({ db, now, confirmations: heard, openRoom, onError })
  const fetched = (sdkKey: string) => usage.used(sdkKey, 'DATA_FILE')
  const openFiles = openFilesMax()
  const limits = streamLimits(config.SVC_STREAMS_PER_ADDRESS, openFiles)
  const listens = (sdkKey: string) => usage.used(sdkKey, 'STREAM')
  const engines = readEngines()
  const web = webFiles(store, { baseUrl, engines, log })
  const change = publishing(db, store, { baseUrl, scriptOf: web.scriptOf })
  const ahead = [dataFilesAhead(store, fetched), webFilesAhead(web, fetched)]
  const streams = dataFileStreams(store, { registry, onError, limits, used: listens })
  return {
    store,
    change,
    engines,
    async scriptIn(tx, environment) {
      if (environment.projectType !== 'WEB') return null
      return web.scriptOf(await currentFile(tx, store, environment), environment.sdkKey)
    },
    confirmations: heard,
    usage,
    ahead(request) {
      for (const find of ahead) {
        const answer = find(request)
        if (answer) return answer
      }
      return undefined
    },
    routes(route) {
      propagationRoutes(route, { db, now })
      clientRoutes(route, { db, cursors, now })
    },
    serve(app) {
      serveDataFiles(app, store, { ...errors, used: fetched })
      serveWebFiles(app, web, { ...errors, used: fetched })
      serveStreams(app, store, streams, errors)
      heartbeatRoutes(app, { store, usage, openRoom, isUnavailable: canSucceedLater })
    },
    async start() {
      await renewDataFiles(db, change, authorOf(systemActor('upgrade')), (envId, reason) =>
        log.warn({ envId, reason }, 'the data file of an environment keeps its old format'),
      )
      await keepDataFiles(database, store)
      const { streamsPerNode } = limits
      if (streamsPerNode < mostStreams)
        log.warn(
          { openFiles, streams: streamsPerNode },
          'this node can hold only a few streams: raise the limit of open files',
        )
    },
    leave() {
      heard.stop()
      streams.stop()
    },
    stop: () => usage.stop(),
  }
}
