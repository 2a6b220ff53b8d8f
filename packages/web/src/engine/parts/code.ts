import type { CodeTable } from '../../script.ts'
import type { Api } from '../api.ts'
import type { Part } from '../part.ts'
import type { Given } from '../visit.ts'
import { createThrown, type Ran } from './thrown.ts'

/** What the code of a variation gets. */
interface Svc {
  variationKey: string
  visitorId: string
  track: Api['track']
  /** Resolves to the first element that the selector finds, also if it comes late. Never, once the page view is over. */
  waitFor(selector: string): Promise<Element>
  /** Calls the function when the page view is over, or the visitor leaves the experiment. */
  onLeave(undo: () => unknown): void
}

/** Code in a page view. */
interface Running extends Given, Ran {
  undo: (() => unknown)[]
  isOver: boolean
}

declare const svcCode: CodeTable

const isSame = (one: Given, other: Given): boolean =>
  one.experiment === other.experiment && one.found.variationKey === other.found.variationKey

/** Runs the code of variations, once in a page view. */
const code: Part = (host) => {
  const { page, api } = host
  const { document } = page
  const { begin, attempt } = createThrown(host, svcCode)
  const [, ...functions] = svcCode
  let running: Running[] = []
  let address: string | undefined

  const end = (each: Running): void => {
    each.isOver = true
    for (const undo of each.undo.reverse()) attempt(each, undo)
  }
  const svcOf = (each: Running): Svc => ({
    variationKey: each.found.variationKey!,
    visitorId: each.context.targetingKey!,
    track: (...given) => api.track(...given),
    waitFor: (selector) =>
      new Promise((resolve) => {
        const find = () => {
          const element = document.querySelector(selector)
          if (element) {
            added.disconnect()
            resolve(element)
          }
          return element
        }
        const added = new page.MutationObserver(find)
        if (each.isOver || find()) return
        added.observe(document, { childList: true, subtree: true, attributes: true })
        each.undo.push(() => added.disconnect())
      }),
    onLeave(undo) {
      if (each.isOver) attempt(each, undo)
      else each.undo.push(undo)
    },
  })

  return (all, context) => {
    const { href } = page.location
    const isView = href !== address
    const left = running.filter((each) => isView || !all.some((given) => isSame(each, given)))
    running = running.filter((each) => !left.includes(each))
    for (const each of left.reverse()) end(each)
    if (isView) begin()
    address = href
    const entered = all.flatMap((given): Running[] => {
      const number = given.experiment.variations[given.found.variationKey!]?.code ?? null
      const isWaiting = given.isHeld || running.some((each) => isSame(each, given))
      return number === null || isWaiting ? [] : [{ ...given, number, context, undo: [], isOver: false }]
    })
    running.push(...entered)
    // Last: the changes are there.
    queueMicrotask(() => {
      for (const each of entered)
        if (!each.isOver) attempt(each, () => functions[each.number]![3](svcOf(each) as never))
    })
    return all
  }
}

svcParts.push(code)
