/** What of a JSON text its value no longer tells. */

/** Only for well-formed JSON. Outside strings, there is a colon after each name and a comma between items. */
export function shapeOf(text: string): { names: number; commas: number; depth: number } {
  const shape = { names: 0, commas: 0, depth: 0 }
  let level = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfText(text, index)
    else if (character === ',') shape.commas += 1
    else if (character === ':') shape.names += 1
    else if (character === ']' || character === '}') level -= 1
    else if (character === '[' || character === '{') {
      level += 1
      if (level > shape.depth) shape.depth = level
    }
  }
  return shape
}

function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** The names of all objects of a value. Call it only when the depth is limited. */
export function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  return children.reduce<number>((sum, child) => sum + namesOf(child), Array.isArray(value) ? 0 : children.length)
}
