import type { Options } from '../options.ts'
import { usage } from '../problem.ts'
import type { Session } from '../session.ts'

/** The options of commands that create or change an object by a file. */
export const fieldOptions = {
  file: { value: 'FILE', short: 'f', about: 'JSON with fields of the API; - is standard input.' },
  name: { value: 'NAME', about: 'The name for people.' },
  description: { value: 'TEXT', about: 'What it is for; empty for none.' },
} as const satisfies Options

/** The option of commands that create what has a key. */
export const keyOption = {
  key: { value: 'KEY', about: 'The key. Default: made from the name.' },
} as const satisfies Options

/**
 * The fields that a file and the options name. Options count more.
 *
 * @param parts fields of `more` whose own fields are added to those of the file
 */
export async function fieldsOf(
  session: Session,
  { file, name, description, key }: { file?: string; name?: string; description?: string; key?: string },
  more: Record<string, unknown> = {},
  parts: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const content = file === undefined ? {} : await session.readObject(file)
  const fields: Record<string, unknown> = {
    ...content,
    ...(name !== undefined && { name }),
    ...(key !== undefined && { key }),
    ...(description !== undefined && { description: description || null }),
    ...more,
  }
  for (const part of parts)
    if (isObject(content[part]) && isObject(more[part])) fields[part] = { ...content[part], ...more[part] }
  if (Object.keys(fields).length === 0) throw usage('No field is given. Use --file, or the options of the fields.')
  return fields
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
