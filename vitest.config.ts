import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BySeconds } from './bench/suite/by-seconds.ts'

/**
 * Node keeps what it compiles, for the thousand programs that tests start and for the workers themselves. Without it, the
 * start of a command line takes three times as long.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/svc')

const onDatabases = [
  'packages/server/src/wings/**/routes*.test.ts',
  'packages/server/src/http/**/routes*.test.ts',
  'packages/server/src/platform/db/*.test.ts',
  'packages/server/src/platform/due-rows.test.ts',
  'packages/server/src/compose*.test.ts',
  'packages/server/test/*.test.ts',
]
const onOneDatabase = (name: string) => [
  `packages/server/src/platform/db/${name}/*.test.ts`,
  `packages/server/test/${name}/*.test.ts`,
]
/**
 * What `npm test` repeats on the embedded database, where a test costs twice as much: the files that prove every
 * operation on it (`routes-described` reads with each, `routes-coverage` of the audit log does every write), those whose
 * SQL is not plain, and those in which our own code keeps what a server of PostgreSQL would keep. A full run repeats all.
 */
const alsoOnEmbedded = [
  'packages/server/src/compose*.test.ts',
  'packages/server/src/platform/db/!(migrations).test.ts',
  'packages/server/src/platform/due-rows.test.ts',
  'packages/server/src/http/every-route/routes-{cursors,described,idempotency,injection,storage}.test.ts',
  'packages/server/src/wings/commerce/catalog/routes.test.ts',
  'packages/server/src/wings/commerce/sources/sync/routes-sync.test.ts',
  'packages/server/src/wings/flags/projects/routes-delete.test.ts',
  'packages/server/src/wings/flags/publishing/routes-concurrency.test.ts',
  'packages/server/src/wings/flags/switches/routes.test.ts',
  'packages/server/src/wings/flags/switches/routes-{concurrency,together}.test.ts',
  'packages/server/src/wings/flags/switches/schedules/routes.test.ts',
  'packages/server/src/wings/measuring/erasure/routes.test.ts',
  'packages/server/src/wings/measuring/events/routes.test.ts',
  'packages/server/src/wings/measuring/events/routes-{quota,reading,store}.test.ts',
  'packages/server/src/wings/measuring/results/routes.test.ts',
  'packages/server/src/wings/record/audit/routes-coverage.test.ts',
  'packages/server/src/wings/record/live/routes.test.ts',
  'packages/server/src/wings/serving/datafile/routes.test.ts',
  'packages/server/src/wings/serving/heartbeat/routes.test.ts',
  'packages/server/src/wings/telling/webhooks/routes-workers.test.ts',
  'packages/server/test/{backup,crash,events-crash,migration-crash,snapshot-crash}.test.ts',
]
/** Objects that a request leaves behind: those of the embedded database are our own code, those of the server are pg's. */
const onEmbeddedOnly = ['packages/server/src/http/every-route/routes-memory.test.ts']
/** A second node takes over, and the embedded database has one. */
const onServerOnly = ['packages/server/src/wings/commerce/sources/sync/routes-takeover.test.ts']
/** Their statements are the same on both; on a server, `two-nodes-crash` and `events-crash` kill under the same load. */
const killsOfEmbedded = ['packages/server/test/{crash,snapshot-crash}.test.ts']
/** What installs or packs hundreds of megabytes, or publishes. CONTRIBUTING names the tests that keep its promises in each run. */
const inFullOnly = ['e2e/{image,next,publish,workerd}.test.ts', 'e2e/web/sites.test.ts']
/** What a newcomer and an operator do first, on the database that `npm start` gives them. */
const onDefault = {
  browser: ['e2e/dashboard/connect.test.ts'],
  e2e: ['e2e/{operator-guides,quickstart}.test.ts'],
}

/** Pure files that `npm run test:quick` does without, with spaces in between. */
const leftOut = process.env.SVC_TEST_LEFT_OUT?.split(' ').filter(Boolean) ?? []

const isFull = Boolean(process.env.SVC_TEST_FULL)
/**
 * Where nobody watches, a failed test of these projects is tried once more, from the start of its file.
 * `second-tries.ts` names each.
 */
const retry = process.env.CI ? 1 : 0
const inTime = { testTimeout: 900_000, hookTimeout: 900_000, retry, runner: './e2e/from-the-start.ts' }

/** Files of one worker share imported modules, a browser and services, which saves half the time. */
const shared = {
  isolate: false,
  setupFiles: [
    'packages/server/testing/imports-setup.ts',
    'packages/server/testing/file-setup.ts',
    ...(process.env.SVC_TEST_COSTS ? ['bench/suite/costs-setup.ts'] : []),
  ],
  // More than processors, because every file waits now and then.
  maxWorkers: 4,
  // Only safety nets: a busy machine takes ten times as long as a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}

/**
 * Node itself imports the tests and what they test, as in the service, so none of it can have JSX. While Vitest watches,
 * all is Vite's, which knows what a changed source concerns.
 */
const ofNode = {
  ...shared,
  experimental: {
    viteModuleRunner: !process.argv.includes('run'),
    // It reads each test for mocks of modules, and there are none.
    nodeLoader: false,
  },
}

/**
 * What runs on the embedded database does without its optimizing compiler, as the processes that tests start do
 * (`node-flags.ts`): it takes a third of the processor time, and pays off only after minutes.
 */
const ofEmbedded = { execArgv: ['--liftoff-only'] }

type Database = 'embedded' | 'server'

const setupOf = (database: Database) => `packages/server/testing/databases/${database}-setup.ts`

const database = (name: Database) => ({
  test: {
    ...ofNode,
    ...(name === 'embedded' && ofEmbedded),
    name,
    include: [
      ...(name === 'server' || isFull ? onDatabases : [...alsoOnEmbedded, ...onEmbeddedOnly]),
      ...onOneDatabase(name),
    ],
    exclude: name === 'server' ? [...onEmbeddedOnly, ...(isFull ? [] : killsOfEmbedded)] : onServerOnly,
    globalSetup: setupOf(name),
  },
})

/** Pages, guides and clients speak no SQL, so only a full run repeats all of their tests on the embedded database. */
const onEmbedded = (name: 'browser' | 'e2e', files: string) => ({
  test: {
    ...ofNode,
    ...inTime,
    ...ofEmbedded,
    name: `${name}-embedded`,
    include: isFull ? [files] : onDefault[name],
    globalSetup: setupOf('embedded'),
  },
})
const onServer = (name: 'browser' | 'e2e', files: string) => ({
  test: {
    ...ofNode,
    ...inTime,
    name,
    include: [files],
    exclude: isFull ? [] : [...onDefault[name], ...inFullOnly],
    globalSetup: setupOf('server'),
  },
})
const inBrowser = 'e2e/{dashboard,web}/*.test.ts'
/** What the script does in each browser in the browser's own way. */
const inFirefox = ['e2e/web/{changes,goals,redirects}.test.ts', 'e2e/firefox/*.test.ts']
const endToEnd = 'e2e/*.test.ts'

const firefoxProject = {
  test: { ...ofNode, ...inTime, name: 'firefox', include: inFirefox, globalSetup: setupOf('server') },
}

export default defineConfig({
  test: {
    reporters: ['default', './e2e/second-tries.ts'],
    sequence: { sequencer: BySeconds },
    projects: [
      {
        test: {
          ...ofNode,
          ...inTime,
          ...ofEmbedded,
          name: 'lab',
          include: ['e2e/lab/*.test.ts'],
          exclude: isFull ? [] : ['e2e/lab/disk-server.test.ts'],
          globalSetup: setupOf('embedded'),
        },
      },
      onEmbedded('e2e', endToEnd),
      onServer('e2e', endToEnd),
      onEmbedded('browser', inBrowser),
      onServer('browser', inBrowser),
      ...(process.env.SVC_TEST_BROWSER === 'firefox' ? [firefoxProject] : []),
      database('embedded'),
      database('server'),
      {
        test: {
          ...ofNode,
          name: 'pure',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/dashboard/editor/*.test.ts',
            'conformance/**/*.test.ts',
            'clients/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...onDatabases, ...onOneDatabase('*'), ...leftOut],
        },
      },
    ],
  },
})
