/** A key with its modifier as text: `p`, `shift+p`, `?`, `escape`. */
export type Stroke = string

interface Pressed {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isComposing: boolean
}

/**
 * The stroke of an event, or undefined if it belongs to the browser or to an input method. Shift counts only where it
 * does not change the character: `?` needs Shift on one keyboard and not on another.
 */
export function strokeOf({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: Pressed): Stroke | undefined {
  if (ctrlKey || metaKey || altKey || isComposing || modifiers.has(key)) return undefined
  const name = key === ' ' ? 'space' : key.toLowerCase()
  const keepsShift = shiftKey && (name.length > 1 || /^\p{L}$/u.test(name))
  return keepsShift ? `shift+${name}` : name
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process'])
