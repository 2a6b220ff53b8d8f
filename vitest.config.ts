import { defineConfig } from 'vitest/config'

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
const inBrowser = ['e2e/dashboard/*.test.ts']
const inTheLab = ['e2e/lab/*.test.ts']
const inTime = { testTimeout: 120_000, hookTimeout: 120_000 }

/** Two workers. The groups run in order: files without a browser, files with one, then the lab, which mostly waits. */
const together = (groupOrder: number) => ({ maxWorkers: 2, sequence: { groupOrder } })

const database = (name: 'embedded' | 'server') => ({
  test: {
    name,
    // Files of one worker share imported modules, which saves half the time. Each has its own service and database.
    isolate: false,
    include: [...onDatabases, ...onOneDatabase(name)],
    globalSetup: `packages/server/testing/${name}-setup.ts`,
    ...together(0),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'pure',
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'conformance/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...onDatabases, ...onOneDatabase('*')],
          testTimeout: 30_000,
          ...together(0),
        },
      },
      database('embedded'),
      database('server'),
      { test: { name: 'browser', include: inBrowser, ...inTime, ...together(1) } },
      { test: { name: 'lab', include: inTheLab, ...inTime, ...together(2) } },
      { test: { name: 'e2e', include: ['e2e/*.test.ts'], ...inTime, ...together(1) } },
    ],
  },
})
