import type { Options } from '../options.ts'
import type { Session } from '../session.ts'
import { pairOf } from './option-values.ts'

/** The options of commands that evaluate for a visitor. */
export const contextOptions = {
  key: { value: 'USER', about: 'The targeting key of the visitor.' },
  attr: { value: 'NAME=VALUE', many: true, about: 'An attribute of the visitor.' },
  context: { value: 'FILE', about: 'JSON with the context; - is standard input. --key and --attr take precedence.' },
} as const satisfies Options

/** The context that the options describe. Numbers, true and false are read as such. */
export async function contextFrom(
  session: Session,
  { key, attr, context: file }: { key?: string; attr?: string[]; context?: string },
): Promise<Record<string, unknown>> {
  const content = file === undefined ? {} : await session.readObject(file)
  const given = (attr ?? []).map((text) => pairOf(text, '--attr')).map(([name, value]) => [name, scalarOf(value)])
  return { ...content, ...Object.fromEntries(given), ...(key !== undefined && { targetingKey: key }) }
}

function scalarOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text)
  return /^"(.*)"$/.exec(text)?.[1] ?? text
}
