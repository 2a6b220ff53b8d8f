/** Where something is in a text, for a person: line and column, counted from 1. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|[\n\r\f]/)
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`
}
