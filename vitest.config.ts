import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Node keeps what it compiles, for the thousand programs that tests start and for the workers themselves. Without it, the
 * start of a command line takes three times as long.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/svc')

const onDatabases = [
  'packages/server/src/wings/**/routes*.test.ts',
  'packages/server/src/http/routes*.test.ts',
  'packages/server/src/platform/db/*.test.ts',
  'packages/server/src/compose*.test.ts',
  'packages/server/test/*.test.ts',
]
const onOneDatabase = (name: string) => [
  `packages/server/src/platform/db/${name}/*.test.ts`,
  `packages/server/test/${name}/*.test.ts`,
]
/**
 * Tables of cases about HTTP, access, wording and rules, which pure code decides. They run on the server only, where a
 * test costs half as much. Every operation still runs on both databases: `routes-described` reads with each,
 * `routes-coverage` of the audit log does every write, and the other files of a feature run on both.
 */
const onServerOnly = [
  'packages/server/src/http/routes-{access,bodies,browser-sdk,dashboard,docs,download,failures,generated,https}.test.ts',
  'packages/server/src/http/routes-{messages,names,openapi,order,packages,rate-limit*,scopes,traces}.test.ts',
  'packages/server/src/wings/**/routes-{access,bounds,cookie,enumeration,equal-work,messages,refusals,role-table}.test.ts',
  'packages/server/src/wings/**/routes-{audit,audit-refusals,lifecycle,precondition,reassignment,update,variations}.test.ts',
  'packages/server/src/wings/people/members/routes-invitations.test.ts',
  'packages/server/src/wings/people/oidc/routes-*.test.ts',
  'packages/server/src/wings/serving/datafile/routes-ahead.test.ts',
  'packages/server/src/wings/telling/webhooks/routes-{create,events,idempotency,payloads,test-ping}.test.ts',
  'packages/server/test/hostile-requests.test.ts',
]
/** Objects that a request leaves behind: those of the embedded database are our own code, those of the server are pg's. */
const onEmbeddedOnly = ['packages/server/src/http/routes-memory.test.ts']
const inBrowser = ['e2e/dashboard/*.test.ts']
const inTheLab = ['e2e/lab/*.test.ts']
const inTime = { testTimeout: 120_000, hookTimeout: 120_000 }

const onEmbedded = 'packages/server/testing/embedded-setup.ts'
const beforeEachFile = 'packages/server/testing/file-setup.ts'

/**
 * Three at a time, also on two processors, because every file waits now and then: first those without a browser, then
 * those with one beside those in the lab.
 */
const together = (groupOrder: number) => ({
  maxWorkers: 3,
  sequence: { groupOrder },
  // Vitest's one second is too short on a busy machine.
  expect: { poll: { timeout: 20_000 } },
})

/**
 * Vitest begins with large files. Those of `packages/server/test` are small but slow, because they start processes: one
 * that began last would run alone. `routes-memory` counts the objects of its worker, which takes the longer the more
 * files have run in it: a few seconds as the first, half a minute as the last.
 */
const early = [/\/routes-memory\.test\.ts$/, /\/packages\/server\/test\//]
const turnOf = ({ moduleId }: TestSpecification) => {
  const turn = early.findIndex((name) => name.test(moduleId))
  return turn === -1 ? early.length : turn
}

/** Within a project. The projects stay apart, because a worker ends when the next file is of a different one. */
const slowFirst = (sorted: TestSpecification[]): TestSpecification[] =>
  [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((files) =>
    files.toSorted((one, other) => turnOf(one) - turnOf(other)),
  )

/** Files of the lab mostly wait, and those with a browser mostly compute, so they take turns. */
class InTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = slowFirst(await super.sort(files))
    const inLab = sorted.filter(({ project }) => project.name === 'lab')
    // Vitest begins with large files. These are small but slow: one that began last would run alone.
    const small = sorted.filter(({ project }) => project.name === 'e2e')
    const inWindows = sorted.filter(({ project }) => ['browser', 'browser-server'].includes(project.name))
    const beside = [...small, ...inWindows]
    const before = sorted.filter((file) => !inLab.includes(file) && !beside.includes(file))
    const turns = Array.from({ length: Math.max(inLab.length, beside.length) }, (_, turn) => [
      inLab[turn],
      beside[turn],
    ])
    return [...before, ...turns.flat().filter((file) => file !== undefined)]
  }
}

const database = (name: 'embedded' | 'server') => ({
  test: {
    name,
    // Files of one worker share imported modules, which saves half the time. Each has its own service and database.
    isolate: false,
    include: [...onDatabases, ...onOneDatabase(name)],
    exclude: name === 'embedded' ? onServerOnly : onEmbeddedOnly,
    globalSetup: `packages/server/testing/${name}-setup.ts`,
    setupFiles: beforeEachFile,
    ...together(0),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

/** The dashboard speaks no SQL, so only a full run repeats its tests on a PostgreSQL server. */
const browser = (database: 'embedded' | 'server') => ({
  test: {
    name: database === 'embedded' ? 'browser' : 'browser-server',
    isolate: false,
    include: inBrowser,
    globalSetup: `packages/server/testing/${database}-setup.ts`,
    setupFiles: beforeEachFile,
    ...inTime,
    ...together(1),
  },
})

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: InTurns },
    projects: [
      {
        test: {
          name: 'pure',
          isolate: false,
          include: [
            'packages/*/src/**/*.test.ts',
            'conformance/**/*.test.ts',
            'clients/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...onDatabases, ...onOneDatabase('*')],
          testTimeout: 60_000,
          ...together(0),
        },
      },
      database('embedded'),
      database('server'),
      browser('embedded'),
      ...(process.env.SVC_TEST_FULL ? [browser('server')] : []),
      { test: { name: 'lab', include: inTheLab, globalSetup: onEmbedded, ...inTime, ...together(1) } },
      { test: { name: 'e2e', include: ['e2e/*.test.ts'], globalSetup: onEmbedded, ...inTime, ...together(1) } },
    ],
  },
})
