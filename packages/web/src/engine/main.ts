import type { Served } from '../script.ts'
import { openDoor } from './door.ts'
import './part.ts'
import { start } from './start.ts'

/** What the script of an environment hands over; see `scriptOf`. */
declare const svcContent: Served

openDoor(svcContent, () => start(window, svcContent, svcParts))
