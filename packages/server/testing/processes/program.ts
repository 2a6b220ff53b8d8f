import { fileURLToPath } from 'node:url'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where the file of the service and that of the operator's command are. */
export const sources = { main: file('../../src/main.ts'), operator: file('../../bin/svc-server.js') }

export type Program = keyof typeof sources

/** The environment variable with the folder of the bundle. */
export const bundleName = 'PROGRAM_OF_TESTS'

/** The file that a test starts: the bundle of `bundle.ts`. Where Vitest has made none, as in a benchmark, the sources. */
export function programOf(program: Program): string {
  const bundle = process.env[bundleName]
  return bundle ? `${bundle}/${program}.mjs` : sources[program]
}
