import type { Served } from '../script.ts'
import { isDoor } from './door.ts'
import './part.ts'
import { start } from './start.ts'

/** What the script of an environment hands over; see `scriptOf`. */
declare const svcContent: Served

if (!isDoor(window, svcContent)) start(window, svcContent, svcParts)
