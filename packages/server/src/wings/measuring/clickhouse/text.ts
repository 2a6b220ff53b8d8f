/** A text as a literal of ClickHouse. */
export const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Texts as the right side of `in`. It is never empty, because that would be an error. */
export const list = (texts: readonly string[]): string => `(${texts.length > 0 ? texts.map(literal).join(', ') : "''"})`
