import { keyOfName } from '../flags/key-of-name.ts'

export type FlagType = 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'

export interface NewVariation {
  name: string
  key: string
  value: string
}

/** The variations with which a new flag of this type begins. The first one is the default. */
export const startingVariations: Record<FlagType, readonly NewVariation[]> = {
  BOOLEAN: [
    { name: 'Off', key: 'off', value: 'false' },
    { name: 'On', key: 'on', value: 'true' },
  ],
  STRING: [
    { name: 'Original', key: 'original', value: '' },
    { name: 'Variation', key: 'variation', value: '' },
  ],
  NUMBER: [
    { name: 'Original', key: 'original', value: '0' },
    { name: 'Variation', key: 'variation', value: '1' },
  ],
  JSON: [
    { name: 'Original', key: 'original', value: '{}' },
    { name: 'Variation', key: 'variation', value: '{}' },
  ],
}

/** The fields of the two variations in the form of a new flag, with the names that they have in the body. */
export type VariationInputs = Record<`variations.${0 | 1}.${'name' | 'value'}`, string>

export const inputsOf = (type: FlagType): VariationInputs => {
  const [one, other] = startingVariations[type] as [NewVariation, NewVariation]
  return {
    'variations.0.name': one.name,
    'variations.0.value': one.value,
    'variations.1.name': other.name,
    'variations.1.value': other.value,
  }
}

/** The two variations as they were typed. Keys follow the names; a name without a letter of a key keeps the usual one. */
export function variationsOf(type: FlagType, inputs: VariationInputs): [NewVariation, NewVariation] {
  const made = (place: 0 | 1): NewVariation => {
    const name = inputs[`variations.${place}.name`].trim()
    const { key } = startingVariations[type][place]!
    return { name, key: keyOfName(name) || key, value: inputs[`variations.${place}.value`] }
  }
  return [made(0), made(1)]
}
