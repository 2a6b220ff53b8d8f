import type { ServedChange } from '../../document.ts'
import { hiddenAttribute, hidingRule } from '../../engine/nodes.ts'
import { createPlan, type Planned } from '../../engine/plan.ts'
import { createSheets } from '../../engine/sheets.ts'
import type { Previewed } from './messages.ts'

type Page = Window & typeof globalThis

/** Names of sheets that no experiment has. */
const sheet = { css: 'svc editor', hiding: 'svc editor hiding' }

/** Shows a draft on the page as the engine will show it to visitors, and takes it back. */
export function createPreview(page: Page) {
  const { document } = page
  const sheets = createSheets(document)
  let shown: Previewed[] = []
  let css = ''
  let faults: Record<string, string> = {}
  /** Equal changes are one object, so that the plan leaves alone what stays. */
  const known = new Map<string, ServedChange>()
  let served: ServedChange[] = []
  let planned: readonly Planned[] = []

  const plan = createPlan({
    document,
    nextFrame: (work) => page.requestAnimationFrame(work),
    nowMs: () => page.performance.now(),
    onRest(change, reason) {
      const id = shown[served.indexOf(change)]?.id
      if (id !== undefined) faults[id] = reason instanceof Error ? reason.message : String(reason)
    },
  })

  const apply = (): void => {
    sheets.set(sheet.css, css)
    sheets.set(sheet.hiding, served.some(({ type }) => type === 'HTML') ? hidingRule : '')
    planned = plan.set(served)
  }
  const elementsOf = (each: Previewed) => heldOf(document, planned, each)

  return {
    show(changes: readonly Previewed[], text: string): void {
      const acting = changes.filter((each): each is Previewed & { served: ServedChange } => each.served !== null)
      shown = [...acting, ...changes.filter((each) => each.served === null)]
      css = text
      faults = {}
      served = acting.map((each) => {
        const name = `${each.id} ${JSON.stringify(each.served)}`
        const change = known.get(name) ?? each.served
        known.set(name, change)
        each.served = change
        return change
      })
      for (const [name, change] of known) if (!served.includes(change)) known.delete(name)
      apply()
    },
    /** Runs work on the page as it is without the draft. Nothing of that is painted. */
    without<Result>(work: () => Result): Result {
      if (shown.length === 0 && css === '') return work()
      plan.set([])
      sheets.set(sheet.css, '')
      try {
        return work()
      } finally {
        apply()
      }
    },
    /** How many elements each change finds now, by its id. */
    matches: (): Record<string, number> => Object.fromEntries(shown.map((each) => [each.id, elementsOf(each).length])),
    /** The elements that a selector finds, also those that a change with this selector holds. */
    find: (selector: string): Element[] => [
      ...new Set([
        ...allOf(document, selector),
        ...shown.filter((each) => each.selector === selector).flatMap(elementsOf),
      ]),
    ],
    faults: () => faults,
  }
}

/**
 * The elements of a change that acts are those that it holds. Its selector can find others: none any more where the change
 * sets what its selector reads, and also what changes have made.
 */
function heldOf(document: Document, planned: readonly Planned[], { selector, served }: Previewed): readonly Element[] {
  const acting = planned.find(({ change, rests }) => change === served && !rests)
  return acting ? [...acting.applied.keys()] : allOf(document, selector).filter((each) => !isCopy(each))
}

/** The elements that a selector finds; none for what is no selector. */
export function allOf(document: Document, selector: string): Element[] {
  try {
    return [...document.querySelectorAll(selector)]
  } catch {
    return []
  }
}

/** Whether an element is the copy with other content, which a change of HTML shows in place of the original. */
const isCopy = ({ nextElementSibling }: Element): boolean => !!nextElementSibling?.hasAttribute(hiddenAttribute)

/** The original behind a copy with other content, which a change of HTML shows in its place. */
export function originalOf(element: Element): Element {
  for (let each: Element | null = element; each; each = each.parentElement)
    if (isCopy(each)) return each.nextElementSibling!
  return element
}
