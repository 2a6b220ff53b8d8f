import { useEffect, useRef } from 'react'
import { type Stroke, strokeOf } from './keyboard/stroke.ts'

export interface Key {
  /** What the key does, for the list of shortcuts. */
  label: string
  /** Absent if the key is only listed now: a part of the page acts on it, or nothing is chosen that it could act on. */
  act?: (() => unknown) | undefined
}

/** By stroke: `p`, `shift+p`, `?`, `[`, `enter`, or two keys after each other: `g f`. */
export type Keys = Record<Stroke, Key>

const betweenKeysMs = 1_500
const preference = 'svc.single-keys'

/** The keys of everything on the screen; the latest comes first. */
const layers: { current: Keys }[] = []
let firstKey: { stroke: Stroke; at: number } | undefined

/**
 * Single keys while a page or a part of it is on the screen: `useKeys({ p: { label: 'Pause', act: pause } })`. They do
 * nothing in fields, menus and dialogs, and people can switch them off.
 */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys)
  useEffect(() => {
    layer.current = keys
  })
  useEffect(() => {
    if (layers.length === 0) document.addEventListener('keydown', onKeyDown)
    layers.unshift(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** The keys that work now, for the list of shortcuts. */
export const keysInUse = (): Keys => Object.assign({}, ...layers.map(({ current }) => current).reverse())

export const areSingleKeysOn = (): boolean => localStorage.getItem(preference) !== 'off'
export const switchSingleKeys = (isOn: boolean): void => localStorage.setItem(preference, isOn ? 'on' : 'off')

function onKeyDown(event: KeyboardEvent): void {
  const stroke = strokeOf(event)
  if (!stroke || event.defaultPrevented || isTaken(event.target) || !areSingleKeysOn()) return
  const now = Date.now()
  const before = firstKey && now - firstKey.at < betweenKeysMs ? firstKey.stroke : undefined
  const second = before === undefined ? undefined : keyFor(`${before} ${stroke}`)
  const key = second ?? keyFor(stroke)
  firstKey = second || key ? undefined : { stroke, at: now }
  if (!key?.act) return
  event.preventDefault()
  key.act()
}

const keyFor = (stroke: Stroke): Key | undefined => layers.find(({ current }) => stroke in current)?.current[stroke]

const fields =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], dialog'

// For a moment, a field keeps the focus in a dialog that has closed.
const isGone = (target: Element): boolean => target.closest('dialog:not([open])') !== null

/** Whether the element uses keys itself, or a dialog covers the page. */
export const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(fields) !== null && !isGone(target)) ||
  document.querySelector('[role="dialog"][aria-modal="true"], [role="alertdialog"], dialog[open]') !== null
