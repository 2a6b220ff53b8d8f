import type { Served } from '../script.ts'
import type { Part } from './part.ts'
import { start } from './start.ts'

/** What the module of a preview hands over; see `scriptOf`. */
declare const svcContent: Served

/** Nothing of a preview is stored or sent, whatever the page calls. Requests stay open, so nothing counts as confirmed. */
const still: Part = (host) => {
  host.join = () => {}
  host.leave = () => {}
  host.fetch = () => new Promise(() => {})
  return (all) => all
}

start(window, svcContent, [still, ...svcParts])
