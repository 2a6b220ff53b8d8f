import { defineConfig } from 'vitest/config'

/** `npm run screenshots`: apart from `npm test`, because pictures are for people and prove nothing. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['e2e/pictures/*.test.ts'],
    globalSetup: 'packages/server/testing/databases/embedded-setup.ts',
    setupFiles: 'packages/server/testing/file-setup.ts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
