/**
 * JSON with a line for each operation, schema or other part, so that a change of one is a change of one line. The values
 * at these paths are opened; all others are printed on one line. `*` matches every name.
 */
export function compactJson(value: object, opened: readonly string[][]): string {
  return `${printed(value, [], opened)}\n`
}

function printed(value: unknown, path: readonly string[], opened: readonly string[][]): string {
  const isOpen = path.length === 0 || opened.some((each) => matches(each, path))
  if (!isOpen || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (fields.length === 0) return '{}'
  const indent = '  '.repeat(path.length + 1)
  const lines = fields.map(
    ([name, field]) => `${indent}${JSON.stringify(name)}: ${printed(field, [...path, name], opened)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent.slice(2)}}`
}

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((name, at) => name === '*' || name === path[at])
