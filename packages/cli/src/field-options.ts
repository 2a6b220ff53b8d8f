import type { Options } from './options.ts'
import { Problem, usage } from './problem.ts'
import type { Session } from './session.ts'

/** The options of commands that create or change an object by a file. */
export const fieldOptions = {
  file: { value: 'FILE', short: 'f', about: 'JSON with fields of the API; - is standard input.' },
  name: { value: 'NAME', about: 'The name for people.' },
  description: { value: 'TEXT', about: 'What it is for; empty for none.' },
} as const satisfies Options

/** The option of commands that create what has a key. */
export const keyOption = {
  key: { value: 'KEY', about: 'Its key; made from the name unless given.' },
} as const satisfies Options

/** The fields that a file and the options name. Options count more. */
export async function fieldsOf(
  session: Session,
  { file, name, description, key }: { file?: string; name?: string; description?: string; key?: string },
  more: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const content = file === undefined ? {} : await session.readJson(file)
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Problem('file_invalid', `${file} must be a JSON object.`)
  const fields = {
    ...content,
    ...(name !== undefined && { name }),
    ...(key !== undefined && { key }),
    ...(description !== undefined && { description: description || null }),
    ...more,
  }
  if (Object.keys(fields).length === 0) throw usage('Nothing is given. Use --file, or the options of the fields.')
  return fields
}
