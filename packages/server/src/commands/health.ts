import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { readiness } from './readiness.ts'

/** `svc-server health`: the health check of a container. */
export async function checkHealth(args: string[]): Promise<void> {
  parseArgs({ args })
  const { config } = readConfig(process.env)
  const { isReady, text } = await readiness(config)
  if (!isReady) throw new Error(text)
  process.stdout.write(`${text}\n`)
}
