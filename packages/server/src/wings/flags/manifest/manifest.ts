import type { FlagType, JsonValue } from '@svc/core'

export interface FlagOfManifest {
  key: string
  name: string
  description: string | null
  type: FlagType
  variations: { id: string; value: string }[]
  defaultVariationId: string
}

export const manifestTypes = ['boolean', 'string', 'integer', 'float', 'object'] as const

type ManifestType = (typeof manifestTypes)[number]

/** A flag as generators of typed code read it: what a program gets when no rule decides. */
export function manifestFlag({ key, name, description, type, variations, defaultVariationId }: FlagOfManifest) {
  const read = (text: string): JsonValue => (type === 'STRING' ? text : JSON.parse(text))
  const isWhole = variations.every(({ value }) => Number.isInteger(read(value)))
  const typeNames: Record<FlagType, ManifestType> = {
    BOOLEAN: 'boolean',
    STRING: 'string',
    NUMBER: isWhole ? 'integer' : 'float',
    JSON: 'object',
  }
  return {
    key,
    name,
    type: typeNames[type],
    ...(description !== null && { description }),
    defaultValue: read(variations.find(({ id }) => id === defaultVariationId)!.value),
  }
}
