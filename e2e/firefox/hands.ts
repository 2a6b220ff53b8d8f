import type { Browser, Frame, Locator } from '@playwright/test'
import { sessionOf } from '../firefox.ts'

/** What WebDriver calls keys that write nothing. */
const keys: Record<string, string> = { Control: '\uE009', Shift: '\uE008', Enter: '\uE007', Tab: '\uE004' }

type Key = { type: 'keyDown' | 'keyUp'; value: string }
const down = (value: string): Key => ({ type: 'keyDown', value })
const up = (value: string): Key => ({ type: 'keyUp', value })

/**
 * The hands of a person in a frame of another origin. Playwright moves its own over the page around the frame, and Firefox
 * hands nothing of that down to a different site. These are in the frame, by the same protocol, and Firefox takes each
 * press as one of a person.
 */
export function handsIn(browser: Browser, frame: Frame) {
  const { session, idOf } = sessionOf(browser)
  const context = idOf(frame)
  const perform = (source: object) => session.send('input.performActions', { context, actions: [source] })
  const press = (actions: Key[]) => perform({ type: 'key', id: 'keys', actions })

  const hands = {
    /** Clicks once or more often, without a pause in between: a slow one makes two clicks of a double click. */
    async click(target: Locator, times = 1): Promise<void> {
      await target.waitFor()
      const { x, y } = await target.evaluate((element) => {
        element.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { left, top, width, height } = element.getBoundingClientRect()
        return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }
      })
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      const actions = [{ type: 'pointerMove', x, y }, ...Array.from({ length: times }, () => press).flat()]
      await perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions })
    },
    /** Presses keys together, such as `Control+a`. */
    press(chord: string) {
      const values = chord.split('+').map((name) => keys[name] ?? name)
      return press([...values.map(down), ...values.toReversed().map(up)])
    },
    /** Replaces what a field has. */
    async write(field: Locator, text: string): Promise<void> {
      await hands.click(field)
      await hands.press('Control+a')
      await hands.type(text)
    },
    /** Types where the focus is. */
    type: (text: string) => press([...text].flatMap((letter) => [down(letter), up(letter)])),
  }
  return hands
}
