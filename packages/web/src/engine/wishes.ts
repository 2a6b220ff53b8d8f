import type { ServedChange } from '../document.ts'
import { createPlaces, inserted, type Made, moved, replaced } from './nodes.ts'
import { type Aspect, attribute, className, guarded, textAspect } from './slots.ts'

/** What a change wants of an element that its selector finds: these aspects, of it or of elements beside it. */
export type Wishes = (element: Element) => [element: Element, aspect: Aspect, value: string | null][]

/** Makes the wishes of changes. Those of one page share what is known of its texts. */
export function createWishes(made: Made) {
  const text = textAspect()
  const away: Made = new WeakSet()
  const places = createPlaces(made, away)
  let number = 0
  const there =
    (aspect: Aspect): Wishes =>
    (element) => [[element, aspect, '']]
  const wishesOf = (change: ServedChange): Wishes => {
    switch (change.type) {
      case 'TEXT':
        return (element) => [[element, text, change.value]]
      case 'ATTRIBUTE':
        return (element) => [[element, attribute(change.name), change.value]]
      case 'IMAGE':
        return (element) => imageOf(element, change)
      case 'CLASS':
        return (element) =>
          [
            ...change.add.map((name) => [element, className(name), ''] as const),
            ...change.remove.map((name) => [element, className(name), null] as const),
          ] as ReturnType<Wishes>
      case 'HTML':
        return there(replaced(change.value, made))
      case 'INSERT':
        return there(inserted(`insert ${number++}`, change.value, change.position, made, places))
      case 'MOVE':
        return there(moved(change.to, change.position, away, places))
    }
  }
  return (change: ServedChange): Wishes => {
    const wishes = wishesOf(change)
    if (change.type === 'CLASS' || change.type === 'MOVE') return wishes
    return (element) => (guarded.test(element.localName) ? [] : wishes(element))
  }
}

/** The address of an image, without the other sizes that the page offers, also in the sources of its `<picture>`. */
function imageOf(element: Element, { value, alt }: Extract<ServedChange, { type: 'IMAGE' }>): ReturnType<Wishes> {
  const picture = element.parentElement?.localName === 'picture' ? element.parentElement : undefined
  return [
    [element, attribute('src'), value],
    [element, attribute('srcset'), null],
    ...(alt === null ? [] : [[element, attribute('alt'), alt] as ReturnType<Wishes>[number]]),
    ...[...(picture?.querySelectorAll('source') ?? [])].map((source): ReturnType<Wishes>[number] => [
      source,
      attribute('srcset'),
      value,
    ]),
  ]
}
