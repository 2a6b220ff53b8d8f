import { defineConfig } from 'vitest/config'

const database = (name: 'embedded' | 'server') => ({
  test: {
    name,
    include: [
      'packages/server/src/wings/measuring/events/routes-{addresses,reading}.test.ts',
      'packages/server/src/wings/measuring/orders/{routes,routes-results}.test.ts',
      'packages/server/src/wings/measuring/results/routes-{intake,precision}.test.ts',
      'packages/server/src/wings/measuring/erasure/routes.test.ts',
      'packages/server/src/wings/measuring/results/routes-snapshots.test.ts',
      'packages/server/src/wings/measuring/watching/routes.test.ts',
      'packages/server/test-clickhouse/*.test.ts',
    ],
    globalSetup: [
      `packages/server/testing/databases/${name}-setup.ts`,
      'packages/server/testing/databases/clickhouse-setup.ts',
    ],
    setupFiles: 'packages/server/testing/file-setup.ts',
    // As in the main configuration: Node itself imports the tests and what they test.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

/**
 * `npm run test:clickhouse`: apart from `npm test`, because few have ClickHouse. The tests of the store in the
 * main database run here on ClickHouse, with both databases.
 */
export default defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: { projects: [database('embedded'), database('server')] },
})
