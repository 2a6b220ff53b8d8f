import { readFileSync } from 'node:fs'

/** The engine of web experiments, which the service puts before the content of each environment. */
export function readEngines(): { plain: string; whole: string } {
  return { plain: read('engine.iife.js'), whole: read('engine-rare.iife.js') }
}

function read(name: string): string {
  try {
    return readFileSync(new URL(`../../../../web/dist/${name}`, import.meta.url), 'utf8')
  } catch {
    throw new Error('the engine of web experiments is not built: run npm run build')
  }
}
