import type { World } from '../world.ts'

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

export type Color = keyof typeof codes
export type Paint = (color: Color, text: string) => string

/** Whether a stream does what control codes say: color, erase a line, begin at the top. */
export const obeysCodes = (stream: NodeJS.WriteStream, env: World['env']): boolean =>
  stream.isTTY === true && env.TERM !== 'dumb'

/** Colors text for a stream: only on a terminal, unless the caller or the environment forbids it. */
export function painter(stream: NodeJS.WriteStream, env: World['env'], isOff: boolean): Paint {
  const isOn = obeysCodes(stream, env) && !isOff && !env.NO_COLOR
  return (color, text) => {
    if (!isOn || text === '') return text
    const [start, end] = codes[color]
    return `\u001b[${start}m${text}\u001b[${end}m`
  }
}

/** Columns of a terminal; undefined for a pipe, where nothing is cut. */
export const columnsOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? stream.columns || 80 : undefined

/** Text of the service in one line: characters that could control the terminal are replaced. */
export const plain = (text: string): string =>
  text.replace(/[\t\n\v\f\r]+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\uFFFD')

/** Text without the tokens and keys of the service that are in it: messages are logged and shared. */
export const masked = (text: string): string =>
  text.replace(/(svc_(?:ing|pat|svc)_)([\w-]+)/g, (_secret, prefix: string, rest: string) =>
    rest.length < 40 ? `${prefix}…` : `${prefix}…${rest.slice(-4)}`,
  )

const graphemes = new Intl.Segmenter()
const wide =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]/u

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Cuts a text to a number of columns, with an ellipsis in the last one. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(kept + segment) > columns - 1) break
    kept += segment
  }
  return columns > 0 ? `${kept}…` : ''
}
