import { expect, it } from 'vitest'
import { type Published, pausedSentence, publishedSentence } from './published.ts'

const flags = (...names: string[]) => names.map((name) => ({ key: name.toLowerCase(), name }))
const published = (more: Partial<Published>): Published => ({
  revision: 7,
  isQuiet: false,
  flags: [],
  ran: [],
  ...more,
})

it.each<[string, Partial<Published>, string]>([
  ['one flag', { flags: flags('Copy') }, 'Visitors get the changes of Copy now, as revision 7.'],
  ['audiences alone', {}, 'Visitors get the changes now, as revision 7.'],
  [
    'many flags',
    { flags: flags('A', 'B', 'C', 'D', 'E') },
    'Visitors get the changes of A, B, C, and 2 more now, as revision 7.',
  ],
  [
    'a paused flag',
    { flags: flags('Copy'), isQuiet: true },
    'Visitors of Production get the same as before, for example because a flag is paused.',
  ],
  [
    'a flag that runs with it',
    { flags: flags('Copy'), ran: flags('Copy'), isQuiet: true },
    'Copy runs in Production now, with the changes.',
  ],
  ['two that run with it', { ran: flags('Copy', 'Cart') }, 'Copy and Cart run in Production now, with the changes.'],
])('a publish of %s says what visitors get', (_what, more, sentence) => {
  expect(publishedSentence(published(more), 'Production')).toBe(sentence)
})

it('a preview says why it shows nothing of paused flags', () => {
  expect(pausedSentence(flags('Copy'), 'Production')).toBe(
    'Copy is paused in Production, so visitors get its changes only after you run it.',
  )
  expect(pausedSentence(flags('A', 'B', 'C', 'D', 'E'), 'Production')).toBe(
    'A, B, C, and 2 more are paused in Production, so visitors get their changes only after you run them.',
  )
})
