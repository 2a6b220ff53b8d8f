import type { Group } from '../command.ts'
import { api } from './api.ts'
import { audience } from './audience.ts'
import { auth } from './auth.ts'
import { env } from './env.ts'
import { evaluate } from './evaluate.ts'
import { experiment } from './experiment.ts'
import { flag } from './flag.ts'
import { metric } from './metric.ts'
import { override } from './override.ts'
import { publish } from './publish.ts'
import { results } from './results.ts'
import { rule } from './rule.ts'
import { segment } from './segment.ts'

/** Every group of commands, in the order of help and docs. A new one is a file here and a line there. */
export const groups: readonly Group[] = [
  auth,
  flag,
  rule,
  env,
  publish,
  override,
  audience,
  segment,
  metric,
  experiment,
  results,
  evaluate,
  api,
]
