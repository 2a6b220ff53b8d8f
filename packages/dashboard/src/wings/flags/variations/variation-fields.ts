/** A variation in the form; one that is not saved yet has no id. */
export interface EditedVariation {
  id?: string
  name: string
  key: string
  value: string
}

/** Variations as fields that two edits can be merged by: one for each variation, and the key of the default. */
export type VariationFields = Record<string, unknown>

const byDefault = 'defaultVariationKey'

/** `rows` have the id of their variation, or a name of their own while they have none. */
export const fieldsOf = (
  rows: readonly (EditedVariation & { row: string })[],
  defaultVariationKey: string,
): VariationFields => ({
  ...Object.fromEntries(rows.map(({ row, ...variation }) => [row, variation])),
  [byDefault]: defaultVariationKey,
})

/** The variations with the names of their fields, without those that are deleted. */
export const rowsIn = ({ [byDefault]: _key, ...variations }: VariationFields): (EditedVariation & { row: string })[] =>
  Object.entries(variations).flatMap(([row, each]) => (each ? [{ ...(each as EditedVariation), row }] : []))

export const defaultIn = (fields: VariationFields): string => String(fields[byDefault])

/** The body of the call. Variations that are deleted have no value. */
export function bodyOf({ [byDefault]: defaultVariationKey, ...variations }: VariationFields) {
  return {
    variations: Object.values(variations).filter((each) => each !== undefined) as EditedVariation[],
    defaultVariationKey: String(defaultVariationKey),
  }
}

/** Labels of the fields: the names of the variations. */
export const labelsOf = (...edits: VariationFields[]): Record<string, string> => ({
  ...Object.fromEntries(
    edits.flatMap(({ [byDefault]: _key, ...variations }) =>
      Object.entries(variations).flatMap(([field, each]) =>
        each ? [[field, `The variation ${(each as EditedVariation).name}`]] : [],
      ),
    ),
  ),
  [byDefault]: 'The default',
})

/** The value of a field as people read it, for a conflict. */
export function fieldWords(field: string, value: unknown): string {
  if (field === byDefault) return String(value)
  if (value === undefined) return 'Deleted'
  const { name, key, value: given } = value as EditedVariation
  return `${name} (${key}): ${given === '' ? 'empty' : given}`
}
