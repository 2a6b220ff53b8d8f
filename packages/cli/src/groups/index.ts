import type { Group } from '../command.ts'
import { api } from './api.ts'
import { auth } from './auth.ts'
import { env } from './env.ts'
import { flag } from './flag.ts'
import { override } from './override.ts'
import { publish } from './publish.ts'
import { rule } from './rule.ts'

/** Every group of commands, in the order of help and docs. A new one is a file here and a line there. */
export const groups: readonly Group[] = [auth, flag, rule, env, publish, override, api]
