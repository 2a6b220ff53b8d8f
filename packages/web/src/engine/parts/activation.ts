import { isRedirecting } from '../../redirecting.ts'
import type { Part } from '../part.ts'
import { whenSeen } from '../when-seen.ts'

/** Experiments that count a visitor later than the page: at a call, or when an element is seen. */
const activation: Part = ({ page, api, look }) => {
  /** By key. An experiment stays active as long as the page is loaded. */
  const active = new Set<string>()
  const watches = new Map<string, () => void>()

  const activate = (key: string): void => {
    active.add(key)
    look()
  }
  api.activate = activate
  return (all) => {
    const waiting = all.filter(({ experiment }) => experiment.activation !== 'PAGE' && !active.has(experiment.key))
    const bySight = waiting.filter(({ experiment }) => experiment.activation === 'SEEN')
    for (const [key, stop] of watches)
      if (!bySight.some(({ experiment }) => experiment.key === key)) {
        stop()
        watches.delete(key)
      }
    for (const given of bySight) {
      const { key, activationSelector } = given.experiment
      // What was rolled out counts nobody.
      if ((given.isCounted || isRedirecting(given.experiment)) && !watches.has(key))
        watches.set(
          key,
          whenSeen(page, activationSelector!, () => activate(key)),
        )
      given.isCounted = false
    }
    // Who leaves the page could not see the element: with a redirect, all arms wait.
    return all.filter(
      (given) => !waiting.includes(given) || (bySight.includes(given) && !isRedirecting(given.experiment)),
    )
  }
}

svcParts.push(activation)
