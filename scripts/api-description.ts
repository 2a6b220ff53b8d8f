import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { buildApi } from '../packages/server/src/api.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { windowsIn } from '../packages/server/src/http/limits/count-windows.ts'
import type { OpenApiDocument } from '../packages/server/src/http/openapi/document.ts'
import { platformOf } from '../packages/server/src/open-platform.ts'
import type { Database } from '../packages/server/src/platform/db/index.ts'
import { roomsWithin } from '../packages/server/src/platform/held.ts'
import { openOutbound } from '../packages/server/src/platform/outbound/index.ts'
import { openWings } from '../packages/server/src/wings.ts'

/** The OpenAPI document of every route of the wings, as the service registers them. It starts nothing. */
export async function apiDescription(): Promise<OpenApiDocument> {
  const { config } = readConfig({})
  const registry = new Registry()
  const openRoom = roomsWithin(config.SVC_VISITOR_MEMORY, registry)
  const outside = platformOf({
    tracing: null,
    config,
    log: pino({ level: 'silent' }),
    now: () => new Date(0),
    database: { db: withoutDatabase() } as Database,
    clickHouse: null,
    outbound: openOutbound(),
    mailer: null,
    secretKey: Buffer.alloc(32),
    registry,
    openRoom,
    windows: windowsIn(openRoom),
  })
  const platform = { ...outside, close: async () => undefined }
  const app = await buildApi(platform, await openWings(platform))
  await app.ready()
  return app.swagger() as unknown as OpenApiDocument
}

/** Registering routes needs a Kysely instance but runs no query. */
const withoutDatabase = (): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
