import { defineConfig } from 'vitest/config'

const db = 'packages/server/src/platform/db'

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [`${db}/*.test.ts`, `${db}/embedded/*.test.ts`],
          globalSetup: ['packages/server/testing/embedded-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [`${db}/*.test.ts`, `${db}/server/*.test.ts`],
          globalSetup: ['packages/server/testing/server-setup.ts'],
        },
      },
    ],
  },
})
