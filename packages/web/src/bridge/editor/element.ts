import { textAspect } from '../../engine/slots.ts'
import { candidatesOf, countsPositions } from './candidates.ts'
import type { Picked, Step } from './messages.ts'
import { originalOf } from './preview.ts'

const maxTextLength = 5_000
const maxHtmlLength = 20_000
const styled = [
  'color',
  'background-color',
  'font-size',
  'font-weight',
  'text-align',
  'padding',
  'margin',
  'border-radius',
  'width',
]

/**
 * What the editor shows of an element, as the page has it without the draft.
 *
 * @param without runs work on the page as it is without the draft
 */
export function pickedOf(
  element: Element,
  nowMs: () => number,
  without: <Result>(work: () => Result) => Result,
): Picked {
  const { previousElementSibling: previous, nextElementSibling: next } = element
  const styles = stylesOf(element)
  return without(() => {
    const bestOf = (other: Element | null) => {
      const selectors = other?.isConnected ? candidatesOf(other, nowMs).map(({ selector }) => selector) : []
      return selectors.find((selector) => !countsPositions(selector)) ?? selectors[0] ?? null
    }
    const html = element.innerHTML
    return {
      candidates: element.isConnected ? candidatesOf(element, nowMs) : [],
      tag: element.localName,
      text: (textAspect().read(element) ?? '').trim().slice(0, maxTextLength),
      html: html.length <= maxHtmlLength ? html : null,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      styles,
      framework: frameworkOf(element),
      hasParent: parentOf(element) !== null,
      hasChild: element.firstElementChild !== null,
      previous: bestOf(previous),
      next: bestOf(next),
    }
  })
}

/** The element at which a step from another one ends; null if there is none. */
export function steppedFrom(element: Element, to: Step): Element | null {
  if (to === 'PARENT') return parentOf(element)
  if (to === 'CHILD') return element.firstElementChild && originalOf(element.firstElementChild)
  return to === 'PREVIOUS' ? element.previousElementSibling : element.nextElementSibling
}

const parentOf = ({ parentElement }: Element): Element | null =>
  parentElement && parentElement.localName !== 'html' ? parentElement : null

function stylesOf(element: Element): Record<string, string> {
  const computed = getComputedStyle(element)
  return Object.fromEntries(styled.map((name) => [name, computed.getPropertyValue(name)]))
}

/** By what frameworks leave on the elements that they own. */
const marks: [framework: string, mark: RegExp][] = [
  ['React', /^__react(?:Fiber|Props|Container)\$/],
  ['Vue', /^(?:__vue__|__vueParentComponent|__vnode)$/],
  ['Angular', /^(?:__ngContext__|__zone_symbol__)/],
  ['Svelte', /^__svelte/],
  ['Preact', /^__k$/],
]

export function frameworkOf(element: Element): string | null {
  const names = Object.keys(element)
  return marks.find(([, mark]) => names.some((name) => mark.test(name)))?.[0] ?? null
}
