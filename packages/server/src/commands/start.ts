import { parseArgs } from 'node:util'

/** `svc-server start`. The program reports its own problems and ends the process. */
export async function start(args: string[]): Promise<void> {
  parseArgs({ args })
  await import('../main.ts')
}
