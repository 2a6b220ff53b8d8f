import { conditionIssues, isRounded } from '@svc/core'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLError } from 'yaml'
import { Problem } from '../problem.ts'
import { type Fault, faultsOf } from './faults.ts'
import { type WantedFlag, wantedFlag } from './flags.ts'
import { limitFaults } from './limits.ts'
import { nameFaults } from './names.ts'
import { bodyOf, type Fields, type Kind, kindNames, kinds, recordOf } from './objects.ts'

/** What a file wants. A section that is undefined is not managed. */
export interface Wanted {
  project: { key?: string; name?: string } | undefined
  objects: Partial<Record<Kind, Record<string, Fields>>>
  flags: Record<string, WantedFlag> | undefined
}

/** Reads a file. All of its faults are in one problem, each with line and column. */
export function readFile(name: string, text: string): Wanted {
  try {
    return readWanted(name, text)
  } catch (error) {
    // Parser and checks follow the nesting, which an alias within itself makes endless.
    if (!(error instanceof RangeError)) throw error
    throw new Problem('file_invalid', `${name} has too many levels of nesting, or an alias that contains itself.`)
  }
}

function readWanted(name: string, text: string): Wanted {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', schema: 'core' })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const fail = (messages: string[]): never => {
    throw new Problem('file_invalid', messages.join('\n'))
  }
  // The parser would report it as its own error, with the text of the engine.
  if (document.errors.some(({ message }) => message.includes('call stack'))) throw new RangeError()
  if (document.errors.length > 0) fail(document.errors.map((error) => `${at(error.pos[0])} ${syntaxMessage(error)}`))
  const spelled = [...keyFaults(document), ...numberFaults(document)]
  if (spelled.length > 0) fail(spelled.map(({ offset, message }) => `${at(offset)} ${message}`))
  let value: unknown
  try {
    // Few aliases, so that a small file cannot become a huge one.
    value = withRecords(document.toJS({ maxAliasCount: 100, mapAsMap: true }))
  } catch (error) {
    if (error instanceof RangeError) throw error
    const { message } = error as Error
    // The words of the library are for programmers.
    fail([
      `${name} ${message.startsWith('Excessive alias count') ? 'uses its anchors too often: write some of them out.' : message}`,
    ])
  }
  const shape = faultsOf(value)
  const faults = shape.length > 0 ? shape : inconsistencies(value as Fields)
  if (faults.length > 0)
    fail(
      faults.map(({ path, message }) => `${at(offsetOf(document, path))} ${path.join('.') || 'The file'} ${message}`),
    )
  return wantedOf(value as Fields)
}

/** Maps of YAML as records, whose keys stay in their order. */
function withRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRecords)
  if (!(value instanceof Map)) return value
  return recordOf([...value].map(([key, each]) => [String(key), withRecords(each)]))
}

/** The message of the parser, without the place that it repeats. One of its messages is for programmers. */
const syntaxMessage = ({ code, message }: YAMLError): string =>
  code === 'MULTIPLE_DOCS'
    ? 'A file can have only one document.'
    : message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '.')

/** Keys that would become another text, such as 010, which YAML reads as 10. */
function keyFaults(document: ReturnType<typeof parseDocument>): { offset: number; message: string }[] {
  const faults: { offset: number; message: string }[] = []
  visit(document, {
    Pair(_, { key }) {
      const offset = (key as { range?: [number] } | null)?.range?.[0] ?? 0
      if (!isScalar(key)) faults.push({ offset, message: 'A key must be text.' })
      else if (typeof key.value !== 'string' && (key.value === null || String(key.value) !== key.source))
        faults.push({ offset, message: `The key ${key.source || '(nothing)'} is not text: put it in quotes.` })
    },
  })
  return faults
}

/** Numbers in values and conditions that would change silently, because JSON or a double cannot hold them. */
function numberFaults(document: ReturnType<typeof parseDocument>): { offset: number; message: string }[] {
  const faults: { offset: number; message: string }[] = []
  visit(document, {
    Scalar(place, { value, source, range }) {
      if (place === 'key' || typeof value !== 'number' || source === undefined) return
      const fault = (message: string) => faults.push({ offset: range?.[0] ?? 0, message })
      if (!Number.isFinite(value)) fault(`JSON does not allow the number ${source}.`)
      else if (isRounded(source, value))
        fault(`The number ${source} would become ${value}, because numbers are doubles. Use text for longer ones.`)
    },
  })
  return faults
}

function offsetOf(document: ReturnType<typeof parseDocument>, path: Fault['path']): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const holder = length === 0 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const name = path[length - 1]
    if (length > 0 && isMap(holder)) {
      const pair = holder.items.find(({ key }) => (key as { value?: unknown })?.value === name)
      const range = (pair?.key as { range?: [number] } | undefined)?.range
      if (range) return range[0]
    } else if (length > 0 && isSeq(holder)) {
      const range = (holder.items[name as number] as { range?: [number] } | undefined)?.range
      if (range) return range[0]
    }
  }
  return 0
}

type Entries = Record<string, Fields>

export function wantedOf(value: Fields): Wanted {
  const objects: Wanted['objects'] = {}
  for (const kind of kindNames) {
    const section = value[kind] as Entries | undefined
    if (section) objects[kind] = mapped(section, (entry) => bodyOf(kinds[kind].fields, entry))
  }
  const flags = value.flags as Entries | undefined
  return {
    project: typeof value.project === 'string' ? { key: value.project } : (value.project as Wanted['project']),
    objects,
    flags: flags && mapped(flags, wantedFlag),
  }
}

export const mapped = <From, To>(
  record: Record<string, From>,
  map: (value: From, key: string) => To,
): Record<string, To> => recordOf(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

/** The rules that a schema cannot express: names must refer to something in the file, and shares must add up. */
function inconsistencies(value: Fields): Fault[] {
  const faults: Fault[] = [...limitFaults(value), ...nameFaults(value)]
  const environments = value.environments as Entries | undefined
  for (const [key, { conditions }] of Object.entries((value.audiences ?? {}) as Entries))
    faults.push(...audienceFaults(['audiences', key, 'conditions'], conditions))
  for (const [flagKey, flag] of Object.entries((value.flags ?? {}) as Entries)) {
    const path = ['flags', flagKey]
    const variations = flag.variations as Entries
    const fault = (more: Fault['path'], message: string) => faults.push({ path: [...path, ...more], message })
    const known = (more: Fault['path'], key: unknown) => {
      if (key !== undefined && !Object.hasOwn(variations, key as string))
        fault(more, `is ${key}, which is not a variation of the flag.`)
    }
    known(['default'], flag.default)
    for (const [key, variation] of Object.entries(variations)) {
      const fits = { BOOLEAN: 'boolean', STRING: 'string', NUMBER: 'number' }[flag.type as string]
      if (fits && typeof variation.value !== fits)
        fault(['variations', key, 'value'], `must be a ${fits} in a ${flag.type} flag.`)
    }
    for (const [env, drafted] of Object.entries((flag.environments ?? {}) as Entries)) {
      const place: Fault['path'] = ['environments', env]
      if (environments && !Object.hasOwn(environments, env)) fault(place, 'is not an environment of the file.')
      known([...place, 'default'], drafted.default)
      const seen = new Set<unknown>()
      for (const [at, rule] of ((drafted.rules ?? []) as Fields[]).entries()) {
        const here = [...place, 'rules', at]
        if (seen.has(rule.key)) fault([...here, 'key'], `is ${rule.key}, the key of an earlier rule.`)
        seen.add(rule.key)
        if (rule.experiment !== undefined) {
          if (Object.keys(rule).length > 2)
            fault(here, 'belongs to an experiment, so only key and experiment are allowed.')
          continue
        }
        if (rule.name === undefined) fault(here, 'must have name.')
        if (rule.conditions !== undefined)
          faults.push(...conditionFaults([...path, ...here, 'conditions'], rule.conditions))
        faults.push(...bucketByFaults([...path, ...here, 'bucketBy'], rule.bucketBy))
        const split = rule.split as Fields | undefined
        if ((rule.variation === undefined) === (split === undefined))
          fault(here, 'must have either variation or split.')
        known([...here, 'variation'], rule.variation)
        for (const key of Object.keys(split ?? {})) known([...here, 'split', key], key)
        if (!split) continue
        const sum = Object.values(split).reduce<number>(
          (total, share) => total + Math.round(Number.parseFloat(share as string) * 100),
          0,
        )
        if (sum !== 10_000) fault([...here, 'split'], `must add up to 100%, not ${sum / 100}%.`)
        if (rule.baseline !== undefined && !Object.hasOwn(split, rule.baseline as string))
          fault([...here, 'baseline'], 'must be one of the split.')
      }
    }
  }
  return faults
}

/** Audiences cannot refer to other audiences. */
function audienceFaults(path: Fault['path'], conditions: unknown): Fault[] {
  const faults = conditionFaults(path, conditions)
  return faults.length > 0 ? faults : namedAudiences(path, conditions as Fields)
}

const namedAudiences = (path: Fault['path'], condition: Fields): Fault[] => {
  if (condition.audience !== undefined)
    return [{ path: [...path, 'audience'], message: 'is not allowed in an audience: use attributes and segments.' }]
  if (condition.not) return namedAudiences([...path, 'not'], condition.not as Fields)
  return ['all', 'any'].flatMap((list) =>
    ((condition[list] ?? []) as Fields[]).flatMap((child, index) => namedAudiences([...path, list, index], child)),
  )
}

/** Visitors are bucketed by an attribute that a condition could name. */
function bucketByFaults(path: Fault['path'], attribute: unknown): Fault[] {
  if (attribute === undefined) return []
  if (attribute === '$now') return [{ path, message: 'must not be $now.' }]
  return conditionIssues({ attribute, operator: 'exists' }).map(({ message }) => ({ path, message }))
}

const conditionFaults = (path: Fault['path'], conditions: unknown): Fault[] =>
  conditionIssues(conditions).map((issue) => ({
    path: [...path, ...(issue.path as Fault['path'])],
    message: issue.message,
  }))
