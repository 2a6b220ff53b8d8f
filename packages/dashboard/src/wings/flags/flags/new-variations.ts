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
