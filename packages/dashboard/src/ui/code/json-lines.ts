/** A line of a JSON text as people see it: what is on the line, and what folds below it. */
export interface JsonNode {
  /** The name of the field with its colon, in JSON: `"plan": `. Empty in lists and at the top. */
  name: string
  /** A value that has no parts, in JSON. */
  text?: string
  /** An object or a list with parts. */
  parts?: { open: '{' | '['; close: '}' | ']'; nodes: () => JsonNode[]; count: number }
  isLast: boolean
}

/** The nodes of a value. Parts are computed when they are asked for, so a folded value costs nothing. */
export function jsonNode(value: unknown, name = '', isLast = true): JsonNode {
  const isList = Array.isArray(value)
  if (typeof value !== 'object' || value === null) return { name, text: JSON.stringify(value) ?? 'null', isLast }
  const entries: [string, unknown][] = isList ? value.map((each) => ['', each]) : Object.entries(value)
  if (entries.length === 0) return { name, text: isList ? '[]' : '{}', isLast }
  const nodes = () =>
    entries.map(([key, each], index) =>
      jsonNode(each, isList ? '' : `${JSON.stringify(key)}: `, index === entries.length - 1),
    )
  const [open, close] = isList ? (['[', ']'] as const) : (['{', '}'] as const)
  return { name, parts: { open, close, nodes, count: entries.length }, isLast }
}
