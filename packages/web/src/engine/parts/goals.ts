import type { Goal } from '../../document.ts'
import type { Part } from '../part.ts'
import { whenSeen } from '../when-seen.ts'

/** Tells what visitors do, where a metric says what counts. */
const goals: Part = ({ page, api, settings, web, conditionOf, contextNow }) => {
  const all = web.goals.flatMap((goal) => {
    const { eventKey, selector, when } = goal
    try {
      // Throws where the browser does not know the selector.
      if (selector) page.document.querySelector(selector)
      return [{ ...goal, holds: when ? conditionOf(when) : () => true }]
    } catch (fault) {
      settings.warn(`the goal ${eventKey} rests`, fault)
      return []
    }
  })
  let address: string | undefined
  let watches: (() => void)[] = []

  const tell = ({ eventKey }: Goal): void => api.track(eventKey)
  const on = (kind: Goal['on']) => all.filter((goal) => goal.on === kind && goal.holds(contextNow()))
  const hear = (event: string, kind: Goal['on']): void =>
    page.addEventListener(
      event,
      (heard) => {
        // Inside of an element's shadow too.
        const path = heard.composedPath().filter((each) => each instanceof Element)
        for (const goal of on(kind)) if (path.some((each) => each.matches(goal.selector!))) tell(goal)
      },
      true,
    )
  hear('click', 'CLICK')
  hear('submit', 'FORM_SUBMIT')
  /** Tells once the visitor is counted: what comes before does not count. */
  const view = (): void => {
    for (const stop of watches) stop()
    const [viewed, seen] = [on('PAGE_VIEW'), on('SEEN')]
    queueMicrotask(() => {
      for (const goal of viewed) tell(goal)
    })
    watches = seen.map((goal) => whenSeen(page, goal.selector!, () => tell(goal)))
  }
  return (given) => {
    const { href } = page.location
    if (href !== address) {
      address = href
      view()
    }
    return given
  }
}

svcParts.push(goals)
