import { readFileSync } from 'node:fs'
import { type EngineName, engineNames } from '@svc/web'

/** The engine of web experiments and its parts, of which the service makes the script of each environment. */
export function readEngines(): Record<EngineName, string> {
  return Object.fromEntries(engineNames.map((name) => [name, read(name)])) as Record<EngineName, string>
}

function read(name: EngineName): string {
  try {
    return readFileSync(new URL(`../../../../web/dist/${name}.iife.js`, import.meta.url), 'utf8')
  } catch {
    throw new Error('the engine of web experiments is not built: run npm run build')
  }
}
