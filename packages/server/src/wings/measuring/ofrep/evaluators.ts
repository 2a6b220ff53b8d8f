import { compile, type Evaluator, parseDataFile } from '@svc/core'
import type { ServedDataFile } from '../../serving/datafile/index.ts'

export interface Ready {
  evaluator: Evaluator
  flagKeys: readonly string[]
  /** Whether the answers can change while the file and the context stay the same. */
  readsClock: boolean
}

/** Data files that are ready for evaluation. A file is compiled when it is first asked for, and kept while it is served. */
export function evaluators(): (file: ServedDataFile) => Promise<Ready> {
  const ready = new WeakMap<ServedDataFile, Promise<Ready>>()
  return (file) => {
    const known = ready.get(file) ?? prepare(file)
    ready.set(file, known)
    return known
  }
}

async function prepare(served: ServedDataFile): Promise<Ready> {
  const text = (await served.body('identity')).toString()
  const file = parseDataFile(JSON.parse(text))
  if (!file) throw new Error(`data file of environment ${served.envId} cannot be read`)
  return { evaluator: compile(file), flagKeys: Object.keys(file.flags).sort(), readsClock: text.includes('"$now"') }
}
