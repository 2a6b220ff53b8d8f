import { expect, it } from 'vitest'
import { strokeOf } from './stroke.ts'

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

it.each([
  [{ key: 'p' }, 'p'],
  [{ key: 'P', shiftKey: true }, 'shift+p'],
  [{ key: 'P' }, 'p'],
  [{ key: '?', shiftKey: true }, '?'],
  [{ key: '?' }, '?'],
  [{ key: '[' }, '['],
  [{ key: 'Enter' }, 'enter'],
  [{ key: 'Enter', shiftKey: true }, 'shift+enter'],
  [{ key: 'ArrowDown', shiftKey: true }, 'shift+arrowdown'],
  [{ key: ' ' }, 'space'],
  [{ key: 'Shift', shiftKey: true }, undefined],
  [{ key: 'k', ctrlKey: true }, undefined],
  [{ key: 'k', metaKey: true }, undefined],
  [{ key: 'ArrowUp', altKey: true }, undefined],
  [{ key: 'a', isComposing: true }, undefined],
])('%j is the stroke %s', (pressed, stroke) => {
  expect(strokeOf({ ...plain, ...pressed })).toBe(stroke)
})
