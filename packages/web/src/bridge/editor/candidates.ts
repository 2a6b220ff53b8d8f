import { finder } from '@medv/finder'
import type { Candidate } from './messages.ts'

const most = 3
const limitMs = 200
/** A selector that finds more elements than this is no help to a person. */
const mostMatches = 50
const maxLength = 500

/** Attributes that sites give to their elements for programs, before those that only happen to be there. */
const forPrograms = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
const describing = ['name', 'aria-label', 'alt', 'for', 'href', 'role', 'type']

/** Lower is better: more telling, and more likely to outlive the next release of the site. */
const costs = { id: 0, forPrograms: 1, describing: 4, className: 3, tag: 6, position: 12, step: 2 }

interface Part {
  selector: string
  cost: number
}

/**
 * Selectors that find an element, the best one first: one or two that find it alone, then those that find similar elements
 * too. Ids and attributes for programs come first. Names that a build tool has made are never used, because the next
 * release of the site has others.
 *
 * @param nowMs a time in milliseconds that never goes back; the search ends after 200 ms
 */
export function candidatesOf(element: Element, nowMs: () => number): Candidate[] {
  const endMs = nowMs() + limitMs
  const root = element.ownerDocument
  const found = new Map<string, Candidate & { cost: number }>()
  const look = ({ selector, cost }: Part): void => {
    if (found.has(selector) || selector.length > maxLength || nowMs() > endMs) return
    const matches = root.querySelectorAll(selector).length
    if (matches > 0) found.set(selector, { selector, matches, cost })
  }
  const own = partsOf(element)
  for (const part of own) look(part)
  for (const part of own)
    for (const [up, ancestor] of ancestorsOf(element).entries())
      for (const outer of partsOf(ancestor).filter(({ cost }) => cost < costs.tag))
        look({ selector: `${outer.selector} ${part.selector}`, cost: outer.cost + part.cost + costs.step + up / 10 })
  const path = pathOf(element)
  const alone = [...found.values()].filter(({ matches }) => matches === 1).sort(byCost)
  const similar = [...found.values()].filter(({ matches }) => matches > 1 && matches <= mostMatches).sort(byCost)
  if (alone.length === 0) {
    for (const selector of longerSelectors(element)) alone.push({ selector, matches: 1, cost: costs.position })
    // Where an element stands among others is the last resort.
    alone.push({ selector: path, matches: root.querySelectorAll(path).length, cost: Infinity })
  }
  const chosen = [...alone.slice(0, 2), ...similar.slice(0, 1), ...alone.slice(2), ...similar.slice(1)].slice(0, most)
  return chosen.map(({ selector, matches }) => ({ selector, matches }))
}

const byCost = (one: Part, other: Part): number => one.cost - other.cost || one.selector.length - other.selector.length

/** Selectors of three and more parts that find the element alone without counting positions, if there are any. */
function longerSelectors(element: Element): string[] {
  try {
    const found = finder(element, {
      ...{ timeoutMs: limitMs, maxNumberOfPathChecks: 1_000 },
      idName: (name) => !isGenerated(name),
      className: (name) => !isGenerated(name),
      attr: (name, value) => forPrograms.includes(name) && !isGenerated(value),
    }).replace(/^html (?:> body )?(?:> )?/, '')
    const all = countsPositions(found) ? [] : element.ownerDocument.querySelectorAll(found)
    return all.length === 1 && all[0] === element ? [found] : []
  } catch {
    // It finds nothing in time, or too many ways.
    return []
  }
}

/** The only selector of an element that is found at once: for lists of many elements. */
export function shortSelectorOf(element: Element): Candidate {
  const root = element.ownerDocument
  for (const { selector } of partsOf(element).sort(byCost))
    if (root.querySelectorAll(selector).length === 1) return { selector, matches: 1 }
  const selector = pathOf(element)
  return { selector, matches: root.querySelectorAll(selector).length }
}

/** Whether a selector depends on where the element stands among others, which a move changes. */
export const countsPositions = (selector: string): boolean => selector.includes(':nth-')

/** What an element itself offers. */
function partsOf(element: Element): Part[] {
  const tag = CSS.escape(element.localName)
  const attribute = (name: string, cost: number, before = ''): Part[] => {
    const value = element.getAttribute(name)
    if (!value || value.length > 80 || isGenerated(value)) return []
    return [{ selector: `${before}[${name}=${quoted(value)}]`, cost }]
  }
  const classes = [...element.classList].filter((name) => !isGenerated(name)).slice(0, 5)
  return [
    ...(element.id && !isGenerated(element.id) ? [{ selector: `#${CSS.escape(element.id)}`, cost: costs.id }] : []),
    ...forPrograms.flatMap((name) => attribute(name, costs.forPrograms)),
    ...describing.flatMap((name) => attribute(name, costs.describing, tag)),
    ...classes.map((name) => ({ selector: `${tag}.${CSS.escape(name)}`, cost: costs.className })),
    ...classes.slice(1).map((name, at) => ({
      selector: `${tag}.${CSS.escape(classes[at]!)}.${CSS.escape(name)}`,
      cost: costs.className + 1,
    })),
    { selector: tag, cost: costs.tag },
  ]
}

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`

/** From the parent up to the body, or all of them if the element stands elsewhere. */
function ancestorsOf(element: Element): Element[] {
  const found: Element[] = []
  for (let each = element.parentElement; each && each.localName !== 'html'; each = each.parentElement) found.push(each)
  return found
}

/** The way to an element from the nearest one that a name, or else its tag, finds alone. */
function pathOf(element: Element): string {
  const steps: string[] = []
  for (let each: Element | null = element; each; each = each.parentElement) {
    const named = partsOf(each).find(({ selector }) => each!.ownerDocument.querySelectorAll(selector).length === 1)
    if (named) return [named.selector, ...steps].join(' > ')
    steps.unshift(stepTo(each))
  }
  return steps.join(' > ')
}

function stepTo(element: Element): string {
  const tag = CSS.escape(element.localName)
  const alike = [...(element.parentElement?.children ?? [])].filter(({ localName }) => localName === element.localName)
  return alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(element) + 1})` : tag
}

/** Prefixes of libraries that make names. */
const made =
  /^(?:css|sc|jss|emotion|svelte|astro|styled|jsx|radix|headlessui|mui|react-aria|react-select|ember|ext-gen|yui|gwt|data-v|ng-tns|cdk|mat-mdc|mat|p-id|el-id|__BVID|_ng)[-_]?[\w-]*\d|^(?:css|sc|jss|emotion|svelte|astro|styled|jsx)-/i

/**
 * Whether a name looks made by a program: by a library that is known for it, with a hash or a long number in it, or with
 * letters that nobody can say.
 */
export function isGenerated(name: string): boolean {
  // Framework ids such as :r1: and classes of utilities such as md:w-[32px] say nothing of an element.
  if (/[:[\]@!]/.test(name) && !/^(?:https?:|mailto:|tel:)/.test(name)) return true
  if (made.test(name) || /\d{4}/.test(name)) return true
  return name.split(/[^A-Za-z\d]+/).some(isHash)
}

/** Whether a word is a hash: digits among letters, or capitals among letters without enough vowels. */
function isHash(word: string): boolean {
  if (word.length < 5) return false
  const switches = word.match(/[a-z](?=\d)|\d(?=[A-Za-z])/gi)?.length ?? 0
  if (switches >= 2) return true
  const letters = word.replace(/\d/g, '')
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0
  const humps = word.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0
  return humps >= 1 && vowels / letters.length < 0.21
}
