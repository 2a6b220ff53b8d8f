import { apiFields, apiLimits } from './api-fields.ts'
import type { Fault } from './faults.ts'
import { type Fields, percent } from './objects.ts'

type Entries = Record<string, Fields>

/** The limits of the API that the schema of the file cannot say, because the file writes these values in another way. */
export function limitFaults(value: Fields): Fault[] {
  const entriesOf = (section: string) => Object.entries((value[section] ?? {}) as Entries)
  return [
    ...entriesOf('exclusionGroups').flatMap(([key, { slotSize }]) =>
      shareFaults(['exclusionGroups', key, 'slotSize'], slotSize, apiFields.CreateExclusionGroupBody.slotSize),
    ),
    ...entriesOf('holdouts').flatMap(([key, { share }]) =>
      shareFaults(['holdouts', key, 'share'], share, apiFields.CreateHoldoutBody.share),
    ),
    ...entriesOf('flags').flatMap(([key, flag]) => [
      ...variationFaults(['flags', key], flag),
      ...Object.entries((flag.environments ?? {}) as Entries).flatMap(([env, { overrides }]) =>
        overrideFaults(['flags', key, 'environments', env, 'overrides'], overrides),
      ),
    ]),
  ]
}

interface Points {
  minimum: number
  maximum: number
}

function shareFaults(path: Fault['path'], share: unknown, { minimum, maximum }: Points): Fault[] {
  if (share === undefined) return []
  const points = percent.toApi(share) as number
  if (points >= minimum && points <= maximum) return []
  const message = `must be from ${percent.toFile(minimum)} to ${percent.toFile(maximum)}, not ${share}.`
  return [{ path, message }]
}

function variationFaults(path: Fault['path'], { type, variations, valueSchema }: Fields): Fault[] {
  const values = Object.entries(variations as Entries).map(([key, { value }]) => [key, value] as const)
  const faults = values.flatMap(([key, value]): Fault[] => {
    const message = type === 'JSON' ? jsonFault(value) : typeof value === 'string' ? textFault(value) : undefined
    return message === undefined ? [] : [{ path: [...path, 'variations', key, 'value'], message }]
  })
  const isEachOnce = values.length === 2 && values[0]![1] !== values[1]![1]
  if (type === 'BOOLEAN' && values.every(([, value]) => typeof value === 'boolean') && !isEachOnce)
    faults.push({
      path: [...path, 'variations'],
      message: 'must be exactly two, with the values true and false, in a BOOLEAN flag.',
    })
  if (type !== 'JSON' && valueSchema !== undefined && valueSchema !== null)
    faults.push({ path: [...path, 'valueSchema'], message: 'is allowed only in a JSON flag.' })
  return faults
}

function textFault({ length }: string): string | undefined {
  const { maxLength } = apiFields.NewVariation.value
  return length > maxLength ? `must have at most ${maxLength} characters, not ${length}.` : undefined
}

function jsonFault(value: unknown): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? 'null')
  return bytes > apiLimits.jsonBytes ? `must be JSON of at most ${apiLimits.jsonBytes} bytes, not ${bytes}.` : undefined
}

function overrideFaults(path: Fault['path'], overrides: unknown): Fault[] {
  const { environment = {}, rules = {} } = (overrides ?? {}) as {
    environment?: Record<string, string[]>
    rules?: Record<string, Record<string, string[]>>
  }
  const count = [environment, ...Object.values(rules)].flatMap((lists) => Object.values(lists).flat()).length
  if (count <= apiLimits.overrideIds) return []
  return [{ path, message: `must have at most ${apiLimits.overrideIds} ids, not ${count}.` }]
}
